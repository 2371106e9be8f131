"""Other ways of saying a sentence, the same in what they tell: clauses taken apart, in the plain order and in plain verbs.

A text that is not read as it stands is read in these, the first that is read whole is taken (`reading`). Each way is of English, composes
with the others, and keeps every word that denies, counts or restricts: one that does not is no way of saying the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kb.english.idioms import Idiom
from kb.english.lexicon import DEED, DETERMINERS, HOW, KIND, Lexicon, undone
from kb.english.plain import PLACING
from kb.english.ways import ELLIPSES, QUESTION, TOLD, WAYS, WISH
from kb.english.words import Word, counted
from kb.language.english import base_form, participles, plural

Text = list[list[Word]]
# What must stand in each way of saying as often as in the text: what denies, restricts, or tells how many, which and when.
KEPT = frozenset(["not", "no", "never", "none", "neither", "nor", "nobody", "nothing", "without", "unless", "except", "only", "until", "again", "but", "or", "other", "another", "all", "each", "both", "every", "any", "second", "third", "first", "last", "next", "than", "least", "most", "more", "less", "half", "already"])  # fmt: skip
DENIALS = frozenset(["not", "no", "never", "without", "unless", "none", "nobody", "nothing"])
WHO = frozenset(["that", "which", "who"])
PRONOUNS = frozenset(["it", "he", "she", "they", "i", "we", "him", "them"])
FINITE = frozenset(["is", "are", "was", "were", "has", "have", "had", "may", "can", "could", "must", "does", "do", "did", "would", "will"])  # fmt: skip
OPENING = DETERMINERS | {"any", "some", "another"}
BINDING = frozenset(["if", "when", "while", "and", "or", "but", "to", "in", "at", "on", "from", "with", "by", "into", "of", "that", "which", "who", "what", "how", "not", "for"])  # fmt: skip
# Behind which a noun may belong to the one before.
WITHIN = ("in", "on", "of", "at", "inside", "outside", "with", "from")
MOST_AHEAD = 5  # words before a noun of its phrase


def ways(text: Text, at: int, known: Lexicon) -> Iterator[Text]:
    """A text with one of its sentences said otherwise, in each way that there is; the likeliest first."""
    line = text[at]
    for told in said_otherwise(line, known):
        yield [*text[:at], *told, *text[at + 1 :]]
    for n in range(at - 1, -1, -1):
        if (whole := unelided(text[n], line, known, n == at - 1)) is not None:
            yield [*text[:n], *text[n + 1 : at], whole, *text[at + 1 :]]
            break
    asked = next((n for n, other in enumerate(text) if asks(other)), -1)
    enemies = [n for n, other in enumerate(text) if "enemy" in {word.low for word in other}]
    if at < asked and enemies == [at] and not any({w.low for w in other} & PRONOUNS for other in text[at : asked + 1]):
        yield [*text[:at], *text[at + 1 :], line]  # what is told of the things of the question, behind it


def said_otherwise(line: list[Word], known: Lexicon) -> Iterator[Text]:
    """A sentence in each other way of saying it: as one, or as several."""
    said = joined(line, known)
    whole = " ".join("_".join(word.low for word in part) for part in said)
    for told in (*(rest for one in WAYS for rest in by_way(said, whole, one, known)), *parted_modifiers(line, known)):
        found = [sentence for sentence in told if sentence]
        if found and weights([line]) == weights(found):
            yield found


def weights(text: Text) -> Counter[str]:
    """The words of a text that each way of saying it must have: what denies, restricts, counts."""
    told = [counted(word) or word.low for sentence in text for word in sentence]
    return Counter(
        "not" if low in DENIALS else low for low in told if low in KEPT or low in DENIALS or low[:1].isdigit()
    )


def asks(line: Sequence[Word]) -> bool:
    """Whether a sentence is a question."""
    return QUESTION.match(" ".join(w.low for w in line)) is not None


def by_way(said: Text, whole: str, one: Idiom, known: Lexicon) -> Iterator[Text]:
    """A sentence told in one way, if it is of that form. whole: with its noun phrases each as one word."""
    match = one.said.match(whole)
    if match is None:
        return
    groups = {name: group(said, match, name) for name in match.groupdict()}
    if "v" in groups and not groups["v"]:
        return
    told: Text = [[]]
    here = said[0][0]
    for part in one.instead:
        form, _, name = part.partition(":")
        if part == "|":
            told.append([])
        elif part.startswith("\\"):
            told[-1] += inner(groups[part[1:]])
        elif form == "the" and name:
            told[-1] += again(groups[name])
        elif form == "who" and name:
            told[-1] += groups[name] or [Word("I", here.start, here.end)]
        elif name:
            verb = groups[name][0]
            told[-1].append(Word(inflected(verb.low, form, known), verb.start, verb.end))
        else:
            told[-1].append(Word(part, here.start, here.start))
    yield told


def joined(line: list[Word], known: Lexicon) -> Text:
    """A sentence with each of its noun phrases in one."""
    found: Text = []
    at = 0
    while at < len(line):
        end = noun_end(line, at, known) or at + 1
        found.append(line[at:end])
        at = end
    return found


def inner(words: Sequence[Word]) -> list[Word]:
    """Words as they stand within a sentence: a squad, where A squad begins one."""
    first = words[:1] if words and words[0].low in DETERMINERS else []
    return [*(Word(word.low, word.start, word.end) for word in first), *words[len(first) :]]


def group(said: Text, match: re.Match[str], name: str) -> list[Word]:
    """The words that a group of a match is."""
    told = (match[name] or "").strip()
    first = match.string[: match.start(name)].rstrip().count(" ") + (match.start(name) > 0)
    return [word for part in said[first : first + told.count(" ") + 1] for word in part] if told else []


def inflected(verb: str, form: str, known: Lexicon) -> str:
    """A verb in another form: base, third (person), done."""
    bases = [*undone(verb)] if verb.endswith(("ing", "ed")) else []
    base = next(
        (b for b in bases if known.meaning([b]) is not None),
        min(bases, key=len) if bases else IRREGULAR.get(verb, base_form(verb)),
    )
    return {"base": base, "third": plural(base), "done": participles(base)[1]}[form]


IRREGULAR = {"shot": "shoot", "hit": "hit", "broke": "break", "broken": "break", "gone": "go", "driven": "drive"}


def again(noun: Sequence[Word]) -> list[Word]:
    """What a noun phrase named, named once more: the squad."""
    first = noun[0]
    if first.low in PRONOUNS or first.low in ("my", "our", "his", "the", "this", "that", "its"):
        return list(noun)
    if first.low in DETERMINERS or first.low in ("any", "some"):
        return [Word("the", first.start, first.end), *noun[1:]]
    if first.low in ("two", "both"):
        return [Word("they", first.start, noun[-1].end)] if len(noun) > 1 else list(noun)
    return [Word("the", first.start, first.start), *noun]


def noun_end(line: Sequence[Word], start: int, known: Lexicon) -> int:
    """Where the noun phrase ends that begins there; 0 where none does."""
    if start >= len(line):
        return 0
    if line[start].low in PRONOUNS:
        return start + 1
    if line[start].low in FINITE | BINDING:
        return 0
    opening = (n for n in range(start, len(line)) if not (line[n].low in OPENING or counted(line[n])))
    at = next(opening, len(line))
    for n in range(at, min(at + MOST_AHEAD, len(line))):
        if line[n].sign or line[n].low in FINITE | BINDING or (n > at and line[n].low in DETERMINERS):
            return 0
        found = known.at(line, n, (KIND,))
        if found is not None:
            end = n + found.length
            while end < len(line) and not line[end].low.endswith("s") and (more := known.at(line, end, (KIND,))):
                end += more.length
            return end if end >= len(line) or line[end].low != "'s" else noun_end(line, end + 1, known) or end
        if known.at(line, n, (DEED,)) is not None and known.at(line, n, (HOW,)) is None and n > at:
            return 0
    return 0


def unelided(told: list[Word], asked: list[Word], known: Lexicon, next_to: bool) -> list[Word] | None:
    """A question that leaves out what was told to be done, or wanted, with that: he wants to fire. May he do so as one attack?"""
    parts = joined(told, known)
    whole = " ".join("_".join(word.low for word in part) for part in parts)
    wish = WISH.match(whole)
    told_so = wish or (TOLD.match(whole) if next_to else None)
    said = " ".join(word.low for word in asked)
    form, instead = next(((m, i) for f, i in ELLIPSES if (m := f.match(said))), (None, ""))
    if form is None or told_so is None:
        return None
    begin = [Word(w, asked[0].start, asked[0].end) for w in (instead or form["q"]).split()]
    who, what = (group(parts, told_so, name) for name in ("n", "rest"))
    verb, what = (what[0], what[1:]) if wish else (group(parts, told_so, "v")[0], what)
    if not wish and (verb.low in FINITE or known.meaning([verb.text]) is None):
        return None
    third, base = (plural(verb.low), verb.low) if wish else (verb.low, base_form(verb.low))
    does = Word(third if "mf" in instead else base, verb.start, verb.end)
    return [*begin, *inner(who), does, *what, *asked[len(asked) - len(form["rest"].split()) :]]


def parted_modifiers(line: list[Word], known: Lexicon) -> Iterator[Text]:
    """A sentence without a clause that is told of one of its nouns, and that clause as a sentence of its own: a squad that is pinned, a
    tank standing outside, my squad, which is outside, …"""
    start, heads = -1, list[list[Word]]()
    while (start := start + 1) < len(line):
        end = noun_end(line, start, known)
        if not end or line[start].low in PRONOUNS:
            continue
        heads = [line[start:end], *(heads if start and line[start - 1].low in WITHIN else ())]
        start, at = end - 1, end
        if end >= len(line):
            return
        comma = line[at].text == ","
        at += comma
        if at >= len(line):
            continue
        first = line[at]
        after = line[at + 1].low if at + 1 < len(line) else ""
        verbs = first.low.endswith("ing") and (
            known.at(line, at, (DEED,)) is not None or first.low in ("having", "being")
        )
        done = first.low.endswith("ed") and first.low != "occupied" and after in (*PLACING, "by", "with", "to", "as")
        there = first.low in PLACING and not comma
        if not (first.low in WHO or verbs or done or there):
            continue
        for stop in ends(line, at + 1, comma, known):
            clause = line[at + (first.low in WHO) : stop]
            if not clause or clause[0].low in PRONOUNS | DETERMINERS or (there and stop == len(line)):
                break
            if verbs:
                form = {"having": "has", "being": "is"}.get(first.low) or inflected(first.low, "third", known)
                clause = [Word(form, first.start, first.end), *clause[1:]]
            elif (done or there) and first.low not in WHO:
                clause = [Word("is", first.start, first.start), *clause]
            skip = stop + (comma and stop < len(line) and line[stop].text == ",")
            for noun in heads:
                yield [[*line[:end], *line[skip:]], [*again(noun), *clause]]


def ends(line: Sequence[Word], start: int, comma: bool, known: Lexicon) -> list[int]:
    """Where a clause that is told of a noun may end: at its comma, at the end, before a verb that the sentence still lacks."""
    commas = [n for n in range(start, len(line)) if line[n].text == ","]
    if comma:
        return [*commas[:1], *([len(line)] if not commas else [])]
    lacking = frozenset(["have", "be", "get"]) | (frozenset() if asks(line) else FINITE)
    deeds = [n for n in range(start + 1, len(line)) if known.at(line, n, (DEED,)) is not None]
    bare = [n for n in deeds if base_form(line[n].low) == line[n].low and line[n - 1].low not in DETERMINERS]
    verbs = [n for n in range(start + 1, len(line)) if n in bare or line[n].low in lacking]
    return [*commas[:1], *verbs, len(line)]
