"""Which of two norms prevails, for the judge: by the principles of the book's policy, in their order."""

from __future__ import annotations

from kb.language import norms as m
from kb.rulebook.theory import Theory


def stronger(theory: Theory, a: m.Norm, b: m.Norm) -> m.Principle | None:
    """The first of the policy's principles that tells two norms apart, when it prefers `a`."""
    ranks = theory.policy.authorities
    for principle in theory.policy.principles:
        match principle.name:
            case "explicit":
                one, two = int(goes_over(a, b)), int(goes_over(b, a))
            case "authority":
                one, two = (ranks.index(n.authority) if n.authority in ranks else -1 for n in (a, b))
            case "specificity":
                one, two = int((a.id, b.id) in theory.specific), int((b.id, a.id) in theory.specific)
            case "prohibition":
                one, two = (int(isinstance(n.head, m.Deontic) and n.head.mode == m.FORBIDS) for n in (a, b))
            case "higher-number" | "lower-number":
                if chapter(a.rule) != chapter(b.rule):
                    continue
                one, two = (1, 0) if decimals(a.rule) > decimals(b.rule) else (0, int(a.rule != b.rule))
                if principle.name == "lower-number":
                    one, two = two, one
            case _:
                continue
        if one != two:
            return principle if one > two else None
    return None


def chapter(rule: str) -> str:
    """The chapter that a rule's number begins with."""
    head = rule.rpartition(".")[0] or rule
    return "".join(ch for ch in head if ch.isalpha()) if head.isalnum() else head


def decimals(rule: str) -> tuple[int, str]:
    """What orders rules inside a chapter: the whole number, then the decimals digit by digit."""
    head, _, tail = rule.partition(".")
    return int("".join(ch for ch in head if ch.isdigit()) or 0), tail


def goes_over(a: m.Norm, b: m.Norm) -> bool:
    """Whether `a` says that it beats `b`: as an exception to it, or by its id, the id it is written under, or its rule."""
    return b.id in a.carves or not {b.id, b.part_of, b.rule}.isdisjoint(a.over)
