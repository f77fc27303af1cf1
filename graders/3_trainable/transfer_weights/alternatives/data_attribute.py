# The old Parameters get a view of v2's memory through .data.
def transfer_weights(v2, v1):
    v1.W_query.data = v2.W_query.weight.data.t()
    v1.W_key.data = v2.W_key.weight.data.t()
    v1.W_value.data = v2.W_value.weight.data.t()
