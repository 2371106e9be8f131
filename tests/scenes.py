"""Cases of the invented game (tests/strategies.py) in a few lines: who is there, and what is asked."""

from __future__ import annotations

from kb.checker.checker import certify
from kb.reasoner import proof as p
from tests.strategies import ask

ANN = "ann: {is: [Gladiator, Friendly], at: hall, strength: 3}\nhall: {is: Stand}\n"
FIGHT = """
R1
  causes Hurt of target on Strike
  until  Rest
R2
  causes Dazed of target on Strike
  when   target some Hurt
R3
  causes Alert of actor on Rest
R4
  counts Fighter as Favoured
  when   Alert and not Hurt
"""
SCENE = "ann: {is: Guard}\nbob: {is: Guard}\nhit: {is: Strike, actor: ann, target: bob}\nhit2: {is: Strike, actor: ann, target: bob}\nnap: {is: Rest, actor: bob}\nnap2: {is: Rest, actor: bob}\n"


def things(text: str, question: str, history: str = "[]") -> str:
    """A case of a few things, one a line."""
    body = "\n".join("  " + line for line in text.strip().splitlines())
    return f"things:\n{body}\nhistory: {history}\nask: {question}"


def verdict(rules: str, text: str, question: str, **more: str) -> str:
    found = ask(rules, things(text, question, **more))
    assert not certify(found, deep=True)
    return p.shown(found.value) if found.verdict == p.VALUE else found.verdict


def effects_of(history: str, event: str, rules: str = FIGHT, text: str = SCENE) -> set[tuple[str, str]]:
    found = ask(rules, things(text, f"{{effects: {event}}}", history))
    assert not certify(found, deep=True)
    return {(c.thing, c.cls) for c in found.effects}
