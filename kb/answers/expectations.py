"""Checks a proof against what a case expects of it (`expect:` in docs/cases.md). No mismatch, no message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kb.language.english import shown
from kb.language.rule_number import same_rule
from kb.language.vocabulary import fold
from kb.numbers import number
from kb.reasoner import proof as p
from kb.reasoner.proof import Proof

VERDICTS = {
    "yes": p.HOLDS, "no": p.FAILS, "none": p.NO_EFFECT, "noeffect": p.NO_EFFECT, "notrequired": p.PERMITTED,
    "notruledhere": p.OUTSIDE,
}  # fmt: skip


NO_VALUE = "none"  # of a number that nothing loaded gives


def mismatches(proof: Proof) -> list[str]:
    """One sentence for each expectation that the proof does not meet, in the order of the case."""
    found: list[str] = []
    for key, wanted in proof.case.expect.items():
        check = CHECKS.get(key)
        if check is not None:
            found += check(proof, wanted)
    return found


def verdict(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells a verdict that is not the one wanted: by its name, as yes or no, or as a number."""
    said, got = word(wanted), proof.verdict
    if got in (said.casefold(), VERDICTS.get(fold(said))) or (got == p.VALUE and number(said) == proof.value):
        return
    yield f"verdict: expected {said}, got {shown(proof.value) if got == p.VALUE else got}"


def answer(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells an answer that is not the word or number wanted."""
    said = word(wanted)
    same = proof.value is not None and number(said) == proof.value
    if not same and said.casefold() != proof.answer.casefold():
        yield f"answer: expected {said}, got {proof.answer}"


def word(wanted: Any) -> str:
    """A verdict as written; YAML reads a bare yes or no as true or false."""
    return {True: "yes", False: "no"}[wanted] if isinstance(wanted, bool) else str(wanted)


def value(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells a number that is not the one wanted, or that there is one where `none` is."""
    exact = number(wanted)
    if str(wanted).casefold() == NO_VALUE:
        if proof.value is not None:
            yield f"value: expected {NO_VALUE}, got {shown(proof.value)}"
    elif exact is None:
        yield f"value: “{wanted}” in the case is no number"
    elif exact != proof.value:
        got = shown(proof.value) if proof.value is not None else proof.verdict
        yield f"value: expected {shown(exact)}, got {got}"


def effects(proof: Proof, wanted: Any) -> Iterator[str]:
    """Exactly these [thing, class] pairs; the empty list: none."""
    classes = proof.theory.vocabulary
    pairs = set()
    for row in listed(wanted):
        if not isinstance(row, (list, tuple)) or len(row) != 2:
            yield f"effects: “{row}” in the case is no [thing, class] pair"
            continue
        thing, word = str(row[0]), str(row[1])
        name = classes.resolve(word, [classes.classes])
        if name is None:
            yield f"effects: no class is called “{word}”"
        elif thing not in proof.case.things and "." not in thing:
            yield f"effects: the case has no thing “{thing}”"
        else:
            pairs.add((thing, name))
    got = {(c.thing, c.cls) for c in proof.effects}
    if proof.verdict == p.UNDETERMINED:
        yield "effects: expected " + (tell_pairs(pairs) or "none") + ", but the answer is undetermined"
    elif pairs - got:
        yield f"effects: expected also {tell_pairs(pairs - got)}; got {tell_pairs(got) or 'none'}"
    if got - pairs:
        yield f"effects: {tell_pairs(got - pairs)} came about and was not expected"


def tell_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Effects as a case writes them."""
    return ", ".join(f"[{thing}, {cls}]" for thing, cls in sorted(pairs))


def which(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells which classes or things are missing from those chosen, and which are too many."""
    classes = proof.theory.vocabulary
    things = proof.case.things if proof.question.things else {}
    names = {
        str(w) if str(w) in things else classes.resolve(str(w), [classes.classes]) or str(w) for w in listed(wanted)
    }
    got = set(proof.chosen)
    if names != got:
        missing, extra = sorted(names - got), sorted(got - names)
        parts = [f"expected also {', '.join(missing)}"] if missing else []
        parts += [f"did not expect {', '.join(extra)}"] if extra else []
        yield f"which: {'; '.join(parts)} (got {', '.join(sorted(got)) or 'none'})"


def cites(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells rules wanted that are not among those cited."""
    yield from rules(proof, "cites", proof.cites, wanted)


def uncited(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells rules that must have no say and are among those cited."""
    for rule in listed(wanted):
        if not list(rules(proof, "uncited", proof.cites, rule)):
            yield f"uncited: {rule} is among those cited: {', '.join(proof.cites)}"


def defeated(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells rules wanted that are not among those that lost."""
    yield from rules(proof, "defeated", proof.defeated, wanted)


def rules(proof: Proof, key: str, got: Iterable[str], wanted: Any) -> Iterator[str]:
    """Tells rules wanted that are not among those got, in whatever letters they are written."""
    have = list(got)
    aliases = [(alias, c.id) for c in proof.theory.chapters.values() for alias in c.aliases]
    for rule in listed(wanted):
        if not any(same_rule(str(rule), h, aliases) for h in have):
            yield f"{key}: expected {rule} among {', '.join(have) or 'none'}"


def missing(proof: Proof, wanted: Any) -> Iterator[str]:
    """Each phrase, or each class or property name, is asked for by some missing fact."""
    vocabulary = proof.theory.vocabulary
    asks = [row.said(vocabulary) for row in proof.missing]
    edited = {e.name for row in proof.missing for edits in row.edits for e in edits}
    for phrase in listed(wanted):
        terms = {str(phrase)}
        name = vocabulary.resolve(str(phrase))
        if name is not None:
            term = vocabulary.classes.get(name) or vocabulary.properties[name]
            terms |= {name, term.label, *term.alt}
            if name in edited:
                continue
        if not any(fold(t) in fold(a) for t in terms for a in asks) and not all_words(str(phrase), asks):
            yield f"missing: nothing asks for “{phrase}”; asked: {'; '.join(asks) or 'nothing'}"


def all_words(phrase: str, asks: Iterable[str]) -> bool:
    """Whether one question holds every word of a phrase."""
    found = [fold(w) for w in phrase.split() if fold(w)]
    return bool(found) and any(all(w in fold(a) for w in found) for a in asks)


def grade(proof: Proof, wanted: Any) -> Iterator[str]:
    """Tells a grade that is not the one wanted."""
    if fold(str(wanted)) != fold(proof.grade):
        yield f"grade: expected {wanted}, got {proof.grade}"


def assumes(proof: Proof, wanted: Any) -> Iterator[str]:
    """Each phrase stands in some assumption; [] says that nothing is assumed."""
    texts = [a.said(proof.theory.vocabulary) for a in proof.assumptions]
    phrases = listed(wanted)
    if not phrases and texts:
        yield f"assumes: expected nothing, got {'; '.join(texts)}"
    for phrase in phrases:
        if not any(fold(str(phrase)) in fold(t) for t in texts) and not all_words(str(phrase), texts):
            yield f"assumes: nothing assumed says “{phrase}”; assumed: {'; '.join(texts) or 'nothing'}"


def until(proof: Proof, wanted: Any) -> Iterator[str]:
    """The event that ends what is required or caused."""
    vocabulary = proof.theory.vocabulary
    got = [ending.event for o in proof.winners for ending in o.norm.until]
    for word in listed(wanted):
        name = vocabulary.resolve(str(word), [vocabulary.classes]) or str(word)
        if name not in got:
            yield f"until: expected {word}, got {', '.join(got) or 'no end'}"


def reading(proof: Proof, wanted: Any) -> Iterator[str]:
    """Each phrase stands in what another reading of the text would change; [] says that none changes anything."""
    said = [f.said(proof.theory.vocabulary) for f in proof.read_otherwise]
    phrases = listed(wanted)
    if not phrases and said:
        yield f"reading: expected none, got {', '.join(said)}"
    for phrase in phrases:
        if not any(fold(str(phrase)) in fold(s) for s in said):
            yield f"reading: no other reading “{phrase}” turns the answer; those that do: {', '.join(said) or 'none'}"


def listed(value: Any) -> list[Any]:
    """A list; of one thing where one is given."""
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


CHECKS = {
    "verdict": verdict, "answer": answer, "value": value, "effects": effects, "which": which, "cites": cites,
    "uncited": uncited,
    "defeated": defeated, "missing": missing, "grade": grade, "assumes": assumes, "until": until,
    "reading": reading,
}  # fmt: skip
