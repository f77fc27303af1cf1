"""The ways in which sinusoidal encodings go wrong, as edits of the reference solution."""

from softmarks.course.rooms import Misconception, Trivial

# The lines of the reference that are edited.
WAVELENGTHS = "return 2 * math.pi * 10000.0 ** (twice_i / d_model)"
TWICE_I = "twice_i = torch.arange(0, d_model, 2)"
DROPOUT = "self.dropout = nn.Dropout(dropout)"
POSITION = "position = torch.arange(max_len).unsqueeze(1)"
EXPONENT = "exponent = torch.arange(0, d_model, 2) / d_model"
FREQUENCY = "frequency = torch.exp(-math.log(10000.0) * exponent)"
ANGLE = "angle = position * frequency"
ZEROS = "pe = torch.zeros(max_len, d_model)"
SINES = "pe[:, 0::2] = torch.sin(angle)"
COSINES = "pe[:, 1::2] = torch.cos(angle[:, : d_model // 2])"
BUFFER = 'self.register_buffer("pe", pe)'
SLICE = "encoding = self.pe[:num_tokens]"
SUM = "x = x + encoding"
RETURN = "return self.dropout(x)"

MISCONCEPTIONS = [
    # --- the table: which function goes where
    Misconception(
        id="sines_and_cosines_swapped",
        edits=(
            (SINES, "pe[:, 0::2] = torch.cos(angle)"),
            (COSINES, "pe[:, 1::2] = torch.sin(angle[:, : d_model // 2])"),
        ),
        says="Sines and cosines changed places: even dimensions are sines, so position 0 reads 0, 1, 0, 1.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        id="halves_instead_of_pairs",
        edits=(
            (SINES, "half = (d_model + 1) // 2\n        pe[:, :half] = torch.sin(angle)"),
            (COSINES, "pe[:, half:] = torch.cos(angle[:, : d_model // 2])"),
        ),
        says="All sines come first and all cosines after them; the formula takes turns, sine and cosine "
        "of one angle side by side.",
        hint="formula",
        keeps=(0.3, 0.55),
    ),
    Misconception(
        id="sines_everywhere",
        edits=((COSINES, "pe[:, 1::2] = torch.sin(angle[:, : d_model // 2])"),),
        says="Every dimension is a sine; with the cosine missing, a pair no longer tells the angle.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="cosines_with_a_frequency_of_their_own",
        edits=(
            (
                COSINES,
                "odd = torch.arange(1, d_model, 2) / d_model\n"
                "        pe[:, 1::2] = torch.cos(position * torch.exp(-math.log(10000.0) * odd))",
            ),
        ),
        says="The cosines use their own dimension, 2i + 1, in the exponent; both of a pair share 2i.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    # --- the table: frequencies
    Misconception(
        id="exponent_halved",
        edits=((EXPONENT, "exponent = torch.arange((d_model + 1) // 2) / d_model"),),
        says="The exponent is i / d_model instead of 2i / d_model: the pairs slow down only half as fast.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        id="exponent_doubled",
        edits=((EXPONENT, "exponent = 2 * torch.arange(0, d_model, 2) / d_model"),),
        says="The 2 of 2i / d_model is there twice: a range in steps of two already counts 2i.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        id="i_taken_for_the_dimension",
        edits=(
            (EXPONENT, "exponent = 2 * torch.arange(0, d_model, 2) / d_model"),
            (
                COSINES,
                "odd = 2 * torch.arange(1, d_model, 2) / d_model\n"
                "        pe[:, 1::2] = torch.cos(position * torch.exp(-math.log(10000.0) * odd))",
            ),
        ),
        says="The i of the formula was taken for the dimension; it counts pairs, and dimensions 2i and "
        "2i + 1 share one angle.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="minus_missing",
        edits=((FREQUENCY, "frequency = torch.exp(math.log(10000.0) * exponent)"),),
        says="The minus sign is missing in the exponent: the angles are multiplied by 10000^(2i/d_model) "
        "instead of divided by it, so high dimensions spin wildly.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="log10_for_the_natural_log",
        edits=((FREQUENCY, "frequency = torch.exp(-math.log10(10000.0) * exponent)"),),
        says="exp goes with the natural logarithm; with log10 the base is e^4, about 55, instead of 10000.",
        hint="line",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        id="base_1000",
        edits=((FREQUENCY, "frequency = torch.exp(-math.log(1000.0) * exponent)"),),
        says="The base is 1000 instead of 10000: the slowest pairs are too fast.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        id="low_dimensions_slow",
        edits=((ANGLE, "angle = position * frequency.flip(0)"),),
        says="The frequencies are in reverse order: the low dimensions should be the fast, fine ones.",
        hint="nudge",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="one_frequency_for_all",
        edits=((ANGLE, "angle = position * torch.ones_like(frequency)"),),
        says="Every pair turns at the same speed, so all pairs say the same; each needs its own frequency.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="last_wavelength_pinned",
        edits=((EXPONENT, "exponent = torch.linspace(0, 1, (d_model + 1) // 2)"),),
        says="The exponents run from 0 to 1 inclusive, a variant of some libraries; in the formula of this "
        "exercise they stop one step below 1.",
        hint="formula",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        id="angles_in_degrees",
        edits=((ANGLE, "angle = position * frequency * math.pi / 180"),),
        says="The angles were taken for degrees and converted; they are radians already.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    Misconception(
        id="turns_instead_of_radians",
        edits=((ANGLE, "angle = 2 * math.pi * position * frequency"),),
        says="The angles got an extra factor of 2 pi, so the first pair makes a whole turn a token and is "
        "the same at every position.",
        hint="formula",
        keeps=(0.35, 0.6),
    ),
    # --- the table: positions
    Misconception(
        id="positions_from_1",
        edits=((POSITION, "position = torch.arange(1, max_len + 1).unsqueeze(1)"),),
        says="Positions start at 1 instead of 0: every token gets the encoding of the next one.",
        hint="nudge",
        keeps=(0.4, 0.65),
    ),
    Misconception(
        id="bare_position_number",
        edits=(
            (SINES, "pe[:] = position"),
            (COSINES, "pass"),
        ),
        says="The number of the position itself is added; at position 50 that drowns every embedding. "
        "Sines and cosines stay between -1 and 1.",
        hint="nudge",
        keeps=(0.3, 0.55),
    ),
    # --- odd widths
    Misconception(
        id="odd_width_crashes",
        edits=((COSINES, "pe[:, 1::2] = torch.cos(angle)"),),
        says="With an odd d_model there is one cosine less than there are sines, and yours do not fit.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="odd_width_ends_in_zeros",
        edits=((SINES, "pe[:, 0 : d_model // 2 * 2 : 2] = torch.sin(angle[:, : d_model // 2])"),),
        says="With an odd d_model the last dimension stays 0; it is a sine whose cosine is missing.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="odd_width_rounded_up",
        edits=((EXPONENT, "exponent = torch.arange(0, d_model, 2) / (d_model + d_model % 2)"),),
        says="An odd width was rounded up in the exponent too; the formula divides by d_model itself.",
        hint="formula",
        keeps=(0.85, 0.99),
    ),
    # --- what the table is
    Misconception(
        id="table_is_a_parameter",
        edits=((BUFFER, "self.pe = nn.Parameter(pe)"),),
        says="The table is a Parameter, so training would change it; it is fixed, a buffer.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="table_is_a_plain_tensor",
        edits=((BUFFER, "self.pe = pe"),),
        says="The table is a plain tensor, which .to(device) leaves behind; it should be a buffer.",
        hint="line",
        keeps=(0.7, 0.95),
    ),
    Misconception(
        id="buffer_registered_in_forward",
        edits=(
            (BUFFER, "self.make_table = lambda: pe.clone()"),
            (SLICE, 'self.register_buffer("pe", self.make_table())\n        encoding = self.pe[:num_tokens]'),
        ),
        says="The buffer comes into being in the first forward pass: a new module does not have it yet, so "
        "a saved state does not fit, and .to() comes too early.",
        hint="line",
        keeps=(0.65, 0.9),
    ),
    Misconception(
        id="table_in_float64",
        edits=((BUFFER, 'self.register_buffer("pe", pe.double())'),),
        says="The table is float64 (numbers that come from NumPy are), so a float32 input becomes float64.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="table_of_a_fixed_size",
        edits=(
            (POSITION, "position = torch.arange(1000).unsqueeze(1)"),
            (ZEROS, "pe = torch.zeros(1000, d_model)"),
        ),
        says="The number of rows is fixed in the code; the table should have max_len of them.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="cuda_by_name",
        edits=((SLICE, 'encoding = self.pe[:num_tokens].to("cuda")'),),
        says="The device is written into the code; a buffer moves with the module by itself.",
        hint="line",
        keeps=(0.05, 0.25),
    ),
    # --- which rows are added
    Misconception(
        id="sliced_by_the_batch",
        edits=((SLICE, "encoding = self.pe[: x.shape[0]]"),),
        says="The table is cut to the number of sequences instead of tokens: x is (batch, tokens, d_model).",
        hint="line",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        id="tokens_first",
        edits=(
            (BUFFER, 'self.register_buffer("pe", pe.unsqueeze(1))'),
            (SLICE, "encoding = self.pe[: x.shape[0]]"),
        ),
        says="The code expects (tokens, batch, d_model), as an older tutorial has it: here every token of "
        "sequence b gets the encoding of position b.",
        hint="nudge",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        id="whole_table_added",
        edits=((SLICE, "encoding = self.pe"),),
        says="The whole table is added, so only inputs of exactly max_len tokens fit.",
        hint="line",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        id="features_sliced",
        edits=((SLICE, "encoding = self.pe[:, :num_tokens]"),),
        says="The cut goes through the features: in a table (max_len, d_model) the positions come first.",
        hint="line",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        id="one_row_for_all_tokens",
        edits=((SLICE, "encoding = self.pe[num_tokens - 1]"),),
        says="Every token gets the same row of the table; token p needs row p.",
        hint="line",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        id="wraps_around",
        edits=((SLICE, "encoding = self.pe[torch.arange(num_tokens, device=x.device) % len(self.pe)]"),),
        says="Beyond max_len the positions start again at 0, so far tokens look like the first ones; such an "
        "input is an error.",
        hint="nudge",
        keeps=(0.8, 0.99),
    ),
    # --- how they are added
    Misconception(
        id="multiplied",
        edits=((SUM, "x = x * encoding"),),
        says="The encoding is multiplied with the embedding; it is added.",
        hint="formula",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        id="input_forgotten",
        edits=((SUM, "x = encoding.expand(x.shape)"),),
        says="The output is the encoding alone; the embeddings are lost.",
        hint="nudge",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        id="concatenated",
        edits=((SUM, "x = torch.cat([x, encoding.expand(x.shape)], dim=-1)"),),
        says="The encoding is put behind the embedding, which doubles the width; it is added.",
        hint="nudge",
        keeps=(0.05, 0.25),
    ),
    Misconception(
        id="embedding_scaled",
        edits=((SUM, "x = x * math.sqrt(x.shape[-1]) + encoding"),),
        says="The embedding is multiplied by sqrt(d_model); the original paper does that elsewhere, and this "
        "class only adds.",
        hint="nudge",
        keeps=(0.1, 0.35),
    ),
    Misconception(
        id="added_in_place",
        edits=((SUM, "x += encoding"),),
        says="The encoding is added in place and changes the embeddings of whoever called.",
        hint="line",
        keeps=(0.75, 0.99),
    ),
    Misconception(
        id="gradients_cut",
        edits=((SUM, "x = x.detach() + encoding"),),
        says=(
            "No gradient reaches the embeddings, because detach or no_grad cuts it off. Nothing is trained "
            "in this class, but what comes before it is."
        ),
        hint="line",
        keeps=(0.8, 0.99),
    ),
    # --- dropout
    Misconception(
        id="dropout_forgotten",
        edits=((RETURN, "return x"),),
        says="The sum is returned without dropout.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="dropout_on_the_encoding",
        edits=(
            (SUM, "x = x + self.dropout(encoding)"),
            (RETURN, "return x"),
        ),
        says="Dropout acts on the encoding alone; it belongs to the sum.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="dropout_on_the_embedding",
        edits=(
            (SUM, "x = self.dropout(x) + encoding"),
            (RETURN, "return x"),
        ),
        says="Dropout acts on the embedding before the encoding is added; it belongs to the sum.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="dropout_always_on",
        edits=((RETURN, "return nn.functional.dropout(x, self.dropout.p)"),),
        says="Dropout stays on in eval mode: the function does not know the module's mode unless it is told.",
        hint="line",
        keeps=(0.75, 0.99),
    ),
    Misconception(
        id="dropout_rate_ignored",
        edits=((DROPOUT, "self.dropout = nn.Dropout(0.1)"),),
        says="The rate is fixed at 0.1, whatever `dropout` says.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="dropout_keeps_what_it_should_drop",
        edits=((DROPOUT, "self.dropout = nn.Dropout(1 - dropout)"),),
        says="`dropout` is the share that is dropped; yours is the share that is kept.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="whole_tokens_dropped",
        edits=((DROPOUT, "self.dropout = nn.Dropout1d(dropout)"),),
        says="Whole tokens are dropped; dropout falls on each entry by itself.",
        hint="line",
        keeps=(0.8, 0.99),
    ),
    # --- wavelengths
    Misconception(
        id="frequencies_for_wavelengths",
        edits=((WAVELENGTHS, "return 10000.0 ** (-twice_i / d_model)"),),
        says=(
            "wavelengths returns frequencies, radians a token; a wavelength is the number of tokens for 2 pi "
            "radians."
        ),
        hint="formula",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="two_pi_missing",
        edits=((WAVELENGTHS, "return 10000.0 ** (twice_i / d_model)"),),
        says=(
            "The wavelengths lack the factor 2 pi: after 10000^(2i/d_model) tokens a pair has turned by one "
            "radian."
        ),
        hint="formula",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="wavelength_exponent_halved",
        edits=((TWICE_I, "twice_i = torch.arange((d_model + 1) // 2)"),),
        says="The exponent of the wavelengths is i / d_model instead of 2i / d_model.",
        hint="formula",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="wavelength_exponent_doubled",
        edits=((TWICE_I, "twice_i = 2 * torch.arange(0, d_model, 2)"),),
        says="The exponent of the wavelengths has its 2 twice: a range in steps of two already counts 2i.",
        hint="formula",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="wavelengths_of_dimensions",
        edits=((TWICE_I, "twice_i = torch.arange(d_model) // 2 * 2"),),
        says="wavelengths returns one number for each dimension; the exercise asks for one a pair.",
        hint="nudge",
        keeps=(0.75, 0.95),
    ),
    Misconception(
        id="longest_wavelength_first",
        edits=((WAVELENGTHS, "return 2 * math.pi * 10000.0 ** (twice_i.flip(0) / d_model)"),),
        says="The longest wavelength comes first; the low dimensions are the fast ones, so theirs are short.",
        hint="nudge",
        keeps=(0.8, 0.99),
    ),
    Misconception(
        id="last_sine_not_counted",
        edits=((TWICE_I, "twice_i = torch.arange(0, d_model - 1, 2)"),),
        says="With an odd d_model the last sine is not counted; it has a wavelength without having a cosine.",
        hint="line",
        keeps=(0.75, 0.95),
    ),
]

TRIVIAL = [
    Trivial(id="the_input", edits=((SUM, "return x"), (WAVELENGTHS, "return torch.zeros(d_model)"))),
    Trivial(
        id="dropout_alone", edits=((SUM, "pass"), (WAVELENGTHS, "return torch.ones((d_model + 1) // 2)"))
    ),
    Trivial(
        id="zeros", edits=((SUM, "return 0 * x"), (WAVELENGTHS, "return torch.zeros((d_model + 1) // 2)"))
    ),
    Trivial(
        id="ones", edits=((SUM, "return torch.ones_like(x)"), (WAVELENGTHS, "return torch.ones(d_model)"))
    ),
    Trivial(id="one_more", edits=((SUM, "x = x + 1"), (WAVELENGTHS, "return twice_i"))),
    Trivial(id="none", edits=((SUM, "return"), (WAVELENGTHS, "return"))),
]
