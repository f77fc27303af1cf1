"""Notebooks of every age and state of repair."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from softmarks.submission.notebooks import MAX_CELLS, in_cells
from softmarks.submission.reading import MAX_NOTEBOOK, Source, read_source

from .made import MASK, code, notebook, prose


def read(data: bytes, *answers: str) -> Source:
    return read_source(data, "causal_mask.ipynb", "causal_mask", answers or ("causal_mask",))


def bodies(source: Source) -> list[str]:
    return [cell.partition("\n")[2] for cell in source.cells]


def test_code_cells_are_taken_in_document_order() -> None:
    """Each code cell is headed by its number in the document; the text is their join."""
    source = read(notebook(prose("# Title"), code("a = 1\n"), code(["b = 2\n", "c = 3"]), code("")))
    assert source.cells == ("# cell 2\na = 1", "# cell 3\nb = 2\nc = 3")
    assert source.text == "# cell 2\na = 1\n\n# cell 3\nb = 2\nc = 3"
    assert source.repairs == ()


def test_a_byte_order_mark_and_utf16_are_read() -> None:
    """A notebook saved by Notepad is a notebook."""
    plain = notebook(code("a = 'é'"))
    for data in (b"\xef\xbb\xbf" + plain, plain.decode().encode("utf-16")):
        source = read(data)
        assert bodies(source) == ["a = 'é'"]
        assert source.repairs[0].startswith("read as UTF-")


def test_format_3_is_read() -> None:
    """Worksheets and `input` of an old notebook are cells and source."""
    sheet = {
        "cells": [{"cell_type": "code", "input": ["a = 1\n"], "language": "python"}, {"cell_type": "heading"}]
    }
    old = json.dumps({"nbformat": 3, "worksheets": [sheet, {}, 5, {"cells": [code("b = 2")]}]}).encode()
    assert read(old).cells == ("# cell 1\na = 1", "# cell 3\nb = 2")


def test_missing_parts_do_not_matter() -> None:
    """No metadata, no ids, duplicate ids, no cell type, strange cells: the code is found."""
    bare = {"source": "b = 2", "outputs": []}
    source = read(
        json.dumps(
            {"cells": [code("a = 1", id="x"), bare, 7, None, code("c = 3", id="x"), {"source": "no code"}]}
        ).encode()
    )
    assert bodies(source) == ["a = 1", "b = 2", "c = 3"]


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({}, False),
        ({"kernelspec": {"name": "my-env", "display_name": "?"}}, False),
        ({"kernelspec": {"language": "python"}}, False),
        ({"language_info": {"name": "ipython"}}, False),
        ({"kernelspec": {"name": "ir", "language": "R"}}, True),
        ({"language_info": {"name": "julia"}}, True),
        ({"kernelspec": 5, "language_info": []}, False),
    ],
)
def test_another_language_is_said(metadata: dict[str, object], said: bool) -> None:
    """An unknown kernel is nothing to speak of; another language is."""
    source = read(notebook(code("a = 1"), metadata=metadata))
    assert bodies(source) == ["a = 1"]
    assert any("written in" in repair for repair in source.repairs) is said


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (notebook(code("a = 1"))[:-12], "cut off or damaged"),
        (b'{\n "cells": [\n  {"a": }]}', "line 3 column 9"),
        (b"", "empty (0 bytes)"),
        (b"  \n", "the notebook is empty"),
        (b"[1, 2]", "not a notebook"),
        (b'{"a": 1}', "no cells"),
        (b'{"cells": {}}', "no cells"),
        (b"[" * 100_000, "damaged"),
        (notebook({"cell_type": "code", "source": [["a = 1"]]}, 5), "none of its cells holds text"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "damaged"),
        (b"def f(): pass", "damaged"),
        (b"x" * (MAX_NOTEBOOK + 1), "larger than 16 MiB"),
        (notebook(*[code("a")] * (MAX_CELLS + 1)), "more than 2000 cells"),
        (notebook(code("#" * (4 * 2**20 + 1))), "more than 4 MiB of code"),
    ],
)
def test_a_broken_notebook_is_unreadable_with_a_reason(data: bytes, why: str) -> None:
    """Truncated, empty, something else, too large: ungradable, and why."""
    source = read(data)
    assert why in source.unreadable
    assert source.text == ""


def test_a_large_notebook_with_pictures_is_read() -> None:
    """Outputs may be far larger than a Python file may."""
    picture = {"output_type": "display_data", "data": {"image/png": "A" * (5 * 2**20)}}
    assert bodies(read(notebook(code("a = 1", outputs=[picture])))) == ["a = 1"]


def test_line_commands_are_dropped_and_listed_once() -> None:
    """Magics, shell commands, help and their assignments become `pass`, and each is listed once."""
    source = read(
        notebook(
            code("%matplotlib inline\n!pip install \\\n   torch\nimport os"),
            code("%matplotlib inline\nfiles = !ls *.py\nt = %time os.getcwd()\n?os\nos.path??\nx = 1"),
            code("if True:\n    !echo 'it\"s\n    y = 2\nfor i in range(3):\n    %time z = i"),
        )
    )
    names: dict[str, object] = {}
    for cell in source.cells:
        exec(compile(cell, "cell", "exec"), names)
    assert (names["x"], names["y"]) == (1, 2)
    assert {"os", "i"} <= names.keys()
    (repair,) = source.repairs
    assert repair.startswith(
        "dropped 8 notebook commands: %matplotlib inline, !pip install \\, files = !ls *.py"
    )
    assert repair.count("%matplotlib") == 1


def test_our_own_commands_are_nothing_to_speak_of() -> None:
    """`%check` and the like are no repair, alone in a cell no repetition, and leave others as they are."""
    ours = ["%load_ext softmarks", "%check causal_mask;", "%check", "hint causal_mask", "%show x a/b-c.png"]
    cells = [code(text) for text in ours for _ in range(2)]
    source = read(notebook(*cells, code("%load_ext other\na = 1\n%check\nif a:\n    %hint causal_mask")))
    assert bodies(source) == ["pass\na = 1\npass\nif a:\n    pass"]
    assert source.repairs == ("dropped 1 notebook command: %load_ext other",)
    assert "left out cell 1" in read(notebook(code("check = (3"))).repairs[0]


def test_cells_that_check_the_others_are_left_out() -> None:
    """The locked cells of a notebook are not the student's, but a call in the student's own cell is."""
    locked = 'try:\n    import it\nexcept ImportError:\n    print(1)\nelse:\n    assert_checked("a", "b")'
    own = 'def causal_mask():\n    return 1\nassert_checked("a", "b")'
    source = read(notebook(code(locked), code(own), code('x = 1\nassert_checked("a", "b")'), code(locked)))
    assert bodies(source) == [own, 'x = 1\nassert_checked("a", "b")']
    assert source.repairs == ()


def test_lines_are_told_by_their_cells() -> None:
    """A line of the whole program is a line of the cell where its author sees it."""
    cells = read(notebook(code("a = 1\nb = 2"), code("c = 3"))).cells
    places = [in_cells(f"x (your line {line}: y)", cells) for line in (2, 3, 6, 99)]
    assert places == [
        "x (line 1 of your cell 1: y)",
        "x (line 2 of your cell 1: y)",
        "x (line 1 of your cell 2: y)",
        "x (your line 99: y)",
    ]


def test_commands_keep_line_numbers() -> None:
    """What follows a dropped command stays on its line."""
    (cell,) = read(notebook(code("%load_ext a\n!pip \\\n x\ny = 1"))).cells
    assert cell.split("\n") == ["# cell 1", "pass", "pass", "", "y = 1"]


def test_python_that_looks_like_a_command_stays() -> None:
    """A modulo or an exclamation mark at the start of a line in brackets or a string is Python."""
    text = 'a = (7\n% 4)\nb = """\n!ls\n%time\nwhat?\n"""\nc = [1,  # really?\n  2]'
    source = read(notebook(code(text)))
    assert bodies(source) == [text]
    assert source.repairs == ()


@pytest.mark.parametrize("magic", ["%%time", "%%timeit -n 3", "%%capture out", "# note\n\n%%time\n%%capture"])
def test_cell_commands_that_run_their_body_keep_it(magic: str) -> None:
    """`%%time` goes, what it times stays."""
    source = read(notebook(code(f"{magic}\nx = 1\n!ls")))
    names: dict[str, object] = {}
    exec(source.text, names)
    assert names["x"] == 1
    assert source.repairs[0].startswith("dropped")


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%writefile a.py", "%%javascript", "%% time"])
def test_cell_commands_in_another_language_drop_the_cell(magic: str) -> None:
    """`%%bash` takes its cell with it, and is listed."""
    source = read(notebook(code(f"{magic}\nx = 1"), code("y = 2")))
    assert bodies(source) == ["y = 2"]
    assert source.repairs == (f"dropped 1 notebook command: {magic}",)


def test_a_cell_that_is_not_python_is_left_out_and_said() -> None:
    """One broken cell costs itself only."""
    source = read(notebook(code(MASK), code("x = 1\ny = (2"), code("z = 3")))
    assert bodies(source) == [MASK.rstrip(), "z = 3"]
    assert source.repairs == ("left out cell 2, which is not Python: '(' was never closed, line 2",)


def test_many_broken_cells_are_counted() -> None:
    """The list of what was left out stays readable."""
    source = read(notebook(*[code(f"def {n}") for n in range(30)]))
    assert len(source.repairs) == 7
    assert "left out 25 more cells that are not Python" in source.repairs


def test_a_cell_indented_as_a_whole_is_python() -> None:
    """Jupyter runs a pasted block with its margin, so it counts."""
    assert bodies(read(notebook(code("    x = 1\n    if x:\n        y = 2")))) == ["x = 1\nif x:\n    y = 2"]


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_a_solution_turned_into_text_is_taken(kind: str) -> None:
    """A definition asked for that only a text cell holds is taken, at its place, and said."""
    source = read(notebook(code("a = 1"), prose(MASK, kind), code("b = 2")))
    assert bodies(source) == ["a = 1", MASK.rstrip(), "b = 2"]
    assert source.repairs == ("took cell 2, a text cell, because it defines causal_mask",)


def test_code_fenced_in_markdown_is_taken_without_its_prose() -> None:
    """Only the fenced lines are Python."""
    source = read(notebook(prose(f"My answer:\n\n```python\n{MASK}```\nThanks!")))
    assert bodies(source) == [MASK.rstrip()]


def test_text_is_not_taken_when_code_defines_the_name() -> None:
    """The statement's own example does not replace the student's work."""
    for work in (MASK, "causal_mask = None", "from mine import causal_mask", "causal_mask: object = 1"):
        assert bodies(read(notebook(prose(f"```\n{MASK}```"), code(work)))) == [work.rstrip()]


def test_text_that_only_mentions_the_name_is_not_taken() -> None:
    """Prose stays prose, and a text cell that is not Python is said to be left out."""
    assert read(notebook(prose("Write causal_mask now"))).cells == ()
    source = read(notebook(prose("def causal_mask is what I wrote")))
    assert source.cells == ()
    assert "left out cell 1" in source.repairs[0]


def test_a_solution_under_writefile_is_taken() -> None:
    """A code cell switched off by a `%%` command is taken when nothing else defines the name."""
    source = read(notebook(code(f"%%writefile causal_mask.py\n{MASK}")))
    assert bodies(source) == [MASK.rstrip()]
    assert "switched off" in source.repairs[0]


def test_a_repeated_cell_is_said_and_kept() -> None:
    """A duplicate is harmless."""
    source = read(notebook(code("a = 1"), prose("-"), code("a = 1"), code("b = 2")))
    assert len(source.cells) == 3
    assert source.repairs == ("cell 3 repeats cell 1",)


def test_a_notebook_without_code_says_so() -> None:
    """Readable, but with nothing in it."""
    source = read(notebook(prose("hello")))
    assert (source.text, source.unreadable, source.repairs) == ("", "", ("the notebook has no code",))


def test_half_characters_and_nuls_do_not_reach_the_text() -> None:
    """The text can be stored, whatever JSON can spell."""
    source = read(notebook(code("a = '\ud800'\0\r\nb = 2")))
    assert bodies(source) == ["a = '?'\nb = 2"]


def test_lines_listed_without_line_ends_are_lines() -> None:
    """A tool that lists lines without their ends is understood."""
    assert bodies(read(notebook(code(["a = 1", "b = 2"])))) == ["a = 1\nb = 2"]


def test_a_hostile_cell_is_not_parsed_forever() -> None:
    """Thousands of commands, each found by another parse, end within the budget."""
    text = "".join(f"!{n}\nx = {n}\n" for n in range(4000))
    assert len(read(notebook(*[code(text)] * 3)).cells) == 3


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["%x", "a = !b", "def causal_mask(): 1"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "source", "cell_type", "metadata", "kernelspec", "language", "worksheets", "input"]
            ),
            inner,
        )
    ),
    max_leaves=6,
)


@settings(max_examples=50, deadline=None)
@given(
    cells=st.lists(
        JSON | st.fixed_dictionaries({"cell_type": st.sampled_from(["code", "raw"]), "source": JSON})
    ),
    whole=JSON,
)
def test_random_json_never_raises(cells: list[object], whole: object) -> None:
    """Any JSON gives a source or a reason, and every cell taken can be parsed."""
    for document in (whole, {"cells": cells}, {"cells": cells, "metadata": whole}):
        source = read(json.dumps(document).encode())
        source.text.encode()
        for cell in source.cells:
            compile(cell, "cell", "exec", 1024)
