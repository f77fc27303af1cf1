# All arguments by name, gathered in a dictionary; d_out is computed from what is wanted.
def two_dimensional_wrapper(wrapper_class, batch):
    features, num_heads = 2, 2
    arguments = {
        "d_in": batch.size(2),
        "d_out": features // num_heads,
        "context_length": batch.size(1),
        "dropout": 0.0,
        "num_heads": num_heads,
    }
    return wrapper_class(**arguments)
