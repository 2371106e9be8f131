"""One question put to every game: stated once in words that the games share, answered by each book's own rules.

A comparison is a case without a book (kb/comparisons/*.yaml). Where it says `about: CLASS`, a class that the games share,
each book's own kinds of it stand in turn where the case says `$kind`. Nothing here knows a game: the books are those
present, and what a shared notion is in each of them is read from the ontology.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from kb import asking, registry
from kb.answers import explain
from kb.checker import support
from kb.compare import kindred
from kb.compare.comparison import ANSWERS, CANNOT, CONTRARY, KIND, NO, UNRULED, UNSAID, YES, Comparison, Wording, books
from kb.compare.words import spoken
from kb.errors import CaseError, Problem
from kb.language import english
from kb.language.vocabulary import CONCLUDED, ClassTerm, Vocabulary
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof

NO_WORD = (423, 425, 427, 436)  # the codes by which a case is told that a book has no such word


@dataclass(frozen=True)
class Row:
    """One game's answer for one of its kinds. `proof` is None where the case cannot be put in that game's words."""

    book: str
    title: str
    kind: str
    label: str
    answer: str
    cites: tuple[str, ...] = ()
    said: str = ""
    notes: tuple[str, ...] = ()
    proof: Proof | None = None

    @property
    def verdict(self) -> str:
        """The verdict of the proof; "" where there is none."""
        return self.proof.verdict if self.proof is not None else ""


@dataclass(frozen=True)
class Meaning:
    """What one word of the question is in one game."""

    word: str
    book: str
    name: str
    definition: str
    shared: tuple[str, ...]


@dataclass(frozen=True)
class Answered:
    """A comparison with a row for each kind of each game, and the words that are not the same thing everywhere."""

    comparison: Comparison
    rows: tuple[Row, ...]
    homonyms: tuple[tuple[Meaning, ...], ...] = ()

    def systems(self, answer: str = YES) -> list[str]:
        """The books of which every row that arises has this answer."""
        found: dict[str, bool] = {}
        for row in self.rows:
            if row.answer != CANNOT:
                found[row.book] = found.get(row.book, True) and row.answer == answer
        return [book for book, same in found.items() if same]


# ── answering ──


def answer(asked: Comparison, only: Iterable[str] = ()) -> Answered:
    """Put the question to each book (or these). Raises CaseError where no book has the words of it."""
    rows: list[Row] = []
    faults: list[Problem] = []
    for book in tuple(only) or books():
        vocabulary = registry.vocabulary(book)
        listed = kinds(vocabulary, asked.about) if asked.about else [None]
        if not listed:
            rows.append(nothing(asked, book, vocabulary))
        for kind in listed:
            try:
                rows.append(row(asked, book, kind))
            except CaseError as e:
                if any(found.code not in NO_WORD for found in e.problems):
                    raise
                faults += e.problems
                rows.append(unspoken(asked, book, kind, e.problems))
    if faults and not any(r.proof for r in rows):
        raise CaseError(faults)
    if not asked.name:
        rows = [row if row.proof else with_kindred(row, asked.question) for row in rows]
    if asked.turned:
        rows = [replace(r, answer=CONTRARY.get(r.answer, r.answer)) for r in rows]
    return Answered(asked, tuple(told_apart(rows)), homonyms(asked))


def with_kindred(row: Row, question: str) -> Row:
    """A row without an answer, with the rules of its game that speak of the same act and kinds of things."""
    told = any(kindred.SPEAK in note for note in row.notes)
    listed = [] if told else kindred.rules_on(question, row.book)
    return replace(row, notes=(*row.notes, f"{kindred.SPEAK}: {', '.join(listed)}")) if listed else row


def told_apart(rows: list[Row]) -> Iterator[Row]:
    """The rows without those of a wider kind that is open only because its narrower kinds are told apart."""
    for row in rows:
        if row.verdict == p.UNDETERMINED and row.kind:
            below = registry.vocabulary(row.book).classes[row.kind].descendants - {row.kind}
            narrower = [r for r in rows if r.book == row.book and r.kind in below]
            if len(narrower) > 1 and all(r.verdict != p.UNDETERMINED for r in narrower):
                continue
        yield row


def kinds(vocabulary: Vocabulary, about: str) -> list[ClassTerm | None]:
    """The book's own kinds of a shared notion, the widest first; of a word of its own, that and the kinds of it."""
    top = vocabulary.resolve(about, [vocabulary.classes])
    if top is None:
        return []
    below = [vocabulary.classes[name] for name in vocabulary.classes[top].descendants]
    found = [t for t in below if own(vocabulary, t) and t.when_unstated != CONCLUDED and "State" not in t.ancestors]
    return [*sorted(found, key=lambda t: (len(t.ancestors), t.name))]


def own(vocabulary: Vocabulary, term: ClassTerm) -> bool:
    """Whether a class is of the book's own game."""
    return vocabulary.own(term.name)


def row(asked: Comparison, book: str, kind: ClassTerm | None) -> Row:
    """The answer of one book for one kind. Raises CaseError where the case cannot be put in the book's words."""
    put = chosen(asked, book, kind)
    name, label = (kind.name, kind.label) if kind is not None else ("", "")
    notes = (put.says,) if put.says else ()
    if put.ask is None:
        return Row(book, title(book), name, label, put.answers.get("else", CANNOT), notes=notes)
    data = {"book": book, "things": put.things, "ask": put.ask, "history": list(put.history), "title": asked.question}
    proof = asking.ask(asking.case(filled(data, name)))
    said = UNSAID if not asked.name and presumed(proof) else in_a_word(proof, put.answers)
    # What kind a thing is, the row says already.
    rules = (rule for rule in proof.cites if rule not in proof.rest.kin)
    cites = () if said == UNSAID or proof.verdict in (p.SILENT, p.OUTSIDE) else tuple(dict.fromkeys(rules))
    return Row(
        book, title(book), name, label, said, cites, explain.claim(proof),
        (*notes, *remarks(proof, said)), proof,
    )  # fmt: skip


def chosen(asked: Comparison, book: str, kind: ClassTerm | None) -> Wording:
    """The wording for a kind: the first that names the book, else the first for a class the kind is below, else the plain."""
    for put in asked.instead:
        if put.book == book and (not put.where or (kind is not None and put.where in kind.ancestors)):
            return put
    for put in asked.instead:
        if not put.book and kind is not None and put.where in kind.ancestors:
            return put
    return asked.wording


def filled(value: Any, kind: str) -> Any:
    """The case with each `$kind` replaced, in values only."""
    if isinstance(value, Mapping):
        return {key: filled(inner, kind) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [filled(inner, kind) for inner in value]
    return value.replace(KIND, kind) if isinstance(value, str) else value


def presumed(proof: Proof) -> bool:
    """Whether something is not so merely because nothing says that it is: to a question that nobody worded, no answer."""
    told = proof.scope.by or support.applied(proof.steps)
    return proof.verdict == p.FAILS and proof.grade != p.SETTLED and not told


def in_a_word(proof: Proof, answers: Mapping[str, str]) -> str:
    """The answer as the table has it: a word, a number, or what comes about."""
    if proof.verdict == p.OUTSIDE:
        # “else” tells what silence means; here it means nothing.
        return answers.get(p.OUTSIDE, UNRULED)
    if answers:
        return answers.get(proof.verdict) or answers.get("else") or ANSWERS.get(proof.verdict, proof.verdict)
    if proof.verdict == p.VALUE:
        return english.shown(proof.value)
    if proof.verdict in (p.EFFECTS, p.WHICH):
        return explain.claim(proof)
    if proof.question.kind == "must" and proof.verdict in (p.PERMITTED, p.FORBIDDEN):
        return NO
    said = ANSWERS.get(proof.verdict, proof.verdict)
    return CONTRARY.get(said, said) if proof.question.turned else said


def remarks(proof: Proof, said: str) -> Iterator[str]:
    """What the reader of a row has to know besides the answer: whose word it is, and what it hangs on."""
    beyond = explain.beyond(proof).strip(", ").removeprefix("by the loaded rules; ")
    if proof.verdict == p.OUTSIDE:
        beyond = explain.decide(proof)
    if beyond and (said != UNSAID or proof.verdict == p.OUTSIDE):
        yield beyond
    elif proof.scope.by and proof.scope.says and not proof.winners:
        yield proof.scope.says
    if proof.verdict == p.UNDETERMINED:
        for fact in proof.missing[:2]:
            yield f"it turns on {fact.said(proof.theory.vocabulary)}"
    for rule in [rule for rule in proof.needs if rule not in proof.scope.needs][:2]:
        yield f"leans on {rule}, which is not loaded"


def nothing(asked: Comparison, book: str, vocabulary: Vocabulary) -> Row:
    """The row of a book that has no kind of what the question is about."""
    term = next((v.classes[asked.about] for v in [vocabulary] if asked.about in v.classes), None)
    called = term.label if term is not None else asked.about
    answer = asked.wording.answers.get("else", UNSAID)
    return Row(book, title(book), "", "", answer, notes=(f"its loaded rules know no {called}",))


def unspoken(asked: Comparison, book: str, kind: ClassTerm | None, problems: Sequence[Problem]) -> Row:
    """The row of a book that has no word for something in the question."""
    answer = chosen(asked, book, kind).answers.get("else", UNSAID)
    said = dict.fromkeys(quoted(found.message) for found in problems)
    name, label = (kind.name, kind.label) if kind is not None else ("", "")
    return Row(
        book, title(book), name, label, answer, notes=(f"its loaded rules know no {english.series(said, 'or')}",)
    )


def quoted(message: str) -> str:
    """The word that a message quotes."""
    return message.partition("“")[2].partition("”")[0] or message


def title(book: str) -> str:
    """A book's title, as its policy gives it."""
    return registry.book(book).title or book


# ── the same word, another thing ──


def homonyms(asked: Comparison) -> tuple[tuple[Meaning, ...], ...]:
    """The words of the question that name a class of their own in several books."""
    said = [w for w in spoken(asked.question) if len(w) > 2]
    said += [a + b for a, b in pairwise(said)]
    found = []
    for word in dict.fromkeys(said):
        listed = meanings(word)
        if len({m.definition for m in listed}) > 1:
            found.append(listed)
    return tuple(found)


def meanings(word: str) -> tuple[Meaning, ...]:
    """What a word is in each book that has a class of its own by that name, or by that label or abbreviation."""
    found = []
    for book in books():
        vocabulary = registry.vocabulary(book)
        name = vocabulary.resolve(word, [vocabulary.classes])
        if name is not None and vocabulary.own(name):
            term = vocabulary.classes[name]
            shared = [a for a in term.ancestors if not vocabulary.own(a)]
            tops = [a for a in shared if not any(a != b and a in vocabulary.classes[b].ancestors for b in shared)]
            labels = tuple(sorted(vocabulary.classes[a].label for a in tops))
            found.append(Meaning(word, book, term.label, term.definition, labels))
    return tuple(found)
