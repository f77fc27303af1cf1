"""A YAML file whose values remember their lines, so that an error can say where to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from softmarks.course.text import read_text
from softmarks.errors import CourseError

MAX_NODES = 100_000


@dataclass(frozen=True)
class Document:
    """The content of a YAML file: plain Python values, and the nodes that they came from."""

    path: Path
    value: dict[object, object]
    node: yaml.Node

    def line(self, place: Sequence[int | str]) -> int:
        """The line, from 1, of the value at ``place`` (keys, indices), or of the closest part that exists."""
        node, line = self.node, self.node.start_mark.line
        for part in place:
            if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                line = node.start_mark.line
                continue
            entries = node.value if isinstance(node, yaml.MappingNode) else []
            found = [(key, value) for key, value in entries if key.value == str(part)]
            if not found:
                break
            key, node = found[-1]
            line = key.start_mark.line
        return line + 1


class _Loader(yaml.SafeLoader):
    """The safe loader; dates stay text, so that the model can say what is wrong with them."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_document(path: Path) -> Document:
    """Read a YAML file that holds one mapping. Raises CourseError with the line of what is wrong."""
    text = read_text(path)
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            raise CourseError("the file is empty", where=path, fix="Copy another course's file and edit it")
        if not isinstance(node, yaml.MappingNode):
            raise CourseError(
                "the file is not a list of keys and values", where=path, line=1, fix='Begin with "id: …"'
            )
        _refuse_duplicates(node, path)
        value = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise CourseError(
            f"this is no YAML: {error.problem or error.context}",
            where=path,
            line=None if mark is None else mark.line + 1,
            fix="Compare indentation, colons and quotes with the lines around it; tabs are not allowed",
        ) from None
    except yaml.reader.ReaderError as error:
        raise CourseError(
            f"this is no YAML: {error.reason}",
            where=path,
            line=text[: error.position].count("\n") + 1,
            fix="Delete the invisible character",
        ) from None
    except RecursionError:
        raise CourseError("the file is nested too deeply", where=path, fix="Close the brackets") from None
    except (ValueError, LookupError, AttributeError, OverflowError) as error:
        # an explicit tag such as !!int on what is no number, or a number with hundreds of colons
        raise CourseError(
            f"this is no YAML: {error}", where=path, fix="Take out tags that begin with !!, and quote texts"
        ) from None
    assert isinstance(value, dict)
    return Document(path, value, node)


def _refuse_duplicates(root: yaml.Node, path: Path) -> None:
    """Raise CourseError when a mapping has the same key twice: YAML itself keeps the last one, silently."""
    pending: list[yaml.Node] = [root]
    visited = 0
    while pending:
        node = pending.pop()
        visited += 1
        if visited > MAX_NODES:
            raise CourseError(
                "the file is too large, or repeats itself", where=path, fix="Take out the anchors (&)"
            )
        if isinstance(node, yaml.SequenceNode):
            pending.extend(node.value)
        if isinstance(node, yaml.MappingNode):
            first: dict[str, int] = {}
            for key, value in node.value:
                pending.append(value)
                if not isinstance(key, yaml.ScalarNode):
                    continue
                line = key.start_mark.line + 1
                if key.value in first:
                    raise CourseError(
                        f'the key "{key.value}" is already in line {first[key.value]}',
                        where=path,
                        line=line,
                        fix="Keep one of the two",
                    )
                first[key.value] = line
