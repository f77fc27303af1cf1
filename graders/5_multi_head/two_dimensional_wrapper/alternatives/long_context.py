# A context length that is more than enough, and a dropout of the int 0.
def two_dimensional_wrapper(wrapper_class, batch):
    return wrapper_class(batch.shape[-1], 1, max(1024, batch.shape[-2]), 0, 2)
