"""English inflection, for all who make sentences or compare words: articles, plurals, the third person, forms of a verb.

By rule, as most words go; what is exact is only made of words that the ontology has. Other packages find this in kb.language.english.
"""

from __future__ import annotations

import re

SPOKEN = re.compile(r"^[A-Z]*[AEIOU][A-Z]+[AEIOU][A-Z]*$")  # capitals that make a word: SMOKE, but not MMG or SMC
IRREGULAR = {"is": "be", "are": "be", "has": "have", "does": "do", "goes": "go"}
PLURAL_VERBS = {"is": "are", "has": "have", "does": "do", "was": "were", "can": "can", "may": "may"}
ALSO = re.compile(r" and (is|has|was|does) ")
PASTS = {  # of the verbs that acts of war are told by, those that do not take -ed: the past, and the participle
    "break": ("broke", "broken"), "draw": ("drew", "drawn"), "fight": ("fought",), "give": ("gave", "given"), "go": ("went", "gone"),
    "have": ("had",), "hit": ("hit",), "hold": ("held",), "lay": ("laid",), "leave": ("left",), "make": ("made",), "pay": ("paid",),
    "say": ("said",), "see": ("saw", "seen"), "set": ("set",), "shoot": ("shot",), "stand": ("stood",), "take": ("took", "taken"), "throw": ("threw", "thrown"),
    "withdraw": ("withdrew", "withdrawn"),
}  # fmt: skip
PARTICIPLES = {forms[-1] for forms in PASTS.values()}
DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnprt]$")  # a short verb doubles its last letter: gapping, pinned


def article(label: str) -> str:
    """`a squad`, `an ogre`, `a unit`, `an MMC`."""
    return f"{'an' if vowel(label) else 'a'} {label}"


def vowel(label: str) -> bool:
    """Whether a word is spoken with a vowel first; letters of an abbreviation are spoken one by one."""
    word = label.split(" ")[0].split("-")[0] if label[:1].isupper() else label.split(" ")[0]
    if sum(ch.isupper() for ch in word) > 1 and not SPOKEN.search(word):
        return word[:1] in "AEFHILMNORSX"
    if word.lower().startswith(("one-", "once-")) or word.lower() == "one":  # spoken with a w
        return False
    return word[:1].lower() in "aeio" or (word[:1].lower() == "u" and not word.lower().startswith(("uni", "use")))


def plural(word: str) -> str:
    """The plural of a word, by the rules that most follow; of a noun with what was done to it: `tests taken`."""
    noun, _, last = word.rpartition(" ")
    if noun and last in PARTICIPLES:
        return f"{plural(noun)} {last}"
    return word[:-1] + "ies" if word.endswith("y") else word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def singular(word: str, shortest: int = 3) -> str:
    """The singular of a word that looks like a plural; else, and of words with fewer letters than that, the word."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if len(word) >= shortest and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def singulars(word: str) -> list[str]:
    """The word, and all that it may be the plural of."""
    return [word] + [word.removesuffix(end) for end in ("s", "es") if word.endswith(end) and len(word) > len(end) + 2]


def base_form(verb: str) -> str:
    """The base form of a verb in the third person: `carries` to `carry`, `passes` to `pass`, `is` to `be`."""
    return IRREGULAR.get(verb) or singular(verb)


def plural_verb(predicate: str) -> str:
    """`is in it` to `are in it`; `carries a gun` to `carry a gun`."""
    verb, _, rest = predicate.replace(" its ", " their ").partition(" ")
    own, that, more = rest.partition(" that ")  # what is said of it besides, and not of what it is said with
    own = ALSO.sub(lambda found: f" and {PLURAL_VERBS[found[1]]} ", f"{own} ").rstrip()
    return f"{PLURAL_VERBS.get(verb) or base_form(verb)} {own}{that}{more}".rstrip()


def participles(verb: str) -> tuple[str, ...]:
    """The -ing form of a verb, its past and its past participle: `placing`, `placed`; `breaking`, `broke`, `broken`."""
    doubled = verb + verb[-1] if DOUBLED.search(verb) and sum(ch in "aeiou" for ch in verb) == 1 else verb
    ing = (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else doubled) + "ing"
    if verb in PASTS:
        return (ing, *PASTS[verb])
    if verb.endswith("e"):
        return (ing, verb + "d")
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return (ing, verb[:-1] + "ied")
    return (ing, doubled + "ed")


def third_person(word: str) -> bool:
    """Whether a word may be a verb in the third person: `makes`, not `pass`."""
    return word.endswith("s") and not word.endswith("ss")


def verb_forms(word: str) -> set[str]:
    """A word and what it may be a form of: "firing" of "fire", "pinned" of "pin"."""
    word = singular(word)
    out = {word}
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 1:
            out |= {base, base + "e"}
            if len(base) > 2 and base[-1] == base[-2]:
                out.add(base[:-1])
    return out


def undone(participle: str) -> tuple[str, ...]:
    """A word and the verbs that it may be the past participle of, the likeliest first: "placed" of "place", "occupied" of "occupy"."""
    return (participle, *(participle.removesuffix(e) for e in ("d", "ed")), participle.removesuffix("ied") + "y")


def stem(word: str) -> str:
    """A word without plural and verb endings; good enough to look up, never shown."""
    word = singular(re.sub(r"['’]s?$", "", word).casefold())
    if len(word) > 4:
        for ending in ("ing", "ed"):
            if word.endswith(ending) and len(word) - len(ending) > 2:
                word = word[: -len(ending)]
                if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                    word = word[:-1]
                break
    return word.rstrip("e") if len(word) > 3 else word
