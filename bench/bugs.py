"""Bugs planted in the reasoner, and who notices: python bench/bugs.py [NAME …] [--cases 200] [--seed 21] [--tell]

Each bug is one small change of one module of kb/reasoner, made when that module is loaded by a process of its own. There case files are
asked: a drawing with a seed, and, where the bug changes fewer than four answers of these, the others until it does. Every answer that is not what
it was without the bug is put to the proof checker (kb.checker.checker.certify) and to the circuits (kb.circuit), in the same process:
whatever they share with the module has the bug too. The first row is the control: no bug, on which nobody may object.
tests/test_bugs.py holds some of them; docs/reliability.md has the figures.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

LOOKED = 12  # changed answers of a bug that are put to the others
LEAST = 4  # where so few of the drawn cases are answered otherwise, the rest is asked too


@dataclass(frozen=True)
class Bug:
    """One change of a module of kb/reasoner: `old`, which stands there once, becomes `new`."""

    name: str
    module: str
    old: str
    new: str


@dataclass
class Found:
    """What came of a bug. asked: cases; changed: those answered otherwise; fell: those not answered at all; looked: changed answers that were put
    to the others; checker, lanes: how many of them each objected to; missed: the cases of those to which neither did."""

    name: str
    module: str
    asked: int = 0
    changed: int = 0
    fell: int = 0
    looked: int = 0
    checker: int = 0
    lanes: int = 0
    missed: list[str] = field(default_factory=list)
    seconds: float = 0.0


BUGS = (
    Bug("stated-of-built-ins", "builtin", "if s.vocabulary.entails(x.facts.is_, cls):", "if s.vocabulary.entails(x.facts.not_, cls):"),
    Bug("all-is-known", "builtins", "return named(derived)[0].undecided(situation, x)", "return iter(())"),
    Bug("actor's-side", "sides", "return FRIENDLY if name == acting(situation) else name", "return name"),
    Bug("victim-of-friends", "sides", "if ENEMY in seen and FRIENDLY not in seen:", "if FRIENDLY in seen:"),
    Bug("whose-unit", "sides", "        mine = FRIENDLY\n        presumed = True", "        mine = ENEMY\n        presumed = True"),
    Bug("no-hex-of-a-place", "hexgrid", 'for role in ("at", "hex"):', 'for role in ("hex",):'),
    Bug("one-hex-further", "hexgrid", "return None if found is None else Fraction(found)", "return None if found is None else Fraction(found + 1)"),
    Bug("lines-from-nowhere", "hexgrid", "            elif spot is None or goal is None or not comparable(spot, goal):\n                unknown = True", "            elif spot is None or goal is None or not comparable(spot, goal):\n                pass"),
    Bug("all-is-charted", "map_builtins", "return hexgrid.spot(x) is not None and all(hexgrid.spot(y) is not None for y in others)", "return hexgrid.spot(x) is not None"),
    Bug("uncharted-is-far", "map_builtins", "and hexgrid.spot(y) is None:", "and hexgrid.spot(y) is not None:"),
    Bug("one-link-long", "connectivity", "                queue.append(name)\n", ""),
    Bug("hope-without-links", "connectivity", "if name in near or (hopeful and may_join(situation, here, there, link)):", "if name in near:"),
    Bug("done-when-told", "history", "x.name in s.done", "x.name in s.case.history"),
    Bug("next-act-between", "history", "order[min(places) + 1 : max(places)]", "order[min(places) + 2 : max(places)]"),
    Bug("told-is-no-event", "positions", 'return (*case.history, case.question.thing) if case.question.kind == "effects" else case.history', "return case.history"),
    Bug("failed-and-moved", "positions", "if failed(vocabulary, things, things[name]):", "if False:"),
    Bug("goes-on-being-so", "positions", "for who, cls in list(over(vocabulary, things, things[name])):", "for who, cls in ():"),
    Bug("forgets-who-was-there", "positions", "    if kept:\n", "    if not kept:\n"),
    Bug("moved-and-still-there", "positions", "things[name] = replace(things[name], links={**kept, prop.name: to})", "things[name] = replace(things[name], links={**kept, prop.name: (*things[name].links.get(prop.name, ()), *to)})"),
    Bug("dead-stay-where-they-are", "positions", "        if not rule.place:\n            put(things, prop, name, ())", "        if not rule.place:\n            pass"),
    Bug("leaning-is-kept", "staging", "            if as_presumed:\n", "            if True:\n"),
    Bug("nothing-is-told-open", "staging", "self.withdrawn: frozenset[str] = frozenset().union(*[facts.unknown for facts in case.things.values()])", "self.withdrawn: frozenset[str] = frozenset()"),
    Bug("said-to-be-none", "relations", "        elif stated:\n            complete, presumed = True, False", "        elif stated:\n            complete, presumed = False, False"),
    Bug("open-rules-add-nothing", "relations", "                    unsure = True\n                    opens", "                    unsure = False\n                    opens"),
    Bug("losers-win", "memberships", "pro_wins = pros and all(any(self.theory.stronger(p.norm, c.norm) for p in pros)", "pro_wins = pros and all(any(self.theory.stronger(c.norm, p.norm) for p in pros)"),
    Bug("unmade-anyway", "memberships", "making = [o for o in open_steps if o not in unmade] if absent else open_steps", "making = open_steps"),
    Bug("any-focus", "situation", "if subject and not (self.one_of(x, subject) if each else self.focus(x, subject) is not False):", "if subject and self.focus(x, subject) is None:"),
    Bug("all-norms-on-numbers", "situation", "key = (x.name, name, without)", "key = (x.name, name, frozenset[str]())"),
    Bug("unknown-is-usual", "quantities", "default = None if name in x.facts.unknown else s.vocabulary.properties[name].default", "default = s.vocabulary.properties[name].default"),
    Bug("at-most-is-at-least", "quantities", 'if r.bound == "at most"', 'if r.bound != "at most"'),
    Bug("waived-and-required", "decision", "        elif side > 0:", "        elif side >= -1 and question.kind == 'must':"),
    Bug("nothing-untold", "decision", 'if question.kind == "may" and silence in (p.PERMITTED, p.OUTSIDE) else ()', 'if question.kind == "must" and silence in (p.PERMITTED, p.OUTSIDE) else ()'),
    Bug("one-beaten-is-enough", "defeat", "return len(defeats) == len(theirs), tuple(defeats)", "return bool(defeats) or not theirs, tuple(defeats)"),
    Bug("doubt-is-nothing", "defeat", "for ours, theirs in product((sure_pro, pro), (sure_con, con)):", "for ours, theirs in product((sure_pro,), (sure_con,)):"),
    Bug("wide-rows-too", "scope", "return [b for b in found if not any(before(a, b) for a in found if a is not b)]", "return list(found)"),
    Bug("on-all-it-leads-to", "affected", "sure += [name] if all(step.value for step in so) else []", "sure += [name]"),
    Bug("rows-of-all", "scope", "return before if step.value is True else step", "return before"),
    Bug("bars-let-nothing-be", "scope_acts", "bars = {rule for row, step in under if step.value is True for rule in row.bars}", "bars = {rule for row, step in under if step.value is None for rule in row.bars}"),
    Bug("states-are-read", "scope_acts", "if STATE not in term.ancestors or not term", "if STATE in term.ancestors or not term"),
    Bug("not-of-silence", "scope_statements", "return None if inner is None and parts else step.value", "return step.value"),
    Bug("silence-is-a-rule", "scope_numbers", "return of.kind == p.WHOLLY or (of.kind == p.PARTLY and by_rule)", "return of.kind in (p.WHOLLY, p.PARTLY)"),
    Bug("open-names", "evaluate", "value = None if any(q.value is None for q in held) else True\n                yield", "value = True\n                yield"),
    Bug("other-names", "evaluate", "for wanted in ((True, False), (True, True), (None, False)):", "for wanted in ((None, False), (True, False), (True, True)):"),
    Bug("below-the-row", "expressions", "if table.rows[i][0] <= wanted.value)", "if table.rows[i][0] < wanted.value)"),
    Bug("shifted-back", "expressions", "at += int(moved.value)", "at -= int(moved.value)"),
    Bug("one-more", "restrictions", "value = True if low >= n else False if high < n else None", "value = True if low > n else False if high < n else None"),
    Bug("only-of-the-listed", "restrictions", "            if not links.complete:\n                return Step(c, x, None, \"missing\", tuple(tried), False)\n            return Step(c, x, True, \"only\"", "            return Step(c, x, True, \"only\""),
    Bug("or-unknown-at-first", "at_first", 'return Step(c, x, value, "or", tuple(held), soft)', 'return Step(c, x, False, "or", tuple(held), soft)'),
    Bug("exceptions-in-doubt-at-first", "at_first", "if t.value is True:", "if t.value is not False:"),
    Bug("or-unknown", "codegen", "gives(at, f\"None if {unknown(names)} else False\"", "gives(at, \"False\""),
    Bug("exceptions-in-doubt", "codegen", 'self.put(1, f"if {t}.value is True:")\n            self.put(2, f"return Outcome', 'self.put(1, f"if {t}.value is not False:")\n            self.put(2, f"return Outcome'),
    Bug("over-with-anything", "ties", "if situation.member(event, ending.event).value is not True or not", "if situation.member(event, ending.event).value is None or not"),
    Bug("stated-for-ever", "aftermath", "over = {cls for made in thing.caused for cls in situation.vocabulary.classes[made].disjoint}", "over: set[str] = set()"),
    Bug("exceptions-beat-no-effect", "effects", "if not any(d.thing == c.thing and d.by is not c.by and goes_over(d.by.norm, c.by.norm) for d in caused):", "if True:"),
    Bug("becoming-once", "effects", "                    again = True\n                    take", "                    take"),
    Bug("settled-where-open", "counterfactuals", "if yes == no and isinstance(one, Proof) and isinstance(other, Proof) and whole:", "if isinstance(one, Proof) and isinstance(other, Proof) and whole:"),
    Bug("half-a-change", "trials", "                case = edit.apply(case)\n            return", "                pass\n            return"),
    Bug("either-way-open", "reason", "if deep and found.verdict == p.UNDETERMINED:", "if deep and found.verdict == p.CONFLICT:"),
    Bug("nothing-comes-of-it", "unnamed", "return not self.so.isdisjoint(goals)", "return False"),
    Bug("instead-of-it", "untold", "for w in (prop.name, *owed.instead)", "for w in (prop.name,)"),
    Bug("half-of-the-ways", "abduction", "    whole: bool = True\n", "    whole: bool = False\n"),
    Bug("permission-is-no-yes", "proof", 'return "yes" if kind == "may" and not self.question.turned else "no"', 'return "no" if kind == "may" and not self.question.turned else "yes"'),
    Bug("beaten-counts", "trace", 'self.state, self.lost, self.by, self.principle = "beaten", True, by, principle', 'self.state, self.lost, self.by, self.principle = "beaten", False, by, principle'),
)  # fmt: skip


# ── in the process that has the bug ──


class Planted(importlib.abc.MetaPathFinder):
    """Loads one module of the reasoner with a bug in it."""

    def __init__(self, bug: Bug):
        self.bug, self.name = bug, f"kb.reasoner.{bug.module}"

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> Any:
        """The module as it lies there, read by what changes it; nothing of any other."""
        if name != self.name:
            return None
        file = str(ROOT / "kb" / "reasoner" / f"{self.bug.module}.py")
        return importlib.util.spec_from_file_location(name, file, loader=Changed(name, file, self.bug))


class Changed(importlib.machinery.SourceFileLoader):
    """Reads a module's source, changes it, and compiles that: never what was compiled before."""

    def __init__(self, name: str, path: str, bug: Bug):
        super().__init__(name, path)
        self.bug = bug

    def get_code(self, fullname: str) -> Any:
        """The module with the bug. Raises ValueError where what it changes does not stand there once."""
        return compile(changed(self.bug), self.path, "exec")


def changed(bug: Bug) -> str:
    """The source of a bug's module with the bug. Raises ValueError where what it changes does not stand there once."""
    source = (ROOT / "kb" / "reasoner" / f"{bug.module}.py").read_text(encoding="utf-8")
    if source.count(bug.old) != 1 or bug.old == bug.new:
        raise ValueError(f"{bug.name}: stands {source.count(bug.old)} times in {bug.module}")
    return source.replace(bug.old, bug.new)


def answered(case: Any) -> str:
    """The answer to a case, without its reasons; of one that cannot be answered, the kind of fault."""
    from kb import asking

    try:
        return told(asking.ask(case))
    except Exception as e:  # a bug may raise anything
        return f"! {type(e).__name__}"


def told(proof: Any) -> str:
    """All that a proof answers, in one string."""
    effects = sorted(f"{c.thing} {c.cls}" for c in proof.effects)
    shifts = sorted(f"{c.thing} {c.quantity} {c.op} {c.value and c.value.value}" for c in proof.shifts)
    return f"{proof.verdict} {proof.value} {effects} {shifts} {sorted(proof.chosen)}"


def opinions(case: Any) -> tuple[bool, bool]:
    """Whether the checker, and whether lanes object to the answer to a case."""
    from kb import asking
    from kb.checker.checker import certify
    from kb.circuit import answers
    from kb.reasoner import counterfactuals, trials

    proof = asking.ask(case)
    try:
        open_ = (
            proof.verdict == "undetermined"
        )  # what is said to be missing is tried: a settled answer may be told as an open one
        faults = bool(certify(proof, proof.theory, proof.case, deep=open_))
    except Exception:
        faults = True  # a proof that no checker can read is not accepted
    if proof.case.question.kind == "which":
        return faults, False
    lanes = answers.verdicts(proof.theory, [proof.case]).answers[0]
    return faults, lanes is not None and lanes != counterfactuals.said(trials.whole(proof.theory, proof.case)[0])


def drawn(seed: int, many: int) -> tuple[list[Any], list[Any]]:
    """Case files of every book: some that are drawn, as many of each file as may be, and the others in an order that is drawn too."""
    from tests import corpus

    dice, by_file = random.Random(seed), dict[str, list[Any]]()
    for case in corpus.every():
        by_file.setdefault(str(case.source.file), []).append(case)
    piles = [dice.sample(cases, len(cases)) for _, cases in sorted(by_file.items())]
    dice.shuffle(piles)
    order = [pile[n] for n in range(max(map(len, piles))) for pile in piles if n < len(pile)]
    return order[:many], order[many:]


def healthy(seed: int, many: int) -> tuple[dict[str, str], list[str]]:
    """Without a bug: each case file with its answer; and the drawn ones to whose answers somebody objects."""
    some, others = drawn(seed, many)
    found = {case.name: answered(case) for case in (*some, *others)}
    return found, [case.name for case in some if any(opinions(case))]


def tried(bug: Bug, known: dict[str, str], seed: int, many: int) -> Found:
    """What comes of a bug. known: each case file with its answer as it should be."""
    some, others = drawn(seed, many)
    found = Found(bug.name, bug.module)
    start = time.process_time()
    for case in each(some, others, found):
        found.asked += 1
        now = answered(case)
        if now == known[case.name]:
            continue
        if now.startswith("!"):
            found.fell += 1
            continue
        found.changed += 1
        if found.looked < LOOKED:
            found.looked += 1
            checker, lanes = opinions(case)
            found.checker += checker
            found.lanes += lanes
            if not (checker or lanes):
                found.missed.append(f"{case.name}: {now}, not {known[case.name]}")
    found.seconds = time.process_time() - start
    return found


def each(some: list[Any], others: list[Any], found: Found) -> Iterator[Any]:
    """The cases drawn, then the others until enough answers have changed."""
    yield from some
    for case in others:
        if found.changed >= LEAST:
            return
        yield case


# ── all of them ──


def child(*args: str) -> Any:
    """What a process of its own prints, as JSON."""
    run = subprocess.run([sys.executable, __file__, *args], capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr[-2000:])
    return json.loads(run.stdout.splitlines()[-1])


def every(names: Sequence[str], many: int, seed: int) -> Iterator[Found]:
    """What comes of each bug, of those that are named or of all. Raises RuntimeError where somebody objects without a bug."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "known.json"
        at = ("--cases", str(many), "--seed", str(seed), "--known", str(file))
        if objected := child("--healthy", *at):
            raise RuntimeError(f"without a bug somebody objects to {', '.join(objected)}")
        for bug in BUGS:
            if not names or bug.name in names or bug.module in names:
                yield Found(**child("--bug", bug.name, *at))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="bugs, or modules with all their bugs")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--tell", action="store_true", help="which answers nobody objected to")
    parser.add_argument("--healthy", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--bug", help=argparse.SUPPRESS)
    parser.add_argument(
        "--case",
        help="with --bug: what comes of it in one case file: the answer, and whether the checker and lanes object",
    )
    parser.add_argument("--known", type=Path, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.healthy:
        known, objected = healthy(told.seed, told.cases)
        told.known.write_text(json.dumps(known), encoding="utf-8")
        print(json.dumps(objected))
        return
    if told.bug:
        bug = next(bug for bug in BUGS if bug.name == told.bug)
        sys.meta_path.insert(0, Planted(bug))
        if bug.module == "codegen":  # what it writes out is asked from the first time on
            from kb.reasoner import at_first

            at_first.OFTEN = 1
        if told.case:
            from tests import corpus

            case = corpus.named(told.case)
            return print(json.dumps([answered(case), *opinions(case)]))
        print(json.dumps(asdict(tried(bug, json.loads(told.known.read_text("utf-8")), told.seed, told.cases))))
        return
    print(
        "| bug | module | cases asked | answered otherwise | looked at | the checker objects | lanes object | neither |\n|---|---|---|---|---|---|---|---|"
    )
    rows: list[Found] = []
    for row in every(told.names, told.cases, told.seed):
        rows.append(row)
        fell = f" (and {row.fell} not at all)" if row.fell else ""
        print(
            f"| {row.name} | `{row.module}` | {row.asked} | {row.changed}{fell} | {row.looked} | {row.checker} | {row.lanes} | {len(row.missed)} |",
            flush=True,
        )
        if told.tell:
            print(*(f"    {said}" for said in row.missed), sep="\n", flush=True)
    turning = [row for row in rows if row.changed]
    noticed = [row for row in turning if len(row.missed) < row.looked]
    wrong, missed = sum(row.looked for row in turning), sum(len(row.missed) for row in turning)
    print(
        f"\n{len(rows)} bugs in {len({row.module for row in rows})} modules; {len(turning)} change an answer; {len(noticed)} of these are noticed,",
        end=" ",
    )
    print(
        f"by the checker {sum(bool(row.checker) for row in turning)}, by lanes {sum(bool(row.lanes) for row in turning)}.",
        end=" ",
    )
    print(f"{wrong} wrong answers looked at, {missed} accepted by both.")


if __name__ == "__main__":
    main()
