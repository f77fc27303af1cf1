"""How people get rnn_bottleneck wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

RNN_PATH = "        return tokens - 1\n"
ATTENTION_PATH = "return min(1, tokens - 1)"
NO_PATH = 'raise ValueError(f"no path is known for {mechanism!r}")'
RNN_MEMORY = "        return hidden_size\n"
ATTENTION_MEMORY = "return tokens * hidden_size"
NO_MEMORY = 'raise ValueError(f"no memory is known for {mechanism!r}")'
ENTRIES = "return tokens**2"
LEAF = "leaf = x.detach().requires_grad_()  # the numbers of x, but another tensor"
STATES = "states, _ = rnn(leaf)  # (batch, tokens, hidden_size)"
LAST = "last = states[:, -1]  # (batch, hidden_size)"
GRADIENT = "(gradient,) = torch.autograd.grad(last.sum(), leaf)  # (batch, tokens, d)"
NORM = "return gradient.norm(dim=-1)"

MISCONCEPTIONS = (
    # longest_path
    Misconception(
        "reading_step_counted",
        ((RNN_PATH, "        return tokens\n"),),
        says=(
            "Your path in an RNN has one step too many. The lecture counts the step that reads the first "
            "word too; here steps are counted between the first hidden state and the last."
        ),
        hint="nudge",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "halfway",
        ((RNN_PATH, "        return tokens // 2\n"),),
        says=(
            "Your path in an RNN starts in the middle of the sentence. The longest one starts at the first "
            "token."
        ),
        hint="nudge",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "path_halved_at_each_step",
        ((RNN_PATH, "        return (tokens - 1).bit_length()\n"),),
        says=(
            "Your path in an RNN grows like a logarithm, as in a tree. An RNN is a chain: each step "
            "passes from one token to the next."
        ),
        hint="nudge",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "attention_goes_token_by_token",
        ((ATTENTION_PATH, "return tokens - 1"),),
        says=(
            "With attention your path grows with the sentence. The last token looks at the first one "
            "directly."
        ),
        hint="nudge",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "attention_takes_no_step",
        ((ATTENTION_PATH, "return 0"),),
        says="With attention your path has no step. Looking at the other token is one.",
        hint="nudge",
        keeps=(0.75, 0.9),
    ),
    Misconception(
        "paths_exchanged",
        ((RNN_PATH, "        return min(1, tokens - 1)\n"), (ATTENTION_PATH, "return tokens - 1")),
        says="Your paths of RNN and attention are exchanged: the recurrent one is long.",
        hint="nudge",
        keeps=(0.65, 0.85),
    ),
    Misconception(
        "one_step_to_oneself",
        ((ATTENTION_PATH, "return 1"),),
        says=(
            "With a single token your path has one step; first and last state are the same, so there is none."
        ),
        hint="nudge",
        keeps=(0.88, 0.97),
    ),
    Misconception(
        "any_path_is_attention",
        (
            ('    if mechanism == "attention":\n        ' + ATTENTION_PATH, "    " + ATTENTION_PATH),
            ("\n    " + NO_PATH, ""),
        ),
        says="Your longest_path takes every mechanism but the RNN for attention, misspelt ones too.",
        hint="line",
        keeps=(0.92, 0.99),
    ),
    Misconception(
        "path_of_nothing",
        ((NO_PATH, "return None"),),
        says=(
            "Your longest_path returns nothing for a mechanism that it does not know, instead of an error."
        ),
        hint="line",
        keeps=(0.92, 0.99),
    ),
    # decoder_memory
    Misconception(
        "hidden_state_grows",
        ((RNN_MEMORY, "        return tokens * hidden_size\n"),),
        says=(
            "Without attention your decoder sees the states of all tokens. It is given the last one "
            "alone, and that has the same size for every sentence."
        ),
        hint="nudge",
        keeps=(0.8, 0.93),
    ),
    Misconception(
        "attention_keeps_one_state",
        ((ATTENTION_MEMORY, "return hidden_size"),),
        says=(
            "With attention your decoder sees one vector. A context vector has that size, but all the "
            "states that it is mixed from can be consulted."
        ),
        hint="nudge",
        keeps=(0.8, 0.93),
    ),
    Misconception(
        "vectors_counted",
        ((RNN_MEMORY, "        return 1\n"), (ATTENTION_MEMORY, "return tokens")),
        says="Your decoder_memory counts vectors. Count numbers: each vector has hidden_size of them.",
        hint="formula",
        keeps=(0.7, 0.85),
    ),
    Misconception(
        "sizes_added",
        ((ATTENTION_MEMORY, "return tokens + hidden_size"),),
        says="With attention your sizes are added. Each of the tokens has hidden_size numbers.",
        hint="formula",
        keeps=(0.8, 0.93),
    ),
    Misconception(
        "memories_exchanged",
        (
            (RNN_MEMORY, "        return tokens * hidden_size\n"),
            (ATTENTION_MEMORY, "return hidden_size"),
        ),
        says=(
            "Your memories of RNN and attention are exchanged: the one without attention is the small one."
        ),
        hint="nudge",
        keeps=(0.7, 0.85),
    ),
    Misconception(
        "any_memory_is_attention",
        (
            ('    if mechanism == "attention":\n        ' + ATTENTION_MEMORY, "    " + ATTENTION_MEMORY),
            ("\n    " + NO_MEMORY, ""),
        ),
        says="Your decoder_memory takes every mechanism but the RNN for attention, misspelt ones too.",
        hint="line",
        keeps=(0.92, 0.99),
    ),
    # score_entries
    Misconception(
        "one_score_a_token",
        ((ENTRIES, "return tokens"),),
        says="You count one score a token. Each token has a score with every token.",
        hint="nudge",
        keeps=(0.88, 0.97),
    ),
    Misconception(
        "half_of_the_scores",
        ((ENTRIES, "return tokens * (tokens + 1) // 2"),),
        says=(
            "You count half of the table and its diagonal. The score of one token with another is not the "
            "other's score with it: both are computed."
        ),
        hint="nudge",
        keeps=(0.88, 0.97),
    ),
    Misconception(
        "scores_with_others_only",
        ((ENTRIES, "return tokens * (tokens - 1)"),),
        says="You leave out the scores of the tokens with themselves.",
        hint="nudge",
        keeps=(0.88, 0.97),
    ),
    Misconception(
        "each_pair_once",
        ((ENTRIES, "return tokens * (tokens - 1) // 2"),),
        says=(
            "You count each pair once, and no token with itself. Each pair has two scores, and a token looks "
            "at itself too."
        ),
        hint="nudge",
        keeps=(0.88, 0.97),
    ),
    # input_gradient_norms: which gradient
    Misconception(
        "all_states_summed",
        ((LAST, "last = states"),),
        says=(
            "You differentiate the sum of all hidden states, so every token is near to one of them. "
            "Differentiate the last one alone."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "first_state",
        ((LAST, "last = states[:, 0]"),),
        says="You differentiate the hidden state of the first token, which no later token reaches.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "last_sentence",
        ((LAST, "last = states[-1]"),),
        says=(
            "You take the last sentence of the batch, not the last token of every sentence: the batch is "
            "the first dimension."
        ),
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "last_number_of_every_state",
        ((LAST, "last = states[..., -1]"),),
        says="You take the last number of every hidden state, not every number of the last one.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "mean_of_the_state",
        ((GRADIENT, "(gradient,) = torch.autograd.grad(last.mean(), leaf)"),),
        says="You differentiate the mean of the last state. Take its sum: the mean makes all norms smaller.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "mean_over_the_batch",
        ((GRADIENT, "(gradient,) = torch.autograd.grad(last.sum(dim=-1).mean(), leaf)"),),
        says=(
            "You average over the batch, so the norms shrink with its size. Take the sum: the sentences of a "
            "batch do not touch each other."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "squares_of_the_state",
        ((GRADIENT, "(gradient,) = torch.autograd.grad(last.square().sum(), leaf)"),),
        says="You differentiate the sum of the squares of the last state. Take its plain sum.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    # input_gradient_norms: which norm
    Misconception(
        "norm_over_the_tokens",
        ((NORM, "return gradient.norm(dim=1)"),),
        says=(
            "Your norms run over the tokens and leave one number a feature. Let them run over the features."
        ),
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "one_norm_for_everything",
        ((NORM, "return gradient.norm()"),),
        says="You return one norm for the whole gradient. Each token has a norm of its own.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "batch_in_the_norm",
        ((NORM, "return gradient.norm(dim=(0, 2))"),),
        says="Your norms run over the batch too, and mix the sentences. Keep one row a sentence.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "sum_of_absolute_values",
        ((NORM, "return gradient.abs().sum(dim=-1)"),),
        says="You sum absolute values. The 2-norm is the root of the sum of squares.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "root_forgotten",
        ((NORM, "return gradient.square().sum(dim=-1)"),),
        says="You sum the squares and do not take the root.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "largest_entry",
        ((NORM, "return gradient.abs().amax(dim=-1)"),),
        says="You take the largest entry of each token's gradient. The 2-norm counts all of them.",
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "plain_sum_of_the_gradient",
        ((NORM, "return gradient.sum(dim=-1)"),),
        says=(
            "You sum the gradient of each token, and entries of both signs cancel. A norm takes their "
            "squares."
        ),
        hint="formula",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "ordered_by_distance",
        ((NORM, "return gradient.norm(dim=-1).flip(dims=(1,))"),),
        says="Your norms are in the reverse order, by distance from the end. Token 0 comes first.",
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "norm_of_the_states",
        ((NORM, "return states.detach().norm(dim=-1)"),),
        says=(
            "You return the norms of the hidden states. Return those of the gradient with respect to the "
            "tokens."
        ),
        hint="nudge",
        keeps=(0.45, 0.65),
    ),
    # input_gradient_norms: traces
    Misconception(
        "backward_fills_the_parameters",
        ((GRADIENT, "last.sum().backward()\n    gradient = leaf.grad"),),
        says=(
            "Your call of backward adds to the .grad of every parameter, and the next training step would "
            "use it. torch.autograd.grad returns gradients without storing any."
        ),
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "gradients_wiped",
        ((GRADIENT, "last.sum().backward()\n    gradient = leaf.grad\n    rnn.zero_grad()"),),
        says=(
            "You wipe the .grad of the parameters afterwards, and with it what the caller had collected "
            "there before the call."
        ),
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "parameters_frozen",
        ((STATES, "rnn.requires_grad_(False)\n    " + STATES),),
        says="You freeze the parameters and leave them frozen: the module can no longer be trained.",
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "left_in_eval_mode",
        ((STATES, "rnn.eval()\n    " + STATES),),
        says=(
            "You put the module into eval mode and leave it there. This gradient does not need another mode."
        ),
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "x_itself_asks_for_gradients",
        ((LEAF, "leaf = x.requires_grad_()"),),
        says=(
            "You make x itself ask for gradients. It belongs to the caller: let a new tensor with the same "
            "numbers ask instead."
        ),
        hint="line",
        keeps=(0.9, 0.97),
    ),
    Misconception(
        "nothing_asks_for_gradients",
        ((LEAF, "leaf = x.detach()"),),
        says=(
            "No tensor asks for the gradient of the input, so torch has not recorded how the state "
            "depends on it."
        ),
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "run_without_gradients",
        ((STATES, "with torch.no_grad():\n        states, _ = rnn(leaf)"),),
        says=(
            "You run the module under no_grad to spare its parameters, and so nothing is recorded at all."
            " Spare them by asking for the gradient of the input alone."
        ),
        hint="line",
        keeps=(0.45, 0.65),
    ),
    Misconception(
        "norms_in_float32",
        ((NORM, "return gradient.float().norm(dim=-1)"),),
        says="Your norms are float32 whatever the dtype of x is.",
        hint="line",
        keeps=(0.88, 0.97),
    ),
)

TRIVIAL = (
    Trivial(
        "ones",
        (
            (RNN_PATH, "        return 1\n"),
            (ATTENTION_PATH, "return 1"),
            (RNN_MEMORY, "        return 1\n"),
            (ATTENTION_MEMORY, "return 1"),
            (ENTRIES, "return 1"),
            (NORM, "return torch.ones_like(x[..., 0])"),
        ),
    ),
    Trivial(
        "zeros",
        (
            (RNN_PATH, "        return 0\n"),
            (ATTENTION_PATH, "return 0"),
            (RNN_MEMORY, "        return 0\n"),
            (ATTENTION_MEMORY, "return 0"),
            (ENTRIES, "return 0"),
            (NORM, "return torch.zeros_like(x[..., 0])"),
        ),
    ),
    Trivial(
        "what_was_given",
        (
            (RNN_PATH, "        return tokens\n"),
            (ATTENTION_PATH, "return tokens"),
            (RNN_MEMORY, "        return hidden_size\n"),
            (ATTENTION_MEMORY, "return hidden_size"),
            (ENTRIES, "return tokens"),
            (NORM, "return x.norm(dim=-1)"),
        ),
    ),
    Trivial(
        "nothing",
        (
            (RNN_PATH, "        return None\n"),
            (ATTENTION_PATH, "return None"),
            (RNN_MEMORY, "        return None\n"),
            (ATTENTION_MEMORY, "return None"),
            (ENTRIES, "return None"),
            (NORM, "return None"),
        ),
    ),
)
