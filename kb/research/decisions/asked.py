"""An act in words to its situation and the rules that it is asked of, and what other rules say of it.

case = situation("asl", "Entry", {"destination": ["Pillbox"]})
difference(case, "reading=DISPUTE:OPTION"); rivals(case)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from kb import asking, registry
from kb.answers.interview import spoken
from kb.errors import LoopholeError, Problem, QueryError, did_you_mean
from kb.language import norms as m
from kb.language.case import Case
from kb.language.vocabulary import Vocabulary
from kb.reasoner.counterfactuals import readings
from kb.research.decisions import table as tables
from kb.research.decisions.table import DecisionTable, Difference
from kb.rulebook.theory import Theory
from kb.yaml_document import Source

BOOK = "book="  # of the other rules that are no rules of the same book


def home(act: str, roles: Mapping[str, Sequence[str]]) -> str:
    """The book that speaks of such an act, done to such things: of several the first. Raises LoopholeError where none does."""
    first: LoopholeError | None = None
    for name in registry.books():
        try:
            case = situation(name, act, roles)
        except LoopholeError as fault:
            first = first or fault
            continue
        facts, made = case.things[case.question.thing], rules(case)
        if made.deontic_of(made.kind_of(facts.is_, facts.not_), case.question.kind):
            return name
    raise first or QueryError(Problem(691, f"no rule says whether {act} may be done", hint="see loophole terms act"))


def acts(book: str) -> list[tuple[str, str]]:
    """The acts of which a book's rules say whether they may or must be done, each with what it is called."""
    made = registry.theory(book)
    named = {n.head.act for n in made.norms.values() if isinstance(n.head, m.Deontic)}
    return sorted(((act, made.vocabulary.classes[act].label) for act in named), key=lambda row: (row[1], row[0]))


def posed(
    act: str, book: str, roles: Mapping[str, Sequence[str]], modules: Sequence[str] = (), edition: str = ""
) -> tuple[Case, Theory]:
    """The situation that is asked about, in that book or the first that speaks of such an act, and the rules that it is asked of.
    Raises LoopholeError."""
    case = situation(book or home(act, roles), act, roles, modules)
    return case, rules(case, edition)


def situation(book: str, act: str, roles: Mapping[str, Sequence[str]], modules: Sequence[str] = ()) -> Case:
    """The situation that is asked about. roles: by relation of the act, the kinds of what it leads to, in words.

    Raises CaseError for an act or a book, QueryError (E692) for a relation or a kind that there is none of.
    """
    terms = registry.vocabulary(book)
    kinds = {name: kinds_of(terms, book, name, words) for name, words in roles.items()}
    case = tables.situation(terms, book, act, kinds)
    named = tuple(asking.module_named(registry.book(book), module, Source()) for module in modules)
    return replace(case, modules=named)


def kinds_of(terms: Vocabulary, book: str, name: str, words: Sequence[str]) -> tuple[str, ...]:
    """The classes that words name for what stands in a relation. Raises QueryError (E692)."""
    if name not in terms.properties or terms.properties[name].kind != "object":
        known = [n for n, term in terms.properties.items() if term.kind == "object"]
        hint = did_you_mean(name, known) or "see loophole terms act"
        raise QueryError(Problem(692, f"{book} has no relation “{name}” of an act", hint=hint))
    found: list[str] = []
    for word in words:
        classes = spoken(terms, word)
        if not classes:
            labels = [n for term in terms.classes.values() for n in (term.name, term.label, *term.alt)]
            hint = did_you_mean(word, labels) or "see loophole terms"
            raise QueryError(Problem(692, f"{book} has no kind “{word}”", hint=hint))
        found += classes
    return tuple(dict.fromkeys(found))


def rules(
    case: Case, edition: str = "", reading: str = "", chapters: Sequence[str] = (), without: Sequence[str] = ()
) -> Theory:
    """The rules that a situation is asked of. reading: dispute:option. Raises QueryError or RulebookError."""
    under = registry.in_edition(case.book, edition, "", without, ())
    dispute, _, option = reading.partition(":")
    read_so = registry.SHIPPED.known_readings(case.book, {dispute: option} if reading else {}, under.toggled)
    return asking.Manner(tuple(chapters), read_so, under, registry.SHIPPED).theory(case)


def other_rules(case: Case, said: str) -> Theory:
    """Other rules of the same book: `edition=ID`, `reading=DISPUTE:OPTION`, `chapters=B30,A7`, `without=ERRATUM`. Raises QueryError."""
    what, _, name = said.partition("=")
    match what:
        case "edition":
            return rules(case, edition=name)
        case "reading":
            return rules(case, reading=name)
        case "chapters":
            return rules(case, chapters=name.split(","))
        case "without":
            return rules(case, without=(name,))
    hint = "write edition=ID, reading=DISPUTE:OPTION, chapters=B30, without=ERRATUM or book=ID"
    raise QueryError(Problem(694, f"“{said}” names no other rules", hint=hint))


def beside(
    case: Case, act: str, roles: Mapping[str, Sequence[str]], other: str, made: Theory | None = None
) -> list[DecisionTable]:
    """The tables of an act in its book and in another: they share no words, so none is set against the other. Raises LoopholeError,
    TooWide."""
    theirs = situation(other, act, roles)
    return [tables.table(theory, posed_) for theory, posed_ in ((made or rules(case), case), (rules(theirs), theirs))]


def difference(case: Case, said: str, made: Theory | None = None) -> Difference:
    """Where other rules say otherwise. made: those that they are set against, where not the usual. Raises QueryError, TooWide."""
    other = other_rules(case, said)
    return tables.difference(made or rules(case), other, case)


def rivals(case: Case, made: Theory | None = None) -> Iterator[tuple[str, str, str, Difference]]:
    """Each other reading of an ambiguous rule that matters to an act: the dispute, how it is read and how it might be, and where that
    makes a difference. Raises TooWide."""
    adopted = made or rules(case)
    for dispute, options in readings(adopted).items():
        for option in options[1:]:
            found = difference(case, f"reading={dispute}:{option}", adopted)
            if found.rows:
                yield dispute, options[0], option, found
