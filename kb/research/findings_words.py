"""Findings about words: hedges, words of a rule that say another mode than its norms, words in two senses and words that nothing explains."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from kb.language import norms as m, phrases
from kb.language.english import series
from kb.research.finding import LIKELY, PROVEN, Finding
from kb.research.findings_references import content
from kb.research.study import Study, bare, named

HEDGE = re.compile(
    r"(?<!as )\b(usually|generally|normally|mostly|as a rule|often|typically|in general|perhaps|mainly)\b", re.I
)
MUST = re.compile(r"\b(must|has to|have to|needs to)\b", re.I)
MUST_NOT = re.compile(r"\b(must not|may not|cannot|can not|can never|may never|never may)\b", re.I)
MAY = re.compile(r"\b(may|can)\b(?! (?:not|never|only))", re.I)
NEGATED = re.compile(r"\b(no|not|never|neither|nobody|none|nor|only)\b", re.I)
NATION = "Nationality"  # whose a piece is stands on it
ONCE = re.compile(r"\b(once|twice)\b", re.I)  # a leave that is a limit too
MOST_RULES = 2  # a word that more rules turn on is one of the game's, that every reader knows
MANY_WORDS = 6  # of an exception, that make it one to be named
BY_WORDS = "the words of our sentence, held against its norms"


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of a book's words."""
    yield from hedges(study)
    yield from modes(study)
    yield from two_kinds(study)
    yield from same_noun(study)
    yield from unexplained(study)
    yield from of_the_chapter(study)
    yield from unmarked(study)
    yield from brackets(study)


def sentences(study: Study) -> Iterator[tuple[m.Section, m.Sentence, list[m.Norm]]]:
    """The sentences that are no examples, with their norms."""
    for section in study.sections.values():
        for sentence in section.sentences:
            if not sentence.example:
                yield section, sentence, [n for n in section.norms if sentence.number in n.sentences]


def hedges(study: Study) -> Iterator[Finding]:
    """A finding for each sentence that says how it mostly is."""
    for section, sentence, norms in sentences(study):
        for word in dict.fromkeys(w.casefold() for w in HEDGE.findall(sentence.text)):
            how = "is encoded as if it always were so" if norms else "is not encoded"
            yield Finding(
                study.book.id, "modality", (section.rule,), f"“{word}” in {section.rule} leaves open when it is not so; the sentence {how}.",
                f"Does “{word}” in {section.rule} allow for an exception that stands nowhere?", BY_WORDS, LIKELY, tuple(n.id for n in norms),
                (word,), (bare(sentence.text),), None, f"{word} {sentence.number}",
            )  # fmt: skip


def modes(study: Study) -> Iterator[Finding]:
    """A finding for each sentence whose word for a duty, a bar or a leave is met by no norm of that mode."""
    for section, sentence, norms in sentences(study):
        text = re.sub(r"\[[^\[\]]*\]", "", sentence.text)
        deontic = {n.head.mode for n in norms if isinstance(n.head, m.Deontic)}
        if not deontic or len({n.sentences for n in norms}) > 1 or any(len(n.sentences) > 1 for n in norms):
            continue  # it says what things are, or shares its norms with another
        word = wanted = ""
        if MUST_NOT.search(text):
            word, wanted = MUST_NOT.findall(text)[0], m.FORBIDS
        elif MUST.search(text):
            word, wanted = MUST.findall(text)[0], m.REQUIRES
        elif MAY.search(text) and not NEGATED.search(sentence.text) and not ONCE.search(text):
            word, wanted = MAY.findall(text)[0], m.PERMITS
        near = {m.FORBIDS: {m.FORBIDS}, m.REQUIRES: {m.REQUIRES, m.FORBIDS}, m.PERMITS: {m.PERMITS, m.WAIVES}}.get(
            wanted, deontic
        )
        if word and not near & deontic and not any(isinstance(n.head, m.CountsAs) and n.head.negated for n in norms):
            has = named(sorted(deontic))
            yield Finding(
                study.book.id, "modality", (section.rule,), f"{section.rule} says “{word}”, and its norms only {has}.",
                f"Does “{word}” in {section.rule} mean that it {has}?", BY_WORDS, LIKELY, tuple(n.id for n in norms), (word,),
                (bare(sentence.text),), None, f"mode {sentence.number}",
            )  # fmt: skip


# ── two senses ──


def two_kinds(study: Study) -> Iterator[Finding]:
    """A finding for each class that different rules count among different things."""
    classes = study.theory.vocabulary.classes
    counted: dict[str, list[m.Norm]] = {}
    for norm in study.theory.norms.values():
        if isinstance(norm.head, m.CountsAs) and not norm.head.negated:
            for name in kinds(norm):
                counted.setdefault(name, []).append(norm)
    groups: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for name, norms in counted.items():
        for i, a in enumerate(norms):
            for b in norms[i + 1 :]:
                one, other = (n.head.target for n in (a, b) if isinstance(n.head, m.CountsAs))
                if a.rule != b.rule and "State" not in classes[name].ancestors and not akin(study, one, other):
                    groups.setdefault((one, other, (a.id, b.id)), []).append(name)
    for (one, other, ids), names in groups.items():
        a, b = (study.norms[i] for i in ids)
        what = named(classes[n].label for n in names)
        says = f"{what}: {a.id} counts it as {classes[one].label}, {b.id} as {classes[other].label}."
        yield Finding(
            study.book.id, "two-senses", (a.rule, b.rule), says, f"Is {what} meant to be both?", "what norms count kinds of things as", PROVEN,
            ids, (*names, one, other), (study.chain(a), study.chain(b)), None, f"{one} {other}",
        )  # fmt: skip


def akin(study: Study, one: str, other: str) -> bool:
    """Whether one of two classes is a kind of the other."""
    classes = study.theory.vocabulary.classes
    return one in classes[other].ancestors or other in classes[one].ancestors


def kinds(norm: m.Norm) -> Iterator[str]:
    """The kinds of thing that a norm names one by one as what it counts."""
    match norm.when:
        case m.Named(name):
            yield name
        case m.Or(parts) if all(isinstance(p, m.Named) for p in parts):
            yield from (p.name for p in parts if isinstance(p, m.Named))


def same_noun(study: Study) -> Iterator[Finding]:
    """A finding for each two words of the book of which one has the other for its noun and is none of it."""
    classes = study.theory.vocabulary.classes
    own = {name: t for name, t in classes.items() if f"/{study.book.id}#" in t.iri and sources(study, t.source)}
    by_label = {t.label.casefold(): name for name, t in own.items()}
    for name, term in own.items():
        words = term.label.casefold().split()
        for i in range(1, len(words)):
            noun = by_label.get(" ".join(words[i:]))
            if (
                noun is None
                or words[0] in ("no", "not")
                or noun in term.ancestors
                or name in classes[noun].ancestors
                or not apart(study, name, noun)
            ):
                continue
            if not term.ancestors & classes[noun].ancestors - {"Thing"}:
                continue  # an act with a thing is no kind of thing
            rules = (*sources(study, classes[noun].source)[:1], *sources(study, term.source)[:1])
            says = f"“{term.label}” ({rules[-1]}) is no “{classes[noun].label}” ({rules[0]}), though it is called one."
            yield Finding(
                study.book.id, "two-senses", tuple(dict.fromkeys(rules)), says, f"Does what the rules say of a {classes[noun].label} hold for a {term.label}?",
                "the words of terms that exclude each other", LIKELY, (), (name, noun), (), None, f"{name} {noun}",
            )  # fmt: skip


def apart(study: Study, one: str, other: str) -> bool:
    """Whether things of two classes are never the same, by the terms or by a norm."""
    if other in study.theory.vocabulary.classes[one].disjoint:
        return True
    heads = (n.head for n in study.theory.norms.values())
    return any(isinstance(h, m.CountsAs) and h.negated and (h.subject, h.target) == (one, other) for h in heads)


def sources(study: Study, source: str) -> list[str]:
    """Those rules of a term's source that are loaded."""
    return [r for r in (part.strip() for part in source.split(",")) if r in study.sections]


# ── exceptions by their words ──


def unmarked(study: Study) -> Iterator[Finding]:
    """A finding for each two rules of which one carves from the other without a word. Where a situation shows it, findings_pairs finds it
    too, and under the same name."""
    groups: dict[tuple[str, ...], list[tuple[m.Norm, m.Norm]]] = {}
    for norm in study.theory.norms.values():
        for other in norm.carves if study.mark(norm) == "YET" else ():
            beaten = study.norms[other]
            if beaten.rule != norm.rule:
                groups.setdefault(tuple(sorted((norm.rule, beaten.rule))), []).append((norm, beaten))
    for rules, rows in groups.items():
        a, b = rows[0]
        one, other = (phrases.say_head(study.theory.vocabulary, n.head) for n in (a, b))
        yield Finding(
            study.book.id, "unmarked-exception", rules, f"{a.id} {one}, {b.id} {other}; the text does not say that the first is an exception.",
            f"Is it right that {a.id} goes before {b.id}?", "marks in our sentences for what one sentence takes from another without saying so", LIKELY,
            tuple(dict.fromkeys(n.id for row in rows for n in row)), (), (study.chain(a), study.chain(b)),
        )  # fmt: skip


def brackets(study: Study) -> Iterator[Finding]:
    """A finding for each exception that is written out in several sentences, word for word."""
    seen: dict[str, list[tuple[str, str]]] = {}
    for section, sentence, _ in sentences(study):
        for exc in sentence.exceptions:
            if len(content(exc.text)) >= MANY_WORDS:
                seen.setdefault(" ".join(content(exc.text)), []).append((section.rule, exc.text))
    for rows in seen.values():
        rules = tuple(dict.fromkeys(rule for rule, _ in rows))
        if len(rows) > 1:
            yield Finding(
                study.book.id, "repeated", rules, f"“{rows[0][1]}” is written out {len(rows)} times, in {named(rules)}, and has no name.",
                "Would a word for it, defined once, do?", "exceptions with the same words", PROVEN, (), (), tuple(text for _, text in rows[:1]), None, "bracket",
            )  # fmt: skip


# ── words that nothing explains ──


def unexplained(study: Study) -> Iterator[Finding]:
    """A finding for each rule that has words of its own for what it turns on, and that no rule or term explains."""
    terms, by_rule = study.theory.vocabulary, lacking(study)
    rules = Counter(name for found in by_rule.values() for name in found)
    few = {rule: {n: rows for n, rows in found.items() if rules[n] <= MOST_RULES} for rule, found in by_rule.items()}
    for rule, found in few.items():
        if not found:
            continue
        words = [terms.classes[name].label for name in sorted(found)]
        says = f"{rule} turns on {quoted(words)}, and no rule says what is one: who asks has to tell it."
        norms = tuple(dict.fromkeys(n.id for rows in found.values() for n in rows))
        yield Finding(
            study.book.id, "undefined-term", (rule,), says, f"Is it told somewhere what counts as {quoted(words, 'or')}?",
            "terms that norms turn on, held against what norms and terms make of them", LIKELY, norms, tuple(sorted(found)),
        )  # fmt: skip


def of_the_chapter(study: Study) -> Iterator[Finding]:
    """A finding for each chapter with the words that more than a few of its rules turn on, and that nothing explains."""
    by_rule = lacking(study)
    rules_of: dict[str, list[str]] = {}
    for rule, found in by_rule.items():
        for name in found:
            rules_of.setdefault(name, []).append(rule)
    for chapter in study.book.chapters:
        own = {
            n: [r for r in rules if study.home[r] is chapter]
            for n, rules in rules_of.items()
            if len(rules) > MOST_RULES
        }
        words = sorted(n for n, rules in own.items() if len(rules) > MOST_RULES)
        if not words:
            continue
        rules = tuple(dict.fromkeys(r for n in words for r in own[n]))
        yield Finding(
            study.book.id, "undefined-term", rules, f"{chapter.id} goes by {quoted([study.theory.vocabulary.classes[n].label for n in words])} in many rules, and none of them says what is one.",
            f"Does the book explain these words before {chapter.id}?", "terms that norms turn on, held against what norms and terms make of them", LIKELY,
            (), tuple(words), (), None, f"words of {chapter.id}",
        )  # fmt: skip


def lacking(study: Study) -> dict[str, dict[str, list[m.Norm]]]:
    """By rule the classes that its norms turn on, that its sentences have a word for and that nothing explains, each with those norms."""
    found: dict[str, dict[str, list[m.Norm]]] = {}
    for norm in study.theory.norms.values():
        turned_on = {
            *m.names_in(norm.when),
            *(n for u in norm.unless for n in m.names_in(u.condition)),
            m.subject_of(norm.head),
        }
        for name in turned_on & study.theory.vocabulary.classes.keys():
            if unexplained_word(study, name) and written(study, norm.rule, name):
                found.setdefault(norm.rule, {}).setdefault(name, []).append(norm)
    return found


def unexplained_word(study: Study, name: str) -> bool:
    """Whether a class is a word of the book's own for which there is neither a norm nor a definition, and that is no rule's title."""
    term = study.theory.vocabulary.classes[name]
    own = f"/{study.book.id}#" in term.iri and bool(sources(study, term.source)) and NATION not in term.ancestors
    told = term.definitions or term.derived or len(term.descendants) > 1 or name in study.theory.makes
    return own and not told and not titled(study, term.label)


def written(study: Study, rule: str, name: str) -> bool:
    """Whether the sentences of a rule have a term's word, as its label or another form has it."""
    term = study.theory.vocabulary.classes[name]
    text = " ".join(s.text for s in study.sections[rule].sentences).casefold() if rule in study.sections else ""
    return any(form.casefold().strip('"') in text for form in (term.label, *term.alt))


def quoted(words: list[str], word: str = "and") -> str:
    """Words in a row, as words."""
    return series([f"“{w}”" for w in words], word)


def titled(study: Study, label: str) -> bool:
    """Whether a rule of the book has a word for its title: it is then what that rule is about."""
    words = set(content(label))
    return any(words and words <= set(content(s.title)) for s in study.sections.values())
