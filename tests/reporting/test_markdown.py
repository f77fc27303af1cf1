"""The report in Markdown: it says what the page says, and nothing in it does anything."""

from __future__ import annotations

import html
import re

import mistune
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from softmarks.reporting.html import feedback_html
from softmarks.reporting.inert import inert
from softmarks.reporting.markdown import feedback_markdown, fenced, prose
from softmarks.verdict import Outcome

from .made import HOSTILE, a_course, make_check, make_exercise, make_message, make_verdict
from .test_html import POLICIES, Page, hostile_verdict, secret_verdict

GITHUB = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OTHER = mistune.create_markdown(
    escape=False, plugins=["url", "table", "strikethrough", "footnotes", "task_lists", "math", "def_list"]
)
INLINE = {"text", "text_special", "code_inline", "softbreak", "hardbreak", "strong_open", "strong_close"}
MARKUP = (
    "# head",
    "a\n===",
    "- item",
    "1. one",
    "2) two",
    "> quote",
    "* * *",
    "    indented",
    "[a](http://evil.example)",
    "![a](http://evil.example/x.png)",
    "[a]: http://evil.example",
    "http://evil.example www.evil.example someone@evil.example <http://evil.example>",
    "**bold** _it_ ~~gone~~ __init__ snake_case",
    "`code` ``more`` `",
    "`a``b`@x`",
    "```\nfence\n```",
    "~~~",
    "a|b\n-|-",
    "a|b\n|-|-|",
    "http://localhost/x",
    "&lt;b&gt; &#60;",
    "<!-- gone -->",
    "a\\",
    "\\`x`",
    "$x$ :smile: #1 @someone ",
    "[^1]: note",
    "- [ ] task",
    "<details>",
)


def tokens(source):
    """The blocks of a text, and every kind of token inside lines."""
    blocks = GITHUB.parse(source)
    inline = {child.type for block in blocks for child in block.children or ()}
    return [block.type for block in blocks], inline


def words(text):
    """What can be read in a text, however it is spaced and set."""
    return "".join(inert(text).replace("`", "").split())


def seen(source):
    """What a reader sees of a line."""
    return html.unescape(re.sub(r"<[^>]*>", "", GITHUB.render(source)))


def harmless(text):
    """Nothing in the report of somebody who wrote ``text`` everywhere is more than text or code."""
    source = feedback_markdown(hostile_verdict(text), policy="all")
    source.encode("utf-8")
    blocks, inline = tokens(source)
    assert blocks == tokens(feedback_markdown(hostile_verdict("calm"), policy="all"))[0]
    assert inline <= INLINE
    tags = set(re.findall(r"<(\w+)", OTHER(source)))
    assert tags <= {"h1", "h2", "h3", "p", "ul", "li", "strong", "em", "code", "pre", "hr", "br"} | {
        "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip


@pytest.mark.parametrize("text", [*HOSTILE, *MARKUP])
def test_nothing_that_is_written_does_anything(text):
    """No link, image, tag, heading, emphasis or list comes from a text, whatever field holds it."""
    harmless(text.replace("\n", " "))

    def noted(note):
        return tokens(feedback_markdown(make_verdict("x", make_exercise(note=note)), policy="all"))

    assert noted(text)[0] == noted("calm")[0]
    assert noted(text)[1] <= INLINE


@given(st.lists(st.sampled_from([*"`*_[]()<>#+-=.!|~$&:@\\\"'1aé\t \u00a0\u200d", *MARKUP]), min_size=1))
@settings(max_examples=80, deadline=None)
@example(["`a` `b`", "`", "@x"])
@example(["`a`", "|", "`b`"])
def test_no_mixture_does_anything_either(pieces):
    """Pieces of markup in any order stay text, and what was written can be read."""
    text = " ".join("".join(pieces).split("\n"))
    if text.strip():
        harmless(text)
        assert words(seen(prose(text))) == words(text)


def test_a_word_that_means_more_to_a_renderer_is_code():
    """Mentions, numbers of issues, formulas, emoji, commits, addresses; no ordinary word."""
    for word in ("@someone", "#1", "$x$", ":smile:", "0123abc", "http://localhost", "a@b", "evil.example"):
        assert prose(f"see {word} there") == f"see `{word}` there"
    assert prose("Read: 3.5 of d_out, e.g. (2, 7).") == "Read: 3.5 of d_out, e.g. (2, 7)."


@given(st.text(alphabet="`~ a\n", max_size=40))
@example("a\n```\nb")
@settings(max_examples=60, deadline=None)
def test_no_backquotes_end_a_block_of_code(text):
    """What was printed is one block of code, to its last line."""
    (block,) = GITHUB.parse(fenced(text))
    assert block.type == "fence"
    assert block.content.rstrip("\n") == text.rstrip("\n")


def test_a_report_says_everything(verdict):
    """Totals, points, repairs, notes, messages, checks, outcomes of learning, confinement."""
    source = feedback_markdown(verdict, policy="all", course=a_course())
    for part in (
        "# Ada Lovelace\n\nattention, version 1.0\n\n**7.50 of 19.00 points**\n",
        "- Repaired: read as UTF-16\n",
        "Belongs to no exercise: `notes.txt`\n",
        "| Exercise | Points |\n| :--- | ---: |\n| The causal mask | 4.00 of 4.00 |\n",
        "| Split and merge heads | ungradable |\n",
        "| Hide the future from every token, after the softmax and, better, before it. | 7.50 of 14.00 |\n",
        "## Causal attention with dropout\n\n"
        "`4_causal/causal_attention`: **3.50 of 10.00**, 2 of 6 checks passed\n",
        "### Mask after softmax\n\nexplains 2 of 3 failed checks\n\n"
        "- **Asked:** `CausalAttention(d_in=10, d_out=12, context_length=9)` on x of shape (2, 7, 10)\n",
        "- ✗ A later token moves no earlier output. (mask): **wrong value**, 0.00 of 2.00\n",
        "- ✓ Matches the book’s numbers. (book): **passed**, no points\n",
        "\n\nthe notebook is cut off in the middle\n",
        "Graded 29 November 2026, 18:05 UTC by Softmarks 0.1.0. Run confined (Landlock 6, seccomp).\n",
    ):
        assert part in source


def test_it_says_what_the_page_says(verdict):
    """Each word of the page is in the report, too."""
    page = Page(feedback_html(verdict, policy="all", course=a_course())).text
    report = re.sub(
        r"<[^>]*>", " ", GITHUB.render(feedback_markdown(verdict, policy="all", course=a_course()))
    )
    heads = {"Check", "Kind", "Outcome"}  # of a table that is a list here
    for part in (page, html.unescape(report)):
        assert len(part.split()) > 100
    assert set(re.findall(r"\w+", page)) - set(re.findall(r"\w+", html.unescape(report))) <= heads


@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_policy_hides_is_not_in_the_file(policy):
    """As in the page: words of messages and of checks, names of tests, places."""
    source = feedback_markdown(secret_verdict(), policy=policy)
    hidden = {"all": "", "mistake": "PRINTED OWNMESSAGE"}.get(
        policy, "ASKED DIFFERENCE SAYS HINT secret Secret"
    )
    assert not [word for word in [*hidden.split(), "secretname", "ORIGIN"] if word in source]
    assert "raised an error" in source
    assert ("PRINTED" in source) == (policy == "all")


def test_what_was_printed_is_a_block():
    """Lines with backquotes of their own, and what a check itself says, on a line of its item."""
    message = make_message(printed="a\n```\n# b")
    check = make_check(outcome=Outcome.RAISED, message="it raised `x`\nat last")
    exercise = make_exercise(messages=(message,), checks=(check,))
    source = feedback_markdown(make_verdict("x", exercise), policy="all")
    assert "Printed:\n\n````text\na\n```\n# b\n````\n" in source
    assert ", 0.00 of 2.00\\\n  it raised `x`\\\n  at last\n" in source


def test_without_a_mark_there_is_no_total(verdict):
    """Who has no mark anywhere is not told a zero."""
    nothing = make_verdict("x", verdict.exercises[2])
    assert "**No mark yet**" in feedback_markdown(nothing, policy="all")
    assert "0.00" not in feedback_markdown(nothing, policy="all")
    assert "No mark yet" in Page(feedback_html(nothing, policy="all")).text
