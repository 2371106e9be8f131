"""A question across games in plain words: one of those shipped, or one made from the words that the books know.

`find("can mortars shoot out of a pillbox")` looks for the shipped question with these words (or words that name the same
shared notion); failing that it builds one of the form "may ACTOR ACT (in, into, at …) THING".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from kb.compare.comparison import Comparison
from kb.compare.put import LEADS, put
from kb.compare.worded import built, classed
from kb.compare.words import MODALS, PLACED, PLAIN, canonical, is_act, known_word, spoken, vocabularies
from kb.english import asked as english
from kb.errors import CaseError, Problem, nearest
from kb.language.english import singulars
from kb.numbers import IN_WORDS


def find(sentence: str, known: Mapping[str, Comparison]) -> Comparison:
    """The comparison that a sentence asks for: by its name, by its words, or made. Raises CaseError with what is near."""
    if sentence.strip() in known:
        return known[sentence.strip()]
    if plain := english.allowed(LEADS.sub("", sentence)):  # is it forbidden: what may not be done
        found = find(plain, known)
        return replace(found, question=f"{sentence[:1].upper()}{sentence[1:].rstrip('? ')}?", turned=not found.turned)
    asked = [canonical(w) for w in spoken(sentence) if w not in PLAIN]
    if asked:
        likes = {c.name: likeness(asked, c, form(sentence)) for c in known.values()}
        ranked = sorted(known.values(), key=lambda c: (-likes[c.name], c.name))
        if ranked and likes[ranked[0].name] > 0:
            return either_way(ranked[0], asked, sentence.strip())
    made = built(sentence) or classed(sentence) or put(sentence)
    if made is not None:
        return made
    raise CaseError(refused(sentence, known))


def likeness(asked: Iterable[str], other: Comparison, way: str = "") -> float:
    """How well a shipped question has the words asked; 0 when it lacks one of them, or asks in another way.

    One word alone asks for a question only if that has no other.
    """
    return max((likeness_to(asked, text, way) for text in (other.question, *other.also, *other.contrary)), default=0.0)


def either_way(found: Comparison, asked: Sequence[str], sentence: str) -> Comparison:
    """The comparison found, turned round where the words are those of a wording that asks the contrary."""
    way = form(sentence)
    likes = {text: likeness_to(asked, text, way) for text in (found.question, *found.also, *found.contrary)}
    nearest_wording = max(likes, key=lambda text: likes[text])
    contrary = nearest_wording in found.contrary
    if denies(sentence) != denies(nearest_wording):
        return replace(found, question=f"{sentence[:1].upper()}{sentence[1:].rstrip('? ')}?", turned=not contrary)
    if contrary:
        return replace(found, question=nearest_wording.rstrip("?") + "?", turned=True)
    return found


def denies(sentence: str) -> bool:
    """Whether a question asks what is not so: "may artillery not fire at …"."""
    return any(word in ("not", "cannot") for word in spoken(sentence))


def likeness_to(asked: Iterable[str], wording: str, way: str) -> float:
    """How well one wording has the words asked: the part of its words that they are."""
    said = set(asked)
    has, acts, own = taken_apart(wording)
    ways = {way, own}
    counts = has & IN_WORDS.keys()  # two squads and a leader are not a leader
    needed = acts | counts if way == "whether" else counts
    fits = (
        said <= has and needed <= said and ways != {"whether", "how much"} and ("which" not in ways or len(ways) == 1)
    )
    best = len(said) / len(has) if fits else 0.0
    return best if best >= (0.5 if len(said) > 1 else 1.0) else 0.0


@cache
def taken_apart(wording: str) -> tuple[frozenset[str], frozenset[str], str]:
    """The words of a wording that count, the acts among all its words, and how it asks; remembered, for there are some hundreds."""
    words = [(w, canonical(w)) for w in spoken(wording)]
    has = frozenset(said for w, said in words if w not in PLAIN)
    return has, frozenset(said for _, said in words if is_act(said)), form(wording)


def form(sentence: str) -> str:
    """How a sentence asks: "how much" for a number, "whether" for yes or no, "which" for those of a kind; "" for any other way."""
    said = spoken(sentence)
    games = any(word.startswith(("system", "game")) for word in said[:5])
    if said[:1] and said[0] in ("which", "who", "what") and not games and any(w in MODALS for w in said[1:5]):
        return "which"
    while said and (said[0] in ("in", "which", "of", "the", "for") or said[0].startswith(("system", "game"))):
        said = said[1:]
    if said[:1] == ["how"] and said[1:2] and said[1] in ("many", "much", "far", "long"):
        return "how much"
    return "whether" if said and said[0] in (*MODALS, "is", "are", "does", "do", "will") else ""


def refused(sentence: str, known: Mapping[str, Comparison]) -> Problem:
    """Which words nobody knows, what is spelt like them, and what can be asked."""
    spelt = {w for c in known.values() for text in (c.question, *c.also, *c.contrary) for w in spoken(text)} | {
        name.casefold() for v in vocabularies() for t in v.all() for name in (t.label, *t.alt) if " " not in name
    }
    asked = [w for w in spoken(sentence) if w not in PLAIN and w not in PLACED]
    strange = [w for w in asked if not any(f in spelt for f in singulars(w)) and known_word(w) is None]
    if strange:
        close = {w: nearest(w, spelt, 2) for w in strange}
        said = ", ".join(f"“{w}”" + (f" (did you mean {' or '.join(c)}?)" if c else "") for w, c in close.items())
        message = f"no book knows {said}"
    else:
        message = f"“{sentence.strip()}” is none of the questions that can be put to every game"
    words = {canonical(w) for w in asked}
    ranked = sorted(known.values(), key=lambda c: -len(words & {canonical(w) for w in spoken(c.question)}))
    best = "\n".join(f"      {c.name}: {c.question}" for c in ranked[:4])
    hint = (
        f"ask “may ACTOR ACT in|into|at THING”, or one of these ({len(known)} in all: loophole compare --list)\n{best}"
    )
    return Problem(461, message, hint=hint)
