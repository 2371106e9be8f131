"""Questions in English, as the tests read them: what was understood, and what is asked back."""

from __future__ import annotations

from typing import Any

from kb import asking


def read(text: str, book: str = "asl") -> asking.Reading:
    return asking.in_english(text, book)


def case(text: str, book: str = "asl") -> dict[str, Any]:
    """The case that a question comes to; nothing of it may be asked back."""
    found = read(text, book)
    assert not found.unread, found.unread
    return dict(found.data)


def things(text: str, book: str = "asl") -> dict[str, Any]:
    return dict(case(text, book)["things"])


def asked_back(text: str, book: str = "asl") -> str:
    """The words of a question that are asked back, each with what is asked; something must be."""
    found = read(text, book)
    assert found.unread, found.yaml
    return " ".join(f"{row.text} {row.question}" for row in found.unread)
