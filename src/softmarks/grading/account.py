"""How a program fared in a suite, without its conversations: its cases, and a signature for each that failed.

It is plain data. That of an authored program is the same for every student, and is kept between runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from softmarks.grading.record import Case, Record
from softmarks.grading.signature import PASSED, Signature, signature

REFERENCE = "reference"  # its name among the authored programs of a room

Signatures = dict[str, Signature]  # by case


@dataclass(frozen=True)
class Account:
    """The cases of a suite in order, and the signature of each."""

    cases: dict[str, Case]
    signatures: Signatures


def account(record: Record) -> Account:
    """The account of a record."""
    return Account(record.cases, {key: signature(said) for key, said in record.conversations.items()})


def to_json(account: Account) -> dict[str, Any]:
    """An account as plain data."""
    cases = {key: case.model_dump(mode="json") for key, case in account.cases.items()}
    return {"cases": cases, "signatures": signatures_to_json(account.signatures)}


def from_json(data: Mapping[str, Any]) -> Account:
    """An account from plain data. Raises KeyError, TypeError or ValueError where it is none."""
    cases = {key: Case.model_validate(case) for key, case in data["cases"].items()}
    signatures = dict.fromkeys(cases, PASSED) | signatures_from_json(data["signatures"])
    return Account(cases, signatures)


def signatures_to_json(signatures: Signatures) -> dict[str, Any]:
    """Signatures as plain data; those that passed are left out."""
    return {
        key: found.model_dump(mode="json", exclude_defaults=True)
        for key, found in signatures.items()
        if not found.passed
    }


def signatures_from_json(data: Mapping[str, Any]) -> Signatures:
    """Signatures from plain data: those of the cases that failed."""
    return {key: Signature.model_validate(fields) for key, fields in data.items()}
