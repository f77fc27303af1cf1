# %% [markdown]
# # The bottleneck of a recurrent network
#
# 35 minutes; three functions of a few lines, and one of four. You need to know what an RNN is.
#
# Before transformers, a sentence was translated by two recurrent networks. The *encoder* reads a token at a
# time and turns its hidden state $h_{t-1}$ and the token $x_t$ into $h_t$. The *decoder* gets $h_T$, the last
# state, and nothing else: however long the sentence, it has to fit into one vector. And what word 1 has
# to say to the last state must survive every step between them:
#
# $$ \frac{\partial h_T}{\partial x_1} = \frac{\partial h_T}{\partial h_{T-1}} \cdots
# \frac{\partial h_2}{\partial h_1} \cdot \frac{\partial h_1}{\partial x_1} $$
#
# A worked number: for $T = 100$ there are 99 steps. If each of them multiplies by 0.9, then
# $0.9^{99} = 0.00003$ is left of the gradient; if each multiplies by 1.1, it grows to $1.1^{99} = 12528$.
# Gradients vanish **or explode**.
#
# **Attention** keeps all $T$ states and lets each step look at every one of them directly. A look gives each
# state a score, turns its scores into weights that are positive and sum to 1, and adds the states up, each
# times its weight. Nothing has to be squeezed into one vector, and every path has one step. The price is a
# table of scores, one for each pair. And without recurrence no position waits for another one: all positions
# of a text that is known are computed in one pass.
#
# New here: how to ask for the gradient of an *input*, and leave no trace of having asked. Steps are counted
# between hidden states; the lecture counts the step that reads word 1 too, and says 100 where we say 99.
#
# (*The lecture* is a course module on attention, and *the book* of later exercises is chapter 3 of Sebastian
# Raschka's *Build a Large Language Model (From Scratch)*. Nobody needs either.)

# %%
import torch


# %%
def longest_path(mechanism, tokens):
    """How many steps lie between the hidden state of the first token and that of the last one.

    In an RNN each step leads from one state to the next. With attention the last token looks at the first
    one directly. With a single token, first and last are the same state: 0 steps for both.

    Shapes: mechanism "rnn" or "attention", tokens an int >= 1 -> an int
    Example:
        >>> longest_path("rnn", 2), longest_path("rnn", 100), longest_path("attention", 100)
        (1, 99, 1)

    Errors: longest_path raises ValueError for any other mechanism
    """
    raise NotImplementedError("longest_path: return the steps between the first and the last hidden state")


# %%
def decoder_memory(mechanism, tokens, hidden_size):
    """How many numbers of the encoder a decoder can consult.

    Without attention ("rnn") that is the last hidden state. With attention it is the hidden states of all
    tokens. A hidden state has hidden_size numbers.

    Shapes: mechanism "rnn" or "attention", tokens and hidden_size ints >= 1 -> an int
    Example:
        >>> decoder_memory("rnn", 10, 256), decoder_memory("attention", 10, 256)
        (256, 2560)

    Errors: decoder_memory raises ValueError for any other mechanism
    """
    raise NotImplementedError("decoder_memory: return how many numbers the decoder can look at")


# %%
def score_entries(tokens):
    """How many attention scores are computed when every token of a sentence looks at every token.

    A token looks at itself too, and its score with another one is not the other one's score with it, so
    both are computed.

    Shapes: tokens an int >= 1 -> an int
    Example:
        >>> score_entries(3)
        9

    Errors: none to raise
    """
    raise NotImplementedError("score_entries: return the number of entries in the table of scores")


# %%
def input_gradient_norms(rnn, x):
    """How much the last hidden state still hears of each token: one gradient norm a token.

    Differentiate the sum of all numbers of the last hidden state with respect to x. Each token of x gets a
    vector of gradients; its 2-norm, the root of the sum of squares, is what is asked for.

    The call leaves no trace. The parameters of rnn keep the .grad that they had and go on asking for
    gradients, and the module stays in its mode. x is the same as before, without a .grad and without asking
    for gradients. The norms have the dtype of x.

    Shapes:
        rnn: an nn.RNN of one layer with batch_first=True, or a module that is called in the same way:
            rnn(x) returns a pair, and first in it are the hidden states (batch, tokens, hidden_size)
        x: (batch, tokens, d), without gradients
        returns the norms (batch, tokens)
    Steps:
        1. a tensor with the numbers of x that asks for gradients, and is not x
        2. the hidden state of the last token of every sentence
        3. torch.autograd.grad(number, tensor): it returns a tuple of gradients, and stores none
        4. the 2-norm over the d features of each token
    Example:
        >>> rnn = torch.nn.RNN(1, 1, nonlinearity="relu", bias=False, batch_first=True)
        >>> weights = {"weight_ih_l0": torch.ones(1, 1), "weight_hh_l0": torch.full((1, 1), 0.5)}
        >>> _ = rnn.load_state_dict(weights)
        >>> input_gradient_norms(rnn, torch.ones(1, 4, 1))
        tensor([[0.1250, 0.2500, 0.5000, 1.0000]])

    Errors: none to raise
    """
    raise NotImplementedError("input_gradient_norms: return the norm of the gradient that reaches each token from the last state")
