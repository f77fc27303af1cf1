"""How people get AdditiveAttention wrong: small edits of the reference, one idea each."""

from softmarks.course.rooms import Misconception, Trivial

S_LAYER = "self.W_s = nn.Linear(d_decoder, d_attention, bias=False)"
H_LAYER = "self.W_h = nn.Linear(d_encoder, d_attention, bias=False)"
V_LAYER = "self.v = nn.Linear(d_attention, 1, bias=False)"
FORWARD = "def forward(self, decoder_state, encoder_states, mask=None):"
ASKED = "asked = self.W_s(decoder_state)"
OFFERED = "offered = self.W_h(encoder_states)"
HIDDEN = "hidden = torch.tanh(asked.unsqueeze(1) + offered)"
SCORES = "scores = self.v(hidden).squeeze(-1)"
NO_MASK = "if mask is None:"
MASKED = "masked = scores.masked_fill(mask, torch.finfo(scores.dtype).min)"
SHARES = "shares = torch.softmax(masked, dim=-1)"
WEIGHTS = "weights = shares.masked_fill(mask, 0.0)"
CONTEXT = "context = (weights.unsqueeze(-1) * encoder_states).sum(dim=1)"
PAIR = "return context, weights"

MISCONCEPTIONS = (
    # the score
    Misconception(
        "relu_for_tanh",
        ((HIDDEN, "hidden = torch.relu(asked.unsqueeze(1) + offered)"),),
        says="Your sum goes through relu. In additive attention it goes through tanh.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "sigmoid_for_tanh",
        ((HIDDEN, "hidden = torch.sigmoid(asked.unsqueeze(1) + offered)"),),
        says="Your sum goes through a sigmoid. In additive attention it goes through tanh.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "tanh_missing",
        ((HIDDEN, "hidden = asked.unsqueeze(1) + offered"),),
        says=(
            "There is no tanh in your scores. Without it the decoder state adds the same number to all of "
            "them, which leaves the weights as they are."
        ),
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "tanh_of_each_part",
        ((HIDDEN, "hidden = torch.tanh(asked).unsqueeze(1) + torch.tanh(offered)"),),
        says="You take tanh of each part and add the results. Add first, then take tanh of the sum.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "tanh_after_v",
        (
            (HIDDEN, "hidden = asked.unsqueeze(1) + offered"),
            (SCORES, "scores = torch.tanh(self.v(hidden)).squeeze(-1)"),
        ),
        says=(
            "In your code tanh comes after v, so large scores all become nearly 1 or -1. It belongs between "
            "the sum and v."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "multiplied_not_added",
        ((HIDDEN, "hidden = torch.tanh(asked.unsqueeze(1) * offered)"),),
        says="You multiply the two projections. In additive attention they are added.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "subtracted_not_added",
        ((HIDDEN, "hidden = torch.tanh(asked.unsqueeze(1) - offered)"),),
        says="You subtract one projection from the other. In additive attention they are added.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "dot_product_score",
        ((SCORES, "scores = (asked.unsqueeze(1) * offered).sum(dim=-1)"),),
        says="Your score is a dot product of the two projections. Here v makes it from tanh of their sum.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "scores_scaled",
        ((SCORES, SCORES + " / hidden.shape[-1] ** 0.5"),),
        says=(
            "Your scores are divided by a root. That belongs to dot products; additive scores are not scaled."
        ),
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "v_left_out",
        ((SCORES, "scores = hidden.sum(dim=-1)"),),
        says="Your score is the plain sum of the entries of tanh. Here v weighs them.",
        hint="formula",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "decoder_state_left_out",
        ((HIDDEN, "hidden = torch.tanh(offered)"),),
        says=(
            "The decoder state is not part of your score: whatever was written so far, the weights are the "
            "same."
        ),
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    Misconception(
        "encoder_states_left_out",
        ((HIDDEN, "hidden = torch.tanh(asked.unsqueeze(1) + 0 * offered)"),),
        says="The encoder states are not part of your score, so all of them get the same weight.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    # where the decoder state goes
    Misconception(
        "decoder_state_not_broadcast",
        ((HIDDEN, "hidden = torch.tanh(asked + offered)"),),
        says=(
            "You add the projected decoder states (batch, d_attention) to (batch, tokens, d_attention) as "
            "they are: the batch meets the tokens. Give them a dimension of 1 for the tokens."
        ),
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "decoder_state_broadcast_where_it_must",
        (
            (
                HIDDEN,
                "fits = len(asked) == encoder_states.shape[1]\n"
                "        hidden = torch.tanh((asked if fits else asked.unsqueeze(1)) + offered)",
            ),
        ),
        says=(
            "If there are as many sentences as tokens, token j of every sentence gets the decoder state of "
            "sentence j. The state of a sentence belongs to all its tokens."
        ),
        hint="line",
        keeps=(0.2, 0.4),
    ),
    Misconception(
        "first_decoder_state_for_all",
        ((HIDDEN, "hidden = torch.tanh(asked[:1].unsqueeze(1) + offered)"),),
        says=(
            "In your code the decoder state of the first sentence serves the whole batch. Each sentence has "
            "its own."
        ),
        hint="nudge",
        keeps=(0.15, 0.35),
    ),
    # the softmax
    Misconception(
        "softmax_missing",
        ((SHARES, "shares = masked"),),
        says="Your weights are the scores. The softmax, which makes them sum to 1, is missing.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "softmax_over_the_batch",
        ((SHARES, "shares = torch.softmax(masked, dim=0)"),),
        says=(
            "Your softmax runs over the batch, so the sentences share one sum. Let it run over the encoder "
            "positions of each sentence."
        ),
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "softmax_over_an_axis_of_one",
        ((SHARES, "shares = torch.softmax(masked.unsqueeze(-1), dim=-1).squeeze(-1)"),),
        says="Your softmax runs over the dimension of size 1 that v leaves, so every weight is 1.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "best_state_alone",
        ((SHARES, "shares = torch.zeros_like(masked).scatter(-1, masked.argmax(-1, keepdim=True), 1.0)"),),
        says=(
            "Your code gives all the weight to the encoder state with the largest score. The softmax gives "
            "some to each."
        ),
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        "sigmoid_for_softmax",
        ((SHARES, "shares = torch.sigmoid(masked)"),),
        says="Each score goes through a sigmoid of its own, so the weights do not sum to 1.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    # the context
    Misconception(
        "unweighted_sum",
        ((CONTEXT, "context = encoder_states.sum(dim=1)"),),
        says="You add up the encoder states without their weights.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        "mean_of_the_states",
        ((CONTEXT, "context = encoder_states.mean(dim=1)"),),
        says="Your context is the plain mean of the encoder states; the weights are not used.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        "last_state_alone",
        ((CONTEXT, "context = encoder_states[:, -1]"),),
        says=(
            "Your context is the last encoder state alone: that is the bottleneck of the decoder without "
            "attention."
        ),
        hint="nudge",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        "largest_entries",
        ((CONTEXT, "context = (weights.unsqueeze(-1) * encoder_states).amax(dim=1)"),),
        says="You take the largest of the weighted states, entry by entry. They are to be summed.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        "weighted_mean",
        ((CONTEXT, "context = (weights.unsqueeze(-1) * encoder_states).mean(dim=1)"),),
        says="You average the weighted states. The weights sum to 1 already, so add the weighted states up.",
        hint="formula",
        keeps=(0.25, 0.5),
    ),
    Misconception(
        "projected_states_mixed",
        ((CONTEXT, "context = (weights.unsqueeze(-1) * offered).sum(dim=1)"),),
        says=(
            "You mix the projected states. The context is made of the encoder states themselves, of size "
            "d_encoder."
        ),
        hint="formula",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "context_for_each_token",
        ((CONTEXT, "context = weights.unsqueeze(-1) * encoder_states"),),
        says="You return the weighted states one by one. The context is their sum over the tokens.",
        hint="formula",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "summed_over_the_features",
        ((CONTEXT, "context = (weights.unsqueeze(-1) * encoder_states).sum(dim=-1)"),),
        says=(
            "Your sum runs over the features. Let it run over the tokens, so that d_encoder numbers are left."
        ),
        hint="line",
        keeps=(0.0, 0.15),
    ),
    # shapes and results
    Misconception(
        "everything_squeezed",
        ((SCORES, "scores = self.v(hidden).squeeze()"),),
        says=(
            "squeeze() without a dimension removes the batch too when it is one sentence (or the tokens "
            "when there is one). Name the dimension."
        ),
        hint="line",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "context_keeps_a_dimension",
        ((PAIR, "return context.unsqueeze(1), weights"),),
        says="Your context has a dimension of size 1 too many. It is to be (batch, d_encoder).",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "weights_keep_a_dimension",
        ((PAIR, "return context, weights.unsqueeze(-1)"),),
        says="Your weights keep the dimension of size 1 that v leaves. They are to be (batch, tokens).",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "only_the_context",
        ((PAIR, "return context"),),
        says="You return the context alone. A pair is asked for: the context, then the weights.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "weights_returned_first",
        ((PAIR, "return weights, context"),),
        says="You return the weights first. The pair is the context, then the weights.",
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "scores_returned_for_weights",
        ((PAIR, "return context, scores"),),
        says="The second part of your pair holds the scores. The weights are what the softmax makes of them.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    # the mask
    Misconception(
        "mask_ignored",
        ((NO_MASK, "if True:"),),
        says="Your mask changes nothing: it is not used, or the result of masked_fill is thrown away.",
        hint="line",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "mask_required",
        ((FORWARD, FORWARD.replace("mask=None", "mask")),),
        says=(
            "Your forward cannot be called without a mask. The default is to be None, and then nothing is "
            "blocked."
        ),
        hint="line",
        keeps=(0.0, 0.15),
    ),
    Misconception(
        "mask_reversed",
        ((NO_MASK, "if mask is not None:\n            mask = ~mask\n        else:"),),
        says="Your code turns a given mask round. Here True means blocked.",
        hint="nudge",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "fills_zero",
        ((MASKED, "masked = scores.masked_fill(mask, 0.0)"), (WEIGHTS, "weights = shares")),
        says="You set blocked scores to 0 (or multiply them by 0). exp(0) is 1, so padding still weighs.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "blocked_after_the_softmax_alone",
        ((MASKED, "masked = scores"),),
        says="You block positions after the softmax alone, so the weights that are left sum to less than 1.",
        hint="formula",
        keeps=(0.55, 0.75),
    ),
    Misconception(
        "context_of_unmasked_weights",
        ((CONTEXT, CONTEXT.replace("weights", "torch.softmax(scores, dim=-1)")),),
        says="The weights that you return are masked, but the context is made with others that are not.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        "blocked_sentences_are_uniform",
        ((WEIGHTS, "weights = shares"),),
        says=(
            "A sentence with nothing but blocked positions gets even weights. Put 0 on what is blocked after "
            "the softmax too."
        ),
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "blocked_sentences_are_nan",
        ((MASKED, "masked = scores.masked_fill(mask, -torch.inf)"), (WEIGHTS, "weights = shares")),
        says=(
            "A sentence with nothing but blocked positions gets nan: where all scores are minus infinity "
            "there is no softmax."
        ),
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        "nan_in_gradients",
        ((MASKED, "masked = scores + torch.zeros_like(scores).masked_fill(mask, -torch.inf)"),),
        says=(
            "Your zeros for a blocked sentence are put over nan. The values look right, but the nan comes "
            "back in the gradients."
        ),
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    # layers, learning, and what a call leaves behind
    Misconception(
        "layers_with_bias",
        ((S_LAYER, S_LAYER.replace(", bias=False", "")), (H_LAYER, H_LAYER.replace(", bias=False", ""))),
        says="Your layers have a bias: nn.Linear has one unless it is told otherwise. Here there is none.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "v_with_bias",
        ((V_LAYER, V_LAYER.replace(", bias=False", "")),),
        says=(
            "Your v has a bias. It adds the same number to all scores, which leaves the weights as they are: "
            "a parameter that never learns."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "sizes_swapped",
        (
            (S_LAYER, S_LAYER.replace("d_decoder", "d_encoder")),
            (H_LAYER, H_LAYER.replace("d_encoder", "d_decoder")),
        ),
        says=(
            "Your W_s is made for encoder states and W_h for decoder states. s is the decoder's, h the "
            "encoder's."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "layer_sizes_reversed",
        (
            (S_LAYER, "self.W_s = nn.Linear(d_attention, d_decoder, bias=False)"),
            (H_LAYER, "self.W_h = nn.Linear(d_attention, d_encoder, bias=False)"),
        ),
        says="The sizes of your layers are the wrong way round: nn.Linear takes the size of its input first.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "one_layer_for_both",
        (
            (S_LAYER, "self.W = nn.Linear(d_decoder + d_encoder, d_attention, bias=False)"),
            (H_LAYER, "pass"),
            (ASKED, "wide = decoder_state.unsqueeze(1).expand(-1, encoder_states.shape[1], -1)"),
            (OFFERED, "both = torch.cat([wide, encoder_states], dim=-1)"),
            (HIDDEN, "hidden = torch.tanh(self.W(both))"),
        ),
        says=(
            "In your code one layer takes both states joined. The function is the same, but two layers are "
            "asked for, W_s and W_h."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "v_is_a_plain_tensor",
        ((V_LAYER, "self.v = torch.ones(d_attention)"), (SCORES, "scores = hidden @ self.v")),
        says=(
            "Your v is a plain tensor: nothing trains, saves or moves it. Make it a layer, as W_s and W_h "
            "are."
        ),
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "layers_made_in_forward",
        (
            (S_LAYER, "self.sizes = d_decoder, d_encoder, d_attention"),
            (H_LAYER, "pass"),
            (V_LAYER, "pass"),
            (
                ASKED,
                "decoder, encoder, inner = self.sizes\n"
                "        asked = nn.Linear(decoder, inner, bias=False)(decoder_state)",
            ),
            (OFFERED, "offered = nn.Linear(encoder, inner, bias=False)(encoder_states)"),
            (SCORES, "scores = nn.Linear(inner, 1, bias=False)(hidden).squeeze(-1)"),
        ),
        says="Your layers are made anew in every call, with random weights that nothing can train or save.",
        hint="nudge",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        "weights_detached",
        ((SHARES, SHARES + ".detach()"),),
        says="Your weights (or scores) are cut off from the gradient, so the three layers never learn.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "softmax_in_float32",
        ((SHARES, "shares = torch.softmax(masked, dim=-1, dtype=torch.float32)"),),
        says=(
            "Your softmax is forced to float32. In a module of another number type the call then fails, or "
            "the weights have the wrong type."
        ),
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "made_on_the_cpu",
        (
            (
                MASKED,
                "lowest = torch.full(scores.shape, torch.finfo(scores.dtype).min, dtype=scores.dtype)\n"
                "        masked = torch.where(mask, lowest, scores)",
            ),
        ),
        says="You make a tensor on the CPU on the way, so the module stops when its input is on a GPU.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        "state_kept_between_calls",
        (
            (V_LAYER, V_LAYER + "\n        self.kept = ()"),
            (OFFERED, "self.kept = self.kept or (self.W_h(encoder_states),)\n        offered = self.kept[0]"),
        ),
        says=(
            "Your code uses the projected states of an earlier call again. A call depends on its own input "
            "alone."
        ),
        hint="nudge",
        keeps=(0.8, 0.99),
    ),
)

TRIVIAL = (
    Trivial("zeros", ((PAIR, "return torch.zeros_like(context), torch.zeros_like(weights)"),)),
    Trivial("uniform_weights", ((MASKED, "masked = torch.zeros_like(scores)"),)),
    Trivial("the_last_state", ((PAIR, "return encoder_states[:, -1], torch.zeros_like(weights)"),)),
    Trivial("the_input_itself", ((PAIR, "return decoder_state, encoder_states"),)),
    Trivial(
        "the_first_state",
        ((SHARES, "shares = torch.zeros_like(masked)\n        shares[:, 0] = 1.0"),),
    ),
    Trivial("nothing", ((PAIR, "return None"),)),
)
