"""How far the loaded rules decide a question: what the chapters declare of their scope, held against what was found.

    of_act(situation, focus)           the rows of the scopes that an act falls under, each with how that is known
    silence(situation, focus, kind, …) the verdict on an act of which no norm speaks
    bound(found, situation)            the answer with its scope: what silence alone seemed to settle is not ruled here

Silence of a part of a book is no consent: a default is an answer only where a chapter says that it decides the term wholly.
A norm that applies and bars, requires or makes something so decides as it stands. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from kb.language import norms as m
from kb.language.vocabulary import ClassTerm, PropertyTerm
from kb.reasoner import proof as p
from kb.reasoner.defeat import outdone
from kb.reasoner.evaluate import binds, evaluator, of_question
from kb.reasoner.proof import Proof, Scope
from kb.reasoner.situation import Situation
from kb.reasoner.trace import Contribution, Outcome, Step, Thing, outcomes_in
from kb.rulebook.compiler import conjuncts
from kb.rulebook.linker import wider
from kb.rulebook.theory import Theory

STATE = "State"
NO_RULE = "usage"  # the source of a term that is told by nobody's rule
Found = list[tuple[m.ScopeRow, Step]]


# ── rows ──


def rows(situation: Situation, focus: Thing) -> Found:
    """The rows on kinds of act that an act is, or may be, under: each with the step that says so."""
    found: Found = []
    for row in situation.theory.scope_of(focus.kind):
        step = situation.member(focus, row.term)
        if step.value is not False:
            step = met(situation, row, focus, step)
        if step.value is not False:
            found.append((row, step))
    return found


def of_act(situation: Situation, focus: Thing) -> Found:
    """Those of the rows that speak of what may or must be done."""
    return [(row, step) for row, step in rows(situation, focus) if closes(situation.theory, row)]


def closes(theory: Theory, row: m.ScopeRow) -> bool:
    """Whether a row speaks of what may or must be done: its term is a kind of act that norms bear on, or one below such.

    A class of acts that norms make (Cowering) is decided here, and leaves open whether such an act may be done.
    """
    if row.kind != m.WHOLLY or row.term in theory.acts:
        return True
    acts = theory.vocabulary.classes[row.term].ancestors & theory.acts
    return bool(acts) and row.term not in theory.makes


def met(situation: Situation, row: m.ScopeRow, x: Thing, before: Step) -> Step:
    """Whether the condition of a row holds of the bearer of its term."""
    if row.condition is None:
        return before
    step = evaluator(situation.theory, row.condition)(situation, x, {"this": x})
    return before if step.value is True else step


def on(situation: Situation, x: Thing, terms: Iterable[str]) -> list[m.ScopeRow]:
    """The rows on any of some terms whose condition holds of their bearer."""
    theory = situation.theory
    return [
        row for term in terms for row in theory.scope.get(term, ())
        if row.condition is None or evaluator(theory, row.condition)(situation, x, {"this": x}).value is True
    ]  # fmt: skip


def leaning(situation: Situation, x: Thing, found: Iterable[m.ScopeRow]) -> tuple[Step, ...]:
    """What it leans on that a thing falls under some rows: that it is of their classes, and that their conditions hold."""
    theory = situation.theory
    kinds = [situation.member(x, row.term) for row in found if row.term in theory.vocabulary.classes]
    also = [evaluator(theory, row.condition)(situation, x, {"this": x}) for row in found if row.condition is not None]
    return tuple(step for step in (*kinds, *also) if step.value is True and step.soft)


def narrowest(theory: Theory, found: Sequence[m.ScopeRow]) -> list[m.ScopeRow]:
    """The rows that no other goes before: on a narrower term, or on the same one under a condition, or more than partly."""
    order = {m.WHOLLY: 0, m.PARTLY: 1, m.NAMES: 2}

    def before(a: m.ScopeRow, b: m.ScopeRow) -> bool:
        if a.term != b.term:
            return b.term in wider(theory.vocabulary, a.term)
        if (a.condition is None) != (b.condition is None):
            return b.condition is None
        return order[a.kind] < order[b.kind]

    return [b for b in found if not any(before(a, b) for a in found if a is not b)]


def of_rows(theory: Theory, found: Sequence[m.ScopeRow], home: Sequence[str]) -> Scope:
    """The scope that the narrowest rows come to; `home`: the rules to name where no row does."""
    best = narrowest(theory, found)
    for kind in (m.WHOLLY, m.PARTLY, m.NAMES):
        chosen = [row for row in best if row.kind == kind]
        if chosen and kind == m.WHOLLY:
            row = next((r for r in chosen if r.by or r.says), chosen[0])
            return Scope(p.WHOLLY, term=row.term, by=row.by, says=row.says)
        if chosen:
            refs = tuple(dict.fromkeys(ref for row in chosen for ref in row.refs))
            those = next((row.those for row in chosen if row.those), "")
            return Scope(p.PARTLY if kind == m.PARTLY else p.OUTSIDE, refs, those, chosen[0].term)
    return Scope(p.OUTSIDE, tuple(dict.fromkeys(home)))


# ── homes: the rules that the ontology names as the sources of terms ──


def home(theory: Theory, term: ClassTerm | PropertyTerm | None) -> Iterator[str]:
    """The rules that a term comes from and that are not loaded."""
    for source in term.source.replace(",", ";").split(";") if term is not None else ():
        rule = source.strip()
        if rule and rule != NO_RULE and rule not in theory.sections:
            yield rule


def homes(situation: Situation, x: Thing) -> Iterator[str]:
    """The homes of what a thing is said to be, the narrowest kind first."""
    classes = situation.vocabulary.classes
    for name in sorted(x.facts.is_, key=lambda c: -len(classes[c].ancestors)):
        for above_ in sorted(classes[name].ancestors, key=lambda c: (c != name, -len(classes[c].ancestors))):
            rules = list(home(situation.theory, classes[above_]))
            if rules:
                yield from rules
                break


# ── acts ──


def silence(
    situation: Situation, focus: Thing, kind: str, found: Found, idle: Iterable[Outcome]
) -> tuple[str, Step | None]:
    """The verdict on an act of which no norm speaks, in a `may` or `must` question; with the step that it turns on, if one is open.

    What a chapter decides wholly and does not allow is barred, where it has a closing rule; what it does not ask for need not
    be done. idle: the norms that do not apply.
    """
    theory = situation.theory
    sure = closing(theory, found, kind)
    if kind == "must" and situation.case.elsewhere:
        return p.SILENT, None
    if kind == "must":
        return (p.SILENT if sure else p.OUTSIDE), None
    if sure:
        return p.FORBIDDEN, None
    for row, step in found:  # that it may be of a kind that is decided wholly here is asked for
        if row.kind == m.WHOLLY and row.by and row.condition is None and step.value is None:
            return p.UNDETERMINED, step
    if situation.case.elsewhere:
        return p.PERMITTED, None
    return (p.PERMITTED if freed(situation, focus, found, idle) else p.OUTSIDE), None


def closing(theory: Theory, found: Found, kind: str) -> list[m.ScopeRow]:
    """The narrowest rows of an act by which silence decides: in a `may` question only those with a closing rule."""
    sure = [row for row, step in found if step.value is True and (row.by or row.kind != m.WHOLLY or kind == "must")]
    return [row for row in narrowest(theory, sure) if row.kind == m.WHOLLY]


def act(found: Proof, situation: Situation, focus: Thing, under: Found) -> None:
    """Puts the answer to `may` or `must` in its scope."""
    theory, sure = situation.theory, [row for row, step in under if step.value is True]
    by_norm = bool(found.winners)
    if found.verdict in (p.FORBIDDEN, p.REQUIRED, p.CONFLICT, p.UNDETERMINED) and (
        by_norm or found.verdict == p.UNDETERMINED
    ):
        return
    if found.question.kind == "must" and by_norm:
        return
    closed = closing(theory, under, found.question.kind)
    if situation.case.elsewhere:
        if not by_norm and closed:
            found.scope, found.silence = of_rows(theory, closed, ()), leaning(situation, focus, closed)
        return
    wider = [row for row in sure if row.kind != m.WHOLLY]
    rest = of_rows(theory, wider, tuple(homes(situation, focus)))
    if not by_norm and closed:
        found.scope, found.silence = of_rows(theory, closed, ()), leaning(situation, focus, closed)
        return
    free = freed(situation, focus, under, found.considered) if not by_norm and found.verdict == p.PERMITTED else ()
    if found.verdict == p.OUTSIDE:
        found.scope = rest if rest.kind != p.WHOLLY else Scope(p.OUTSIDE)
        return
    if not wider and closed:
        found.scope = of_rows(theory, closed, ())
        return
    read = names_of([*(o.norm for o in found.winners), *(o.norm for o in free)])
    states = tuple(unruled(situation, focus, wider, read))
    refs = tuple(dict.fromkeys((*(ref for _, _, rules in states for ref in rules), *rest.needs)))
    found.scope = Scope(p.PARTLY, refs, rest.those, rest.term, freed=tuple(o.norm.rule for o in free), states=states)
    if free:
        barring = leaning(situation, focus, [row for row in wider if row.bars])
        found.silence = (*barring, *(step for o in free for step in spoken(situation, o, focus) if lone(step)))
    if states:
        found.verdict = p.OUTSIDE
        found.scope = Scope(p.OUTSIDE, refs, rest.those, rest.term, freed=found.scope.freed, states=states)


def names_of(norms: Iterable[m.Norm]) -> set[str]:
    """Every term that norms read."""
    found: set[str] = set()
    for norm in norms:
        found |= m.names_in(norm.when) | m.names_in(norm.head)
        for u in norm.unless:
            found |= m.names_in(u.condition)
    return found


def unruled(
    situation: Situation, focus: Thing, wider: Sequence[m.ScopeRow], read: set[str]
) -> Iterator[tuple[Thing, str, tuple[str, ...]]]:
    """The states of an act and of who does it that no norm of a permission reads and other rules speak of: with those rules.

    A permission does not reach beyond its rule: what it says of units in general, a rule on the broken may take back.
    """
    classes, theory = situation.vocabulary.classes, situation.theory
    suits = {cls for row in wider for cls in row.suits}
    doers = [y for role in situation.vocabulary.doers for y in situation.successors(focus, role).things]
    for x in dict.fromkeys((focus, *doers)):
        for name in dict.fromkeys((*x.facts.is_, *x.caused)):
            term = classes[name]
            if STATE in term.ancestors and not (term.ancestors & read or term.ancestors & suits):
                sources = tuple(home(theory, term))
                if not sources or term.derived or any(s in theory.sections for s in split(term.source)):
                    continue
                if situation.member(x, name).value is not False:
                    yield x, name, sources


def split(source: str) -> list[str]:
    """The rules that a source names."""
    return [s.strip() for s in source.replace(",", ";").split(";")]


def freed(situation: Situation, focus: Thing, under: Found, tried: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The bars of which all is so but what the case states otherwise: what a rule bars on a condition, it lets be without it.

    Only of an act of which a chapter says by which rules it bars all that it does bar.
    """
    bars = {rule for row, step in under if step.value is True for rule in row.bars}
    return tuple(
        o for o in tried
        if o.norm.rule in bars and o.status is False and isinstance(o.norm.head, m.Deontic)
        and o.norm.head.mode == m.FORBIDS and but_for(situation, o, focus, otherwise)
    )  # fmt: skip


def but_for(situation: Situation, o: Outcome, focus: Thing, test: Callable[[Step], bool]) -> bool:
    """Whether a norm does not apply only for an exception that is met, or for parts of its condition that pass a test of falsity."""
    if o.head is not None and o.head.value is not True:
        return False  # the act may be of another kind: then the norm never spoke of it
    if o.exception is not None:
        return o.when is None or o.when.value is True
    steps = spoken(situation, o, focus)
    failing = [step for step in steps if step.value is False]
    return bool(failing) and len(failing) < len(steps) and all(map(test, failing))


def spoken(situation: Situation, o: Outcome, focus: Thing) -> list[Step]:
    """Each part of a norm's condition, those too that it was not tried for."""
    env = {"this": focus}
    return [evaluator(situation.theory, part, o.norm)(situation, focus, env) for part in conjuncts(o.norm.when)]


def lone(step: Step) -> bool:
    """Whether a part of a condition leans on something presumed, and can be looked at without the other parts."""
    return step.soft and step.value is not None and not m.unbound(step.node)


def ruled_out(step: Step) -> bool:
    """Whether a condition is false on no presumption, or by a norm or a comparison of numbers, on whatever presumptions."""
    return not step.soft or step.why in ("counts-not", "compare")


def otherwise(step: Step) -> bool:
    """Whether a condition is false by what is stated, all that is listed taken to be told, and not for want of a word on it.

    A weapon that is said to be a flamethrower is no MG, where no second weapon is told of; a shot of which no weapon is said
    may be by an MG.
    """
    if not step.soft:
        return True
    failing = [q for q in step.parts if isinstance(q, Step) and q.value is False]
    match step.node:
        case m.Not():
            return True  # what it denies is so
        case m.Named():
            return step.why == "counts-not" or any(map(otherwise, failing))
        case m.Or():
            return any(map(otherwise, failing))
        case m.Some() | m.And() | m.Except() | m.Bind() | m.Of():
            return bool(failing) and all(map(otherwise, failing))
    return False


# ── what is so ──


class Sure:
    """What of a question's condition is so for certain: stated, made so by a norm, or wholly decided here; gathers what is not."""

    def __init__(self, situation: Situation):
        self.situation = situation
        self.open: list[Scope] = []
        self.closing: list[Scope] = []
        self.leans: list[Step] = []

    def value(self, step: Step) -> bool | None:
        """True or False as the step says, None where silence alone says so of a term that other rules decide too."""
        node, parts = step.node, [q for q in step.parts if isinstance(q, Step)]
        if step.value is None:
            return None
        match node:
            case m.Named(name):
                return self.member(step, name, parts)
            case m.Not():
                inner = self.value(parts[0]) if parts else None
                return None if inner is None and parts else step.value
            case m.And() | m.Except():
                return self.all_of(parts) if step.value else self.one_false(parts, step.value)
            case m.Or():
                return self.one_true(parts) if step.value else self.all_false(parts)
            case m.Some(role, _):
                if step.value:
                    return self.one_true(parts)
                return None if self.silent(step, role.name) else self.all_false(parts) if parts else False
            case m.HasValue(role, _) if step.value is False and step.why == "value":
                return None if self.silent(step, role.name) else False
            case m.Compare():
                numbers = [q for q in map(number, parts) if q is not None]
                return None if any([self.unknown_number(q) for q in numbers]) else step.value
            case m.Of() | m.Bind() if parts:
                return self.value(parts[0])
        return bool(step.value)

    def member(self, step: Step, name: str, parts: list[Step]) -> bool | None:
        """Of a class. A state stated at first may have ended by what has happened since, where other rules end it too."""
        if step.value and self.before(step):
            closing = len(self.closing)
            still = self.decided(step.thing, self.situation.vocabulary.classes[name].ancestors, name) is not None
            del self.closing[closing:]  # it is the case's word that stands, no closing rule
            return True if still else None
        if step.value or step.why not in ("presumed", "defined"):
            return bool(step.value)
        if step.why == "defined" and (not parts or self.value(parts[0]) is False):
            return False
        return self.decided(step.thing, self.situation.vocabulary.classes[name].ancestors, name)

    def before(self, step: Step) -> bool:
        """Whether a thing is only stated to be in a state, and has since done something, or something has been done to it."""
        situation, x = self.situation, step.thing
        if step.why not in ("stated", "inferred") or not situation.done or not isinstance(step.node, m.Named):
            return False
        source = x.kind.source.get(step.node.name, "")
        states = situation.vocabulary.classes
        made = any(step.node.name in states[c].ancestors for c in x.caused)
        if made or source not in x.facts.is_ or STATE not in states[source].ancestors:
            return False
        acts = [situation.case.things[name] for name in situation.done]
        return any(x.name in to for act in acts for to in act.links.values())

    def decided(self, x: Thing, terms: Iterable[str], name: str) -> bool | None:
        """False where what is not said of a term is not so; None, noted, where other rules decide it too."""
        theory, vocabulary = self.situation.theory, self.situation.vocabulary
        term = vocabulary.classes.get(name) or vocabulary.properties.get(name)
        found = on(self.situation, x, terms)
        scope = of_rows(theory, found, tuple(home(theory, term)))
        if scope.kind == p.WHOLLY:
            self.leans += leaning(self.situation, x, [row for row in found if row.condition is not None])
        (self.closing if scope.kind == p.WHOLLY else self.open).append(scope)
        return False if scope.kind == p.WHOLLY else None

    def silent(self, step: Step, role: str) -> bool:
        """Whether a relation that rules make is only not said to hold, and other rules make it too."""
        terms = wider(self.situation.vocabulary, role)
        ruled = any(term in self.situation.theory.scope for term in terms)
        return ruled and self.decided(step.thing, terms, role) is None

    def unknown_number(self, step: Step) -> bool:
        """Whether a number is only a default, or what is handed on, and other rules have a part in it."""
        assert isinstance(step.node, m.Path)
        name = step.node.steps[-1]
        if step.why == "stated" or ruled(step):
            return False
        return self.decided(step.thing, (name,), name) is None

    def all_of(self, parts: list[Step]) -> bool | None:
        """Of parts that all have to hold, and do."""
        return True if all([self.value(q) for q in parts]) else None

    def one_true(self, parts: list[Step]) -> bool | None:
        """Of parts of which one has to hold, and does."""
        return True if any(self.value(q) for q in parts if q.value) else None

    def one_false(self, parts: list[Step], value: bool) -> bool | None:
        """Of parts that all have to hold, one of which does not."""
        failing = [q for q in parts if q.value is False]
        return value if not failing or any(self.value(q) is False for q in failing) else None

    def all_false(self, parts: list[Step]) -> bool | None:
        """Of parts of which one has to hold, and none does."""
        return False if all([self.value(q) is False for q in parts]) else None


def number(step: Step) -> Step | None:
    """The one number that an expression is, where it is one."""
    while isinstance(step.node, m.Path):
        inner = [q for q in step.parts if isinstance(q, Step)]
        if step.why != "path" or len(inner) != 1:
            return step
        step = inner[0]
    return None


def holds(found: Proof, situation: Situation) -> None:
    """Puts the answer to `is` in its scope: what is not so only because nothing says that it is, is no answer."""
    if found.verdict == p.UNDETERMINED or situation.case.elsewhere:
        return
    if Sure(situation).value(found.steps[0]) is None and (other := surer(situation, found.steps[0])) is not None:
        found.steps = (other,)
        found.winners = tuple(o for o in outcomes_in(found.steps) if o.status)
        found.defeats = tuple(outdone(situation.theory, found.considered, found.winners))
    sure = Sure(situation)
    if sure.value(found.steps[0]) is not None:
        found.scope = next((s for s in sure.closing if s.by or s.says), found.scope)
        found.silence = tuple(sure.leans)
        return
    found.verdict = p.OUTSIDE
    found.scope = together(sure.open)


def surer(situation: Situation, step: Step) -> Step | None:
    """A conjunction of a question that fails, by a part that is surely not so, where the part it was found to fail for is not."""
    node = step.node
    if step.value is not False or not isinstance(node, (m.And, m.Except)) or binds(node):
        return None
    for part in node.parts if isinstance(node, m.And) else (node.base, m.Not(node.carve)):
        tried = of_question(situation.theory, part)(situation, step.thing, {"this": step.thing, **situation.things})
        if tried.value is False and Sure(situation).value(tried) is False:
            return Step(node, step.thing, False, "and", (tried,), tried.soft)
    return None


def together(scopes: Sequence[Scope]) -> Scope:
    """One scope for several that an answer fails for."""
    refs = tuple(dict.fromkeys(ref for s in scopes for ref in s.needs))
    those = next((s.those for s in scopes if s.those), "")
    return Scope(p.OUTSIDE, refs, those, scopes[0].term if scopes else "")


# ── numbers ──


def ruled(step: Step) -> bool:
    """Whether a rule has a say in a number: one with a constant, a table or a factor, not only one that hands on what is stated."""
    rows_ = [r for r in step.parts if isinstance(r, Contribution)]
    if rows_:
        return any(r.state == "counts" and contributes(r) for r in rows_)
    return any(ruled(q) for q in step.parts if isinstance(q, Step))


def contributes(row: Contribution) -> bool:
    """Whether what a norm contributes is more than a number stated, or presumed where nothing is said, and changes something."""
    if row.op == m.ADDS and row.value is not None and row.value.value == 0:
        return overruled(row.value)
    if row.value is None or ruled(row.value):
        return True
    leaves = list(given(row.value))
    if row.op == m.SETS and isinstance(row.value.node, m.Path):
        return not leaves
    return not leaves or any(leaf.why == "stated" and leaf.value != 0 for leaf in leaves)


def overruled(step: Step) -> bool:
    """Whether a number that the case states is not the one that counts, for a rule puts another in its place."""
    if isinstance(step.node, m.Path) and step.why == "computed":
        return bool(step.thing.facts.numbers.get(step.node.steps[-1])) and ruled(step)
    return any(overruled(q) for q in step.parts if isinstance(q, Step))


def given(step: Step) -> Iterator[Step]:
    """The numbers that an expression reads, followed down to those that no norm sets."""
    if isinstance(step.node, m.Path) and step.why in ("stated", "default", "computed", "module"):
        rows_ = [r for r in step.parts if isinstance(r, Contribution) and r.state == "counts" and r.value is not None]
        if not any(r.op == m.SETS for r in rows_):
            yield step
        for r in rows_:
            if r.value is not None:
                yield from given(r.value)
        return
    for part in step.parts:
        if isinstance(part, Step):
            yield from given(part)


def value(found: Proof, situation: Situation) -> None:
    """Puts a number in its scope: a default, or what is only handed on, is none where other rules have a part in it."""
    untold = found.verdict == p.UNDETERMINED and found.steps[0].why == "unknown"
    if not (untold or found.verdict in (p.VALUE, p.SILENT)) or situation.case.elsewhere:
        return
    question, theory = found.question, situation.theory
    x = situation.things[question.thing]
    term = situation.vocabulary.properties[question.quantity]
    under = on(situation, x, (question.quantity,))
    scope = of_rows(theory, under, tuple(home(theory, term)))
    if scope.kind == p.WHOLLY or (scope.kind == p.PARTLY and found.verdict == p.VALUE and ruled(found.steps[0])):
        found.silence = leaning(situation, x, [row for row in under if row.condition is not None])
        found.scope = Scope() if untold else scope
        return
    found.verdict, found.open = p.OUTSIDE, ()
    found.scope = Scope(p.OUTSIDE, scope.needs, scope.those, scope.term)


# ── effects ──


def effects(found: Proof, situation: Situation) -> None:
    """Puts “no effect” in its scope: it is an answer where a chapter decides what such an event brings about."""
    if found.verdict != p.NO_EFFECT or situation.case.elsewhere:
        return
    theory, event = situation.theory, situation.things[found.question.thing]
    # That it is decided here whether an event is such (a hit, a Cowering attack) leaves open what it brings about.
    made = theory.makes.keys() - theory.acts - theory.events
    sure = [row for row, step in rows(situation, event) if step.value is True and row.term not in made]
    scope = of_rows(theory, sure, tuple(homes(situation, event)))
    found.scope = scope
    tried = [o for o in found.considered if o.status is False and but_for(situation, o, event, ruled_out)]
    if scope.kind == p.WHOLLY and found.considered:
        found.silence = leaning(situation, event, sure)
        return
    if scope.kind == p.PARTLY and tried:
        found.silence = tuple(filter(lone, spoken(situation, tried[0], event)))
        return
    found.verdict = p.OUTSIDE
    found.scope = Scope(p.OUTSIDE, scope.needs, scope.those, scope.term)


BOUND: dict[str, Callable[[Proof, Situation], None]] = {"is": holds, "value": value, "effects": effects}
