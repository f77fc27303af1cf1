"""The ways in which a learned table goes wrong, as edits of the reference solution."""

from softmarks.course.rooms import Misconception, Trivial

TABLE = "self.pe = nn.Embedding(max_len, d_model)"
TOKENS = "num_tokens = x.shape[1]"
POSITIONS = "positions = torch.arange(num_tokens, device=x.device)"
ENCODING = "encoding = self.pe(positions)"
RETURN = "return x + encoding"

MISCONCEPTIONS = [
    # --- the table
    Misconception(
        id="fixed_random_table",
        edits=(
            (TABLE, 'self.register_buffer("pe", torch.randn(max_len, d_model))'),
            (ENCODING, "encoding = self.pe[positions]"),
        ),
        says="The table is a buffer of random numbers, which training leaves alone; it should be learned.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="plain_tensor",
        edits=(
            (TABLE, "self.pe = torch.randn(max_len, d_model, requires_grad=True)"),
            (ENCODING, "encoding = self.pe[positions]"),
        ),
        says="The table is a plain tensor: it asks for gradients, but no optimizer finds it, it is not "
        "saved, and .to(device) leaves it behind.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="bare_parameter",
        edits=(
            (TABLE, "self.pe = nn.Parameter(torch.randn(max_len, d_model))"),
            (ENCODING, "encoding = self.pe[positions]"),
        ),
        says="The table is a bare Parameter called pe. It can be trained, but pe is asked for as an "
        "nn.Embedding, so that its numbers are saved as pe.weight.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="another_name",
        edits=(
            (TABLE, "self.position_embedding = nn.Embedding(max_len, d_model)"),
            (ENCODING, "encoding = self.position_embedding(positions)"),
        ),
        says="The table has another name than pe, so a state that was saved with pe.weight does not fit.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="sizes_swapped",
        edits=((TABLE, "self.pe = nn.Embedding(d_model, max_len)"),),
        says="The sizes of the table are swapped: nn.Embedding wants the number of rows first, then "
        "their width.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="one_number_a_position",
        edits=((TABLE, "self.pe = nn.Embedding(max_len, 1)"),),
        says="There is one number a position, added to all features alike; a row has d_model numbers.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="fixed_number_of_rows",
        edits=((TABLE, "self.pe = nn.Embedding(512, d_model)"),),
        says="The table has 512 rows whatever max_len says.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="one_row_short",
        edits=((TABLE, "self.pe = nn.Embedding(max_len - 1, d_model)"),),
        says="The table is a row short: positions 0 … max_len - 1 are max_len positions.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="row_0_is_padding",
        edits=((TABLE, "self.pe = nn.Embedding(max_len, d_model, padding_idx=0)"),),
        says="padding_idx=0 keeps row 0 from being trained; here row 0 is the first position, not padding.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        id="frozen",
        edits=((TABLE, TABLE + "\n        self.pe.weight.requires_grad_(False)"),),
        says="The table does not ask for gradients, so it is never learned.",
        hint="nudge",
        keeps=(0.8, 0.95),
    ),
    Misconception(
        id="detached",
        edits=((ENCODING, "encoding = self.pe(positions).detach()"),),
        says="The rows are cut off from the table before they are added, so no gradient reaches it. "
        "no_grad and .data do that too.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        id="new_table_in_each_call",
        edits=((ENCODING, "encoding = nn.Embedding(self.pe.num_embeddings, x.shape[2])(positions)"),),
        says="forward makes a new table each time, so nothing that is learned survives.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="one_more_layer",
        edits=((TABLE, TABLE + "\n        self.norm = nn.LayerNorm(d_model, elementwise_affine=True)"),),
        says="The module has more to train than the table.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    # --- the positions
    Misconception(
        id="positions_from_1",
        edits=((ENCODING, "encoding = self.pe(positions + 1)"),),
        says="Positions start at 1: every token gets the row of the next one, and an input of max_len "
        "tokens finds no last row.",
        hint="nudge",
        keeps=(0.2, 0.45),
    ),
    Misconception(
        id="counted_from_the_end",
        edits=((ENCODING, "encoding = self.pe(positions.flip(0))"),),
        says="Positions are counted from the end, so the row of a token changes with the length of the "
        "input.",
        hint="nudge",
        keeps=(0.2, 0.45),
    ),
    Misconception(
        id="last_rows",
        edits=(
            (
                POSITIONS,
                "rows = self.pe.num_embeddings\n"
                "        positions = torch.arange(rows - num_tokens, rows, device=x.device)",
            ),
        ),
        says="The last rows of the table are taken instead of the first ones.",
        hint="nudge",
        keeps=(0.2, 0.45),
    ),
    Misconception(
        id="position_0_everywhere",
        edits=((ENCODING, "encoding = self.pe(torch.zeros_like(positions))"),),
        says="Every token gets row 0; token p needs row p.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="row_of_the_length",
        edits=((POSITIONS, "positions = torch.tensor(num_tokens - 1, device=x.device)"),),
        says="One row is looked up, that of the last position, and every token gets it; look up one row a "
        "token.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="random_positions",
        edits=((POSITIONS, "positions = torch.randperm(num_tokens, device=x.device)"),),
        says="The positions are random, other ones in each call.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="indexed_by_the_batch",
        edits=(
            (TOKENS, "num_tokens = x.shape[0]"),
            (ENCODING, "encoding = self.pe(positions).unsqueeze(1)"),
        ),
        says="Rows are chosen by the number of the sequence: every token of sequence b gets row b.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="indexed_by_the_batch_after_a_check",
        edits=(
            (
                TOKENS,
                "if x.shape[1] > self.pe.num_embeddings:\n"
                '            raise ValueError("too many tokens")\n'
                "        num_tokens = x.shape[0]",
            ),
            (ENCODING, "encoding = self.pe(positions).unsqueeze(1)"),
        ),
        says="An input that is too long is refused, but rows are chosen by the number of the sequence: every "
        "token of sequence b gets row b.",
        hint="line",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="positions_for_the_batch_size",
        edits=((TOKENS, "num_tokens = x.shape[0]"),),
        says="There are as many positions as sequences; x is (batch, tokens, d_model), and tokens are "
        "wanted.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="running_on_through_the_batch",
        edits=(
            (
                POSITIONS,
                "positions = torch.arange(x.shape[0] * num_tokens, device=x.device).view(x.shape[:2])",
            ),
        ),
        says="The positions run on from one sequence to the next; each sequence starts at 0 again.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="looked_up_by_value",
        edits=((POSITIONS, "positions = x.argmax(dim=-1)"),),
        says="Rows are looked up by what a token holds; they are chosen by where it stands.",
        hint="nudge",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="whole_table",
        edits=((ENCODING, "encoding = self.pe.weight"),),
        says="The whole table is added, so only inputs of exactly max_len tokens fit.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="all_positions_always",
        edits=((POSITIONS, "positions = torch.arange(self.pe.num_embeddings, device=x.device)"),),
        says="All rows are looked up however short the input is; take as many as it has tokens.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="table_not_called_with_integers",
        edits=((POSITIONS, "positions = torch.arange(num_tokens, device=x.device, dtype=x.dtype)"),),
        says="The positions are floats; rows are looked up by integers.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="clamped",
        edits=((ENCODING, "encoding = self.pe(positions.clamp(max=self.pe.num_embeddings - 1))"),),
        says="All positions beyond max_len get the last row without a word; such an input is an error.",
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="wraps_around",
        edits=((ENCODING, "encoding = self.pe(positions % self.pe.num_embeddings)"),),
        says="Beyond max_len the positions start again at 0 without a word; such an input is an error.",
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="input_cut_off",
        edits=((TOKENS, "x = x[:, : self.pe.num_embeddings]\n        num_tokens = x.shape[1]"),),
        says="Tokens beyond max_len are thrown away without a word; such an input is an error.",
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    # --- the device
    Misconception(
        id="positions_on_the_cpu",
        edits=((POSITIONS, "positions = torch.arange(num_tokens)"),),
        says="The positions are made on the CPU; on a GPU the table refuses them. Give arange the "
        "device of x.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="positions_as_plain_attribute",
        edits=(
            (TABLE, TABLE + "\n        self.positions = torch.arange(max_len)"),
            (POSITIONS, "positions = self.positions[:num_tokens]"),
        ),
        says="The positions are a plain tensor of the module, which .to(device) leaves behind; make them in "
        "forward, or register a buffer.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="cuda_by_name",
        edits=((POSITIONS, 'positions = torch.arange(num_tokens, device="cuda")'),),
        says="The device is written into the code; ask x where it is.",
        hint="line",
        keeps=(0.0, 0.1),
    ),
    # --- the sum
    Misconception(
        id="encoding_alone",
        edits=((RETURN, "return encoding.expand(x.shape)"),),
        says="The output is the encoding alone; the embeddings are lost.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="batch_forgotten",
        edits=((RETURN, "return encoding"),),
        says="The rows of the table are returned by themselves, without the embeddings and the batch.",
        hint="formula",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="multiplied",
        edits=((RETURN, "return x * encoding"),),
        says="The encoding is multiplied with the embedding; it is added.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="concatenated",
        edits=((RETURN, "return torch.cat([x, encoding.expand(x.shape)], dim=-1)"),),
        says="The encoding is put behind the embedding, which doubles the width; it is added.",
        hint="formula",
        keeps=(0.0, 0.1),
    ),
    Misconception(
        id="embedding_scaled",
        edits=((RETURN, "return x * x.shape[-1] ** 0.5 + encoding"),),
        says="The embedding is multiplied by sqrt(d_model); this class only adds.",
        hint="formula",
        keeps=(0.1, 0.3),
    ),
    Misconception(
        id="added_in_place",
        edits=((RETURN, "x += encoding\n        return x"),),
        says=(
            "The rows are added in place: they change the embeddings of whoever called, and a second call "
            "adds them once more."
        ),
        hint="line",
        keeps=(0.65, 0.85),
    ),
    Misconception(
        id="embeddings_detached",
        edits=((RETURN, "return x.detach() + encoding"),),
        says="No gradient reaches the embeddings x, which are trained too.",
        hint="line",
        keeps=(0.9, 0.99),
    ),
    Misconception(
        id="dropout_added",
        edits=((RETURN, "return nn.functional.dropout(x + encoding, 0.1, self.training)"),),
        says="Dropout acts on the sum in training, as in the sinusoidal class; this class has none.",
        hint="nudge",
        keeps=(0.85, 0.99),
    ),
    Misconception(
        id="cast_to_float32",
        edits=((RETURN, "return x + encoding.float()"),),
        says="The rows are turned into float32, so a bfloat16 module gives float32.",
        hint="line",
        keeps=(0.85, 0.99),
    ),
]

TRIVIAL = [
    Trivial(id="the_input", edits=((RETURN, "return x"),)),
    Trivial(id="zeros", edits=((RETURN, "return torch.zeros_like(x)"),)),
    Trivial(id="one_more", edits=((RETURN, "return x + 1"),)),
    Trivial(id="none", edits=((RETURN, "return"),)),
    Trivial(id="empty_class", edits=((TABLE, "pass"), (ENCODING, "encoding = 0"))),
]
