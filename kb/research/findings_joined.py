"""Findings about what our encoding has already joined, so that no two norms meet there any more: sentences that stand side by side as they are read.

A norm that stops short where another one speaks, though its sentence does not say so; a sentence that lets only one thing be, and one of the same rule
that lets another; two things put side by side in one rule that another rule tells apart; a kind of thing that is freed of what its genus is bound to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.language import norms as m, phrases
from kb.research.finding import LIKELY, PROVEN, Finding
from kb.research.findings_duties import Path, literals, ways
from kb.research.findings_kinds import all_parts
from kb.research.findings_references import content, label
from kb.research.findings_words import MAY, NEGATED, akin, sentences, sources, titled
from kb.research.study import Study, bare, concluded, named
from kb.rulebook.compiler import conjuncts

EXCLUSIVE = re.compile(r"\b(only|nothing|nobody|alone|all of one)\b", re.I)
REST = re.compile(r"\b(the others|another sort|all else|the rest|(?:every|any)body else)\b", re.I)
YET = re.compile(r"\[YET[^\[\]]*\]")
LIMITS = re.compile(r"\[(?:EXC|BUT)[^\[\]]*\]")
STEM = 5  # letters that two forms of a word have in common


def findings(study: Study) -> Iterator[Finding]:
    """All that is found of what the encoding has joined."""
    yield from stopped_short(study)
    yield from only_and_also(study)
    yield from put_beside(study)
    yield from freed(study)
    yield from two_lists(study)


def stems(text: str) -> set[str]:
    """The words of a text, each by its first letters."""
    return {word[:STEM] for word in content(text)}


def forms(study: Study, name: str) -> tuple[str, ...]:
    """The names of a class."""
    term = study.theory.vocabulary.classes[name]
    return (term.label, *term.alt)


def text_of(study: Study, norm: m.Norm) -> str:
    """The sentences that a norm encodes."""
    section = study.sections.get(norm.rule)
    return " ".join(s.text for s in section.sentences if s.number in norm.sentences) if section else ""


# ── a norm that stops short ──


def asked(condition: m.Condition, holds: bool) -> set[tuple[Path, str]]:
    """The classes that a condition asks for, or denies, of what each path leads to."""
    return {
        (lit.path, way.name)
        for lit in literals(condition, ())
        if lit.holds is holds
        for way in ways(lit.condition)
        if isinstance(way, m.Named)
    }


def about(norm: m.Norm) -> frozenset[str]:
    """The act, state, class, relation or number that a norm speaks of."""
    match norm.head:
        case m.Deontic(_, act):
            return frozenset({act})
        case m.CountsAs(_, target, _):
            return frozenset({target})
        case m.Effect(term, _, _):
            return frozenset({term})
    return concluded(norm) - {m.subject_of(norm.head)}


def stopped_short(study: Study) -> Iterator[Finding]:
    """A finding for each two rules of which the one leaves something to the other, without a word of it in its sentence."""
    groups: dict[tuple[str, str], list[tuple[m.Norm, str, m.Norm]]] = {}
    norms = [n for n in study.theory.norms.values() if not str(n.head).startswith(m.KEEPS)]
    for norm in norms:
        denied = asked(norm.when, False)
        text = text_of(study, norm) if denied else ""
        said = set[str]() if REST.search(text) else stems(text)
        if not said:
            continue  # it is told of the rest, whatever that is
        for path, name in sorted(denied):
            if any(stems(form) <= said for form in forms(study, name)):
                continue
            others = [
                o
                for o in norms
                if about(norm) & about(o) and (path, name) in asked(o.when, True) and not norm.reading + o.reading
            ]
            if any(norm.id in o.carves or one_sentence(o, norm) for o in others):
                continue  # marked, or said of both by the sentence itself
            for other in others:
                if compatible(study, norm, other, name):
                    groups.setdefault((norm.rule, other.rule), []).append((norm, name, other))
    for (rule, over), rows in groups.items():
        norm, _, other = rows[0]
        vocabulary = study.theory.vocabulary
        names = tuple(dict.fromkeys(name for _, name, _ in rows))
        one, two = (phrases.say_head(vocabulary, n.head) for n in (norm, other))
        says = f"{norm.id} ({one}) stops short at {named(f'“{label(study, n)}”' for n in names)}, of which its sentence says nothing; there {other.id} ({two}) speaks."
        yield Finding(
            study.book.id, "override", (rule, over) if rule != over else (rule,), says,
            f"Is {norm.id} meant to give way there, though its sentence does not say so?",
            "what conditions deny, held against the words of their sentence and what other norms ask for", LIKELY,
            tuple(dict.fromkeys(n.id for a, _, b in rows for n in (a, b))), names, (study.chain(norm), study.chain(other)), None, f"short {over}",
        )  # fmt: skip


def one_sentence(a: m.Norm, b: m.Norm) -> bool:
    """Whether two norms encode the same sentence."""
    return a.rule == b.rule and bool(set(a.sentences) & set(b.sentences))


def compatible(study: Study, a: m.Norm, b: m.Norm, but: str) -> bool:
    """Whether nothing that the one asks for, a class aside, is excluded by what the other asks for."""
    classes = study.theory.vocabulary.classes
    one, other = (
        {
            (lit.path, lit.condition.name, lit.holds)
            for lit in literals(n.when, ())
            if isinstance(lit.condition, m.Named) and lit.condition.name != but
        }
        for n in (a, b)
    )
    if any((path, name, not holds) in other for path, name, holds in one):
        return False
    return not any(p == q and yes and also and y in classes[x].disjoint for p, x, yes in one for q, y, also in other)


# ── only this, and also that ──


def only_and_also(study: Study) -> Iterator[Finding]:
    """A finding for each sentence that lets one thing only be, and a sentence of its rule that lets more be without a mark."""
    rows = list(sentences(study))
    for section, one, norms in rows:
        if not EXCLUSIVE.search(YET.sub("", one.text)):
            continue  # what itself takes from another sentence shuts out nothing
        for other_section, other, others in rows:
            plain = re.sub(r"\[[^\[\]]*\]", "", other.text)
            if (
                other_section is not section
                or other is one
                or not MAY.search(other.text)
                or NEGATED.search(plain)
                or not any(lets(n) for n in others)
                or any(section.rule in exc.to for exc in other.exceptions)
                or apart(study, norms, others)
            ):  # fmt: skip
                continue
            common = sorted(shared_words(study, section, one.text, other.text))
            if not common:
                continue
            says = f"One sentence of {section.rule} lets only one thing be, another lets more, of the same {named(common)}, and neither says that it is the exception."
            yield Finding(
                study.book.id, "unmarked-exception", (section.rule,), says, "Does the second sentence take from the first?",
                "words that shut out all else, held against the leaves of the same rule", LIKELY, tuple(dict.fromkeys(n.id for n in (*norms, *others))),
                tuple(common), (bare(one.text), bare(other.text)), None, f"only {one.number} {other.number}",
            )  # fmt: skip


def lets(norm: m.Norm) -> bool:
    """Whether a norm lets something be done, or ties one thing to another."""
    return isinstance(norm.head, m.Relates) or (isinstance(norm.head, m.Deontic) and norm.head.mode == m.PERMITS)


def shared_words(study: Study, section: m.Section, one: str, other: str) -> set[str]:
    """The labels of the book's terms of which two sentences of a rule both have the word."""
    found = set()
    first, second = one.casefold(), other.casefold()
    for name, term in study.theory.vocabulary.classes.items():
        if "Act" in term.ancestors or "State" in term.ancestors:
            continue
        for form in forms(study, name):
            word = re.compile(rf"(?<![\w-]){re.escape(form.casefold())}s?(?![\w-])")
            if len(form) > 1 and word.search(first) and word.search(second):
                found.add(term.label)
    return found


def apart(study: Study, norms: list[m.Norm], others: list[m.Norm]) -> bool:
    """Whether two sentences speak of acts that are two kinds of one: leave to do the one takes nothing from a limit on the other."""
    classes = study.theory.vocabulary.classes
    acts, more = ({n.head.act for n in some if isinstance(n.head, m.Deontic)} for some in (norms, others))

    def kin(a: str, b: str) -> bool:
        return a != b and bool(set(classes[a].parents) & set(classes[b].parents) - {"Act"})

    return bool(acts and more) and all(kin(a, b) for a in acts for b in more)


# ── put side by side, and told apart ──


def put_beside(study: Study) -> Iterator[Finding]:
    """A finding for each two things of which one norm asks for either, and of which another rule says that one is not the other."""
    denials = [
        (n, n.head.target, {str(p) for p in conjuncts(n.when) if not isinstance(p, m.Not)})
        for n in study.theory.norms.values()
        if isinstance(n.head, m.CountsAs) and n.head.negated
    ]
    groups: dict[tuple[str, str, str], list[m.Norm]] = {}
    for norm in study.theory.norms.values():
        for part in all_parts(norm.when):
            if not isinstance(part, m.Or):
                continue
            each = [conjuncts(p) for p in part.parts]
            for one in each:
                facts = {str(p) for p in one}
                wanted = {p.name for other in each if other is not one for p in other if isinstance(p, m.Named)}
                for denial, target, conditions in denials:
                    if denial.rule != norm.rule and target in wanted and conditions and conditions <= facts:
                        groups.setdefault((norm.rule, denial.id, target), []).append(norm)
    for (rule, other, target), norms in groups.items():
        denial = study.norms[other]
        what = phrases.say_condition(study.theory.vocabulary, denial.when)
        says = f"In {norms[0].id} what is {what} is put beside what is {label(study, target)}; by {other} the one is not the other."
        yield Finding(
            study.book.id, "settled-twice", (rule, denial.rule), says, f"Is it to count so for {rule} alone?", "things that one condition puts side by side, held against what norms say is not so",
            PROVEN, (*dict.fromkeys(n.id for n in norms), other), (target,), (study.chain(norms[0]), study.chain(denial)), None, f"beside {other}",
        )  # fmt: skip


# ── freed of what its genus is bound to ──


def freed(study: Study) -> Iterator[Finding]:
    """A finding for each rule about a kind of thing that lets be done, by a word for it, what another rule bars or orders for the genus."""
    classes = study.theory.vocabulary.classes
    deontic = [(n, n.head) for n in study.theory.norms.values() if isinstance(n.head, m.Deontic)]
    groups: dict[tuple[str, str, str], list[tuple[m.Norm, m.Norm]]] = {}
    for bound, must in (row for row in deontic if row[1].mode in (m.FORBIDS, m.REQUIRES)):
        genera = {name for _, name in asked(bound.when, True) if sources(study, classes[name].source)}
        verb = content(classes[must.act].label)[:1]
        for free, may in (row for row in deontic if row[1].mode in (m.PERMITS, m.WAIVES)):
            if bound.rule == free.rule or akin(study, may.act, must.act):
                continue
            kinds = {
                n
                for n in set(m.names_in(free.when)) & classes.keys()
                if genera & classes[n].ancestors - {n} and n in titles(study, free.rule, n)
            }
            if kinds and set(verb) & set(content(LIMITS.sub("", text_of(study, free)))):
                groups.setdefault((bound.rule, free.rule, must.act), []).append((bound, free))
    for (_, _, act), rows in groups.items():
        bound, free = rows[0]
        vocabulary = study.theory.vocabulary
        one, other = (phrases.say_head(vocabulary, n.head) for n in (bound, free))
        says = f"{bound.id} {one}; {free.id}, of one kind of these, {other}, in the same word, and is not said to be the exception."
        yield Finding(
            study.book.id, "unmarked-exception", (bound.rule, free.rule), says, f"Is {free.rule} free of what {bound.rule} says?",
            "what the rule of a kind lets be done, held against what rules of its genus bind, by the verb", LIKELY, tuple(dict.fromkeys(n.id for row in rows for n in row)),
            (act,), (study.chain(bound), study.chain(free)), None, f"freed {free.rule} {act}",
        )  # fmt: skip


def titles(study: Study, rule: str, name: str) -> set[str]:
    """The class, where the title of a rule names it."""
    section = study.sections.get(rule)
    return (
        {name}
        if section and stems(label(study, name)) <= stems(section.title) and titled(study, label(study, name))
        else set()
    )


# ── two lists of exceptions ──


def two_lists(study: Study) -> Iterator[Finding]:
    """A finding for each two sentences of a rule that each except some kinds of one act, none of which the other excepts."""
    classes = study.theory.vocabulary.classes
    for section in study.sections.values():
        excepted: dict[str, tuple[int, set[str], m.Norm]] = {}
        for sentence in section.sentences:
            for label_ in [exc.label for exc in sentence.exceptions if f"[EXC {exc.label}" in sentence.text]:
                for norm in section.norms:
                    conditions = [u.condition for u in norm.unless if u.label == label_] + (
                        [norm.when] if norm.excepts == label_ else []
                    )
                    kinds = {
                        n
                        for c in conditions
                        for p in all_parts(c)
                        if isinstance(p, m.Or)
                        for n in m.names_in(p)
                        if n in classes and "Act" in classes[n].ancestors
                    }
                    if len(kinds) > 1:
                        excepted.setdefault(label_, (sentence.number, kinds, norm))
        rows = list(excepted.values())
        for i, (number, kinds, norm) in enumerate(rows):
            for other_number, others, other in rows[i + 1 :]:
                if number == other_number or kinds & others:
                    continue
                one, two = (named(label(study, k) for k in sorted(some)) for some in (kinds, others))
                says = (
                    f"One sentence of {section.rule} excepts {one}, another {two}: neither list has one of the other’s."
                )
                yield Finding(
                    study.book.id, "settled-twice", (section.rule,), says, f"Are {one} bound by the second sentence?", "the lists of kinds that two marked exceptions of a rule have",
                    PROVEN, (norm.id, other.id), tuple(sorted(kinds | others)), (study.chain(norm), study.chain(other)), None, f"lists {number} {other_number}",
                )  # fmt: skip
