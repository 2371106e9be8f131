"""The proofs that are tampered with: of every case there is, and of an invented game that needs no book."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import zip_longest

from kb import asking
from kb.reasoner import reason as reasoner
from kb.reasoner.proof import Proof
from kb.yaml_document import document
from tests import corpus, strategies as arena

RULES = arena.theory(
    """
R1/plain
  permits  Enter
  when     actor some Fighter and into some Place
R1/night
  permits  Enter
  when     moment some Dusk
R2
  forbids  Enter
  when     into some (occupant some (Enemy and Fit except lions (Lion or strength < 2)))
  unless   barred: into some (barred true)
  over     R1
R3
  counts   Fighter as Favoured
  when     Veteran and not Marked
R3/marked
  counts   Fighter as Marked
  when     carries some Net
R4
  requires Rest
  when     actor some Hurt
R4/waived
  waives   Rest
  when     actor some Favoured
  over     R4
R5/base
  sets     power of Strike to actor.strength
R5/sword
  adds     sum(this.actor.carries that Sword, bonus) to power of Strike
R5/twice
  multiplies power of Strike by 2
  when     actor some Favoured
R5/cap
  limits   power of Strike to at most 9
R5/net
  sets     power of Strike to lookup(nets at or below this.actor.strength).power
  when     actor some (carries some Net)
  over     R5/base
R6
  causes   Hurt of target on Strike
  when     power > 3
  until    Rest
  needs    X9
R7
  relates  Gladiator by near to (Place and occupant some Lion)
R8
  permits  Leap
  when     actor exactly 1 (near min 1 Place) and actor only (Fighter and not Hurt)
R9
  forbids  Strike
  when     actor some Fighter and target some Lion
""",
    scope="""
wholly:
  - {of: [Leap], by: R0.5, says: "nothing else is allowed"}
  - {of: [Favoured], by: R3, says: "nobody else is"}
  - {power: actor some Gladiator}
  - {Strike: target some Beast}
  - {Enter: into some Gate}
partly:
  - {of: [Enter], with: [X1, X2], those: "let it enter", suits: [Hurt]}
  - {of: [{Sneak: into some Gate}], with: [X3], those: "let it sneak"}
  - {of: [Strike], with: [X4], those: "let it strike", bars: [R9]}
  - {of: [{power: actor some Lion}], with: [X4]}
  - {of: [Marked, near], with: [X5]}
names:
  - {of: [Hurt], with: [X6]}
""",
    tables="Table: nets\n\n| strength | power |\n|---|---|\n| 1 | 4 |\n| 3 | 6 |\n",
)


ARENA = """
- things: {ann: {is: [Gladiator, Friendly, Veteran], strength: 3, carries: [sword], at: hall}, sword: {is: Sword, bonus: 1}, hall: {is: Stand},
           foe: {is: [Guard, Enemy], at: gate, strength: 4}, cub: {is: [Lion, Enemy], at: gate}, gate: {is: Gate},
           go: {is: Enter, actor: ann, into: gate, moment: Dusk}}
  ask: {may: go}
- things: {ann: {is: [Gladiator, Friendly]}, foe: {is: [Guard, Enemy], at: gate, strength: 4}, gate: {is: Gate, barred: true}, go: {is: Enter, actor: ann, into: gate, moment: Dawn}}
  ask: {may: go}
- things: {ann: {is: [Gladiator, Friendly]}, foe: {is: [Guard, Enemy], at: gate}, gate: {is: Gate}, go: {is: Enter, actor: ann, into: gate, moment: Dawn}}
  ask: {may: go}
- things: {ann: {is: [Gladiator, Hurt, Veteran], carries: [net]}, net: {is: Net}, nap: {is: Rest, actor: ann}}
  ask: {must: nap}
- things: {ann: {is: [Gladiator, Hurt, Veteran]}, nap: {is: Rest, actor: ann}}
  ask: {must: nap}
- things: {ann: {is: [Gladiator, Veteran], strength: 3, carries: [sword]}, sword: {is: Sword, bonus: "1/2"}, hit: {is: Strike, actor: ann, target: foe}, foe: {is: Guard}}
  ask: {value: [power, hit]}
- things: {ann: {is: [Gladiator, Veteran], strength: 3, carries: [net]}, net: {is: Net}, hit: {is: Strike, actor: ann, target: foe}, foe: {is: Guard}}
  ask: {effects: hit}
- things: {ann: {is: [Gladiator, Veteran], strength: 3}, hit: {is: Strike, actor: ann, target: foe}, foe: {is: Guard, at: pit}, pit: {is: Pit}}
  history: [hit]
  ask: {is: [foe, "Hurt and Cornered and not Fit"]}
- things: {ann: {is: [Gladiator, Veteran]}, leo: {is: Lion, at: pit}, pit: {is: Pit}, jump: {is: Leap, actor: ann}}
  ask: {may: jump}
- things: {ann: {is: Guard, near: []}, jump: {is: Leap, actor: ann}}
  ask: {may: jump}
- things: {ann: {is: Guard}, creep: {is: Sneak, actor: ann, into: pit}, pit: {is: Pit}}
  ask: {may: creep}
- things: {ann: {is: Guard}, foe: {is: Guard}, hit: {is: Strike, actor: ann, target: foe}}
  ask: {may: hit}
- things: {ann: {is: [Guard, Winded]}, go: {is: Enter, actor: ann, into: hall}, hall: {is: Stand}}
  ask: {may: go}
- things: {ann: {is: Guard}, hit: {is: Strike, actor: ann}}
  ask: {may: hit}
- things: {ann: {is: Guard}, foe: {is: Beast, not: Lion}, hit: {is: Strike, actor: ann, target: foe}}
  ask: {may: hit}
- things: {hall: {is: Stand}, foe: {is: Guard}, hit: {is: Strike, actor: ann, target: foe}, ann: {is: Guard}}
  ask: {must: hit}
- things: {ann: {is: [Guard, Alert]}, go: {is: Enter, actor: ann, into: hall, moment: Dawn}, hall: {is: Stand}}
  ask: {may: go}
- things: {ann: {is: Guard}, nap: {is: Rest, actor: ann}}
  ask: {must: nap}
- things: {ann: {is: Guard}}
  ask: {is: [ann, Hurt]}
- things: {ann: {is: Guard}, foe: {is: Beast}, hit: {is: Strike, actor: ann, target: foe}}
  ask: {value: [power, hit]}
- things: {leo: {is: Lion}, foe: {is: Guard}, hit: {is: Strike, actor: leo, target: foe, power: 1}}
  ask: {effects: hit}
- things: {ann: {is: Guard}}
  ask: {is: [ann, Favoured]}
- things: {ann: {is: Guard}}
  ask: {is: [ann, "Fit and not (Hurt or Marked)"]}
- things: {ann: {is: Guard, bonus: 0}, hit: {is: Strike, power: 2}}
  ask: {value: [power, hit]}
- things: {leo: {is: Lion, strength: 2}, hit: {is: Strike, actor: leo}}
  ask: {value: [power, hit]}
- things: {leo: {is: Lion, strength: 2}, foe: {is: Guard}, hit: {is: Strike, actor: leo, target: foe}}
  ask: {effects: hit}
- things: {ann: {is: Guard, strength: 2}, foe: {is: Lion}, hit: {is: Strike, actor: ann, target: foe}}
  ask: {effects: hit}
- things: {ann: {is: Guard}, creep: {is: Sneak, actor: ann}}
  ask: {may: creep}
- things: {ann: {is: Guard}, creep: {is: Sneak, actor: ann}}
  ask: {which: Moment, as: creep.moment, may: creep}
"""


read = cache(asking.case)  # a case that no test looks at need not be read


@cache
def drafts(kind: type[Proof]) -> type[Proof]:
    """Answers of a kind that can be tampered with."""
    return type("Draft", (kind,), {"__setattr__": object.__setattr__})


def draft(answer: reasoner.Answer) -> Proof:
    """A copy of an answer to be tampered with."""
    made = object.__new__(drafts(type(answer)))
    made.__dict__.update(answer.__dict__)
    return made


@cache
def cases() -> list[tuple[str, Callable[[], Proof]]]:
    """Every case there is, each with a way to ask it afresh (tampering spoils a proof)."""
    found: list[tuple[str, Callable[[], Proof]]] = []
    for case in corpus.every():
        found.append((case.name, lambda case=case: draft(asking.ask(read(case)))))  # type: ignore[misc]
    return [*found, *arenas()]


def arenas() -> list[tuple[str, Callable[[], Proof]]]:
    """Those that need no book."""
    rows, _ = document(ARENA)
    made = [arena.case(row) for row in rows]
    return [(f"arena {n}", lambda case=case: draft(arena.ask(RULES, case))) for n, case in enumerate(made)]  # type: ignore[misc]


@cache
def spread() -> list[tuple[str, Callable[[], Proof]]]:
    """The same, one of each book by turns and the arena's last, so that each tampering meets several books."""
    books: dict[str, list[tuple[str, Callable[[], Proof]]]] = {}
    for case, row in zip(corpus.every(), cases(), strict=False):
        books.setdefault(case.content["book"], []).append(row)
    turns = zip_longest(*(rows[::-1] for rows in books.values()))
    return [*(row for turn in turns for row in turn if row is not None), *cases()[len(corpus.every()) :]]


WHOLE: dict[str, Proof] = {}  # proofs asked already that nobody has tampered with
