"""Compiles a linked book into a Theory: indexes norms by what they conclude and works out which is more specific."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from kb.errors import Place, Problem, RulebookError
from kb.language import norms as m
from kb.language.parser import Fault, condition
from kb.language.vocabulary import Vocabulary
from kb.rulebook import leaves
from kb.rulebook.linker import Linker
from kb.rulebook.theory import Theory


def theory(
    book: m.Book,
    vocabulary: Vocabulary,
    chapters: Iterable[str] = (),
    readings: dict[str, str] | None = None,
    specific: Iterable[tuple[str, str]] = (),
    shapes: Iterable[tuple[str, str]] | None = None,
    like: Theory | None = None,
) -> Theory:
    """The theory of a linked book, or of some of its chapters and what they build on.

    readings: dispute to option, where another than the adopted reading is wanted. specific: pairs of norm ids of which
    the first's condition is subsumed by the second's, as decided by a DL reasoner; structural subsumption is added: `shapes`,
    which more_specific gives for a whole book, or worked out here when left out. like: another theory over the same
    vocabulary, whose definitions are read already.
    Raises RulebookError for unknown chapters or definitions that do not read.
    """
    loaded = choose(book, chapters)
    adopted = dict(readings or {})
    vocabulary = vocabulary.with_ends(name for c in loaded for s in c.sections for n in s.norms for name in ended(n))
    made = Theory(book.id, vocabulary, book.policy, {}, {}, {}, {c.id: c for c in loaded})
    for chapter in loaded:
        for table in chapter.tables:
            made.tables[table.name] = table
        for section in chapter.sections:
            made.sections[section.rule] = section
            for norm in section.norms:
                if norm.reading:
                    dispute, _, option = norm.reading.partition(":")
                    if adopted.setdefault(dispute, option) != option:
                        continue
                made.norms[norm.id] = norm
    here = {*made.sections, *made.chapters, *(alias for chapter in loaded for alias in chapter.aliases)}
    left = leaves.Leaves(made, here)
    for chapter in loaded:
        for row in chapter.scope:
            if row.kind != m.LEFT:
                made.scope.setdefault(row.term, []).append(less_loaded(here, row))
            elif not here.issuperset(row.refs):
                norm = left.norm(chapter, row)
                same = like.norms.get(norm.id) if like is not None else None
                made.norms[norm.id] = same if same == norm else norm
                made.leaves |= {norm.id}
    for norm in made.norms.values():
        index(made, norm)
    if like is None:
        define(made)
    else:
        made.definitions, made.defined_below = like.definitions, like.defined_below
        share(made, like)
    made.specific = frozenset(specific) | frozenset(more_specific(book, vocabulary) if shapes is None else shapes)
    return made


def ended(norm: m.Norm) -> Iterator[str]:
    """The classes that a norm ends, or that it makes something until an event, or that it speaks of when they end."""
    head = norm.head
    if isinstance(head, m.Effect) and (head.ends or norm.until):
        yield head.term
    if isinstance(head, m.OnEvent) and head.event.startswith(m.NO_MORE):
        yield m.trigger_of(head)


def less_loaded(here: set[str], row: m.ScopeRow) -> m.ScopeRow:
    """A row of a scope without the rules that are loaded (here); one whose rules all are is decided wholly."""
    refs = tuple(r for r in row.refs if r not in here)
    if refs == row.refs:
        return row
    return replace(row, kind=row.kind if refs else m.WHOLLY, refs=refs)


def share(made: Theory, like: Theory) -> None:
    """Takes over the functions that `like` has for its norms, where the norms and tables of both are the very same.

    A function looks nothing up in its theory but tables; in which order it tries the parts of a condition is its theory's
    guess at their cost, and makes no difference to what comes out.
    """
    same_norms = all(like.norms.get(i, norm) is norm for i, norm in made.norms.items())
    if same_norms and all(like.tables.get(name) is table for name, table in made.tables.items()):
        made.compiled, made.shared, made.asked = like.compiled, like.shared, like.asked


def choose(book: m.Book, wanted: Iterable[str]) -> list[m.Chapter]:
    """The chapters wanted (all for none) and those that they build on. Raises RulebookError (E301)."""
    by_id = {c.id: c for c in book.chapters}
    names = list(wanted) or list(by_id)
    problems = [
        Problem(301, f"{book.id} has no chapter “{n}”", hint=f"chapters: {', '.join(by_id)}")
        for n in names
        if n not in by_id
    ]
    if problems:
        raise RulebookError(problems)
    chosen: dict[str, m.Chapter] = {}

    def add(name: str) -> None:
        if name in by_id and name not in chosen:
            for base in by_id[name].builds_on:
                add(base)
            chosen[name] = by_id[name]

    for name in names:
        add(name)
    return list(chosen.values())


def index(made: Theory, norm: m.Norm) -> None:
    """Files a norm under what it concludes."""
    classes = made.vocabulary.classes
    match norm.head:
        case m.Deontic():
            made.deontic.append(norm)
        case m.CountsAs(_, target, False):
            for cls in classes[target].ancestors:
                made.makes.setdefault(cls, []).append(norm)
        case m.CountsAs(_, target, True):
            for cls in classes[target].descendants:
                made.unmakes.setdefault(cls, []).append(norm)
        case m.Relates(_, role, _, _):
            for name in made.vocabulary.above[role]:
                made.relations.setdefault(name, []).append(norm)
        case m.QuantityHead(_, quantity, _, _):
            made.quantities.setdefault(quantity, []).append(norm)
        case m.Effect() | m.Change() | m.Link():
            (made.turns if norm.head.becoming else made.effects).append(norm)
            made.linking |= {norm.head.role} if isinstance(norm.head, m.Link) else set()


def define(made: Theory) -> None:
    """Reads the ontology's definitions; a class also holds of what a defined class below it holds of."""
    problems = []
    linker = Linker(m.Book("", "", (), made.policy, ()), made.vocabulary, {})
    for name, term in made.vocabulary.classes.items():
        found = []
        for text in term.definitions:
            linker.problems = []
            try:
                found.append(linker.condition(condition(text)))
            except Fault as e:
                linker.problems.append(Problem(302, e.message, hint=e.hint))
            problems += [
                Problem(302, f"definition of {name}, “{text}”: {p.message}", Place("ontology", 0), p.hint)
                for p in linker.problems
            ]
        if found:
            made.definitions[name] = tuple(found)
    for name, term in made.vocabulary.classes.items():
        below = tuple(d for d in sorted(term.descendants) if d != name and d in made.definitions)
        if below:
            made.defined_below[name] = below
    if problems:
        raise RulebookError(problems)


def more_specific(book: m.Book, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Pairs of deontic norms of which the first speaks of fewer acts, seen from their shape alone (sound, not complete)."""
    shapes = [
        (norm.id, norm.head, conjuncts(norm.when))
        for chapter in book.chapters
        for section in chapter.sections
        for norm in section.norms
        if isinstance(norm.head, m.Deontic)
    ]
    # Each is filed under one thing of all that it asks, that which the fewest tell: what is narrower tells something by which that holds.
    often = Counter(name for _, _, when in shapes for name in telling(vocabulary, when))
    filed: dict[object, dict[str, list[int]]] = {}
    for at, (_, head, when) in enumerate(shapes):
        for name in rarest(when, often) if when else (None,):
            filed.setdefault(name, {}).setdefault(head.act, []).append(at)
    for a, head, when in shapes:
        found = filed.keys() & {None, *telling(vocabulary, when)}
        acts = vocabulary.classes[head.act].ancestors
        for at in sorted({i for name in found for act in filed[name].keys() & acts for i in filed[name][act]}):
            b, other, wider = shapes[at]
            if (
                head.mode != other.mode and narrower(vocabulary, when, wider)
                and not (head.act == other.act and narrower(vocabulary, wider, when))
            ):  # fmt: skip
                yield a, b


def rarest(asked: Iterable[m.Condition], often: Mapping[object, int]) -> tuple[object, ...]:
    """The names by which what implies conditions, as `implies` sees it, is best found: it tells one of them at least."""

    def names(q: m.Condition) -> Iterator[tuple[object, ...]]:
        match q:
            case m.Named(name):
                yield (name,)
            case m.Some(role, filler):
                yield (role.name,)
                for part in conjuncts(filler):
                    yield from names(part)
            case m.Or(parts):
                yield tuple(name for part in parts for name in rarest([part], often))
            case _:
                yield (q,)

    return min((found for q in asked for found in names(q)), key=lambda found: sum(often[name] for name in found))


def telling(vocabulary: Vocabulary, conditions: Iterable[m.Condition]) -> set[object]:
    """The names of all that conditions may imply."""
    found: set[object] = set()
    for p in conditions:
        match p:
            case m.Named(name):
                found |= vocabulary.classes[name].ancestors
            case m.Some(role, filler):
                found.update(vocabulary.above.get(role.name, (role.name,)))
                found |= telling(vocabulary, conjuncts(filler))
            case m.Or(parts):
                found |= telling(vocabulary, parts)
            case _:
                found.add(p)
    return found


def narrower(vocabulary: Vocabulary, one: Iterable[m.Condition], other: Iterable[m.Condition]) -> bool:
    """Whether conjuncts say at least as much as others."""
    return all(any(implies(vocabulary, p, q) for p in one) for q in other)


def conjuncts(c: m.Condition) -> tuple[m.Condition, ...]:
    """The parts that all have to hold."""
    match c:
        case m.And(parts):
            return tuple(x for p in parts for x in conjuncts(p))
        case m.Anything():
            return ()
        case m.Except(base, carve, _):
            return (*conjuncts(base), m.Not(carve))
    return (c,)


def implies(vocabulary: Vocabulary, p: m.Condition, q: m.Condition) -> bool:
    """Whether a condition's shape alone tells that another holds with it. False may mean that it is not seen."""
    if type(p) is type(q) and p == q:
        return True
    if isinstance(q, m.Or):
        return any(implies(vocabulary, p, part) for part in q.parts)
    if isinstance(p, m.Named) and isinstance(q, m.Named):
        return q.name in vocabulary.classes[p.name].ancestors
    if isinstance(p, m.Some) and isinstance(q, m.Some):
        r, s = p.role, q.role
        below = s.name in vocabulary.properties and r.name in vocabulary.properties[s.name].below
        if not below or r.inverse != s.inverse:
            return False
        inner = conjuncts(p.filler)
        return all(any(implies(vocabulary, i, y) for i in inner) for y in conjuncts(q.filler))
    return False


def without(made: Theory, norm_id: str) -> Theory:
    """The same theory less one norm: what the book would say if the rule were struck out."""
    return amended(made, {norm_id: None})


def bare(made: Theory) -> Theory:
    """The same theory as if rules that are not loaded had nothing to say of what is left to them; kept."""
    if made.bare is None:
        made.bare = amended(made, dict.fromkeys(made.leaves)) if made.leaves else made
    return made.bare


def amended(made: Theory, instead: Mapping[str, m.Norm | None]) -> Theory:
    """The same theory with other norms in the place of some, by their ids; None: struck out. Which norm is the more specific stays."""
    norms = {name: norm for name, was in made.norms.items() if (norm := instead.get(name, was)) is not None}
    other = Theory(
        made.book, made.vocabulary, made.policy, norms, made.sections, made.tables, made.chapters,
        definitions=made.definitions, defined_below=made.defined_below, specific=made.specific, scope=made.scope,
        leaves=made.leaves.intersection(norms),
    )  # fmt: skip
    for norm in norms.values():
        index(other, norm)
    share(other, made)
    if other.compiled is not made.compiled:  # what is worked out for the other norms stands
        other.compiled = {key: found for key, found in made.compiled.items() if key not in instead}
        other.shared, other.asked = made.shared, made.asked
    return other
