# A state dict for v1, made from the one of v2.
def transfer_weights(v2, v1):
    state = {key.removesuffix(".weight"): matrix.T for key, matrix in v2.state_dict().items()}
    v1.load_state_dict(state)
