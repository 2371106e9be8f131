"""Ways of saying that come to other words which are read: told as those words, before a sentence is read.

An idiom is of English, not of a game; what a game calls a thing is a synonym in its tables of terms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.english.words import Word
from kb.language.english import base_form, participles, plural

ASKED, TOLD = "asked", "told"
MOVEMENT = r"(?:mf|mp|movement points?)"


@dataclass(frozen=True, slots=True)
class Idiom:
    """said: the words, as a pattern; instead: what they come to: words, groups (\\1), the past of a verb in a group (past:1), its third person (third:1);
    only: whether it is one of questions or of what is told."""

    said: re.Pattern[str]
    instead: tuple[str, ...]
    only: str = ""


def idiom(said: str, instead: str, only: str = "") -> Idiom:
    """An idiom of whole words."""
    return Idiom(re.compile(rf"(?<!\S)(?:{said})(?!\S)"), tuple(instead.split()), only)


IDIOMS = (
    idiom(r"as(?= (?:it|he|she|they) [a-z]+)", "when"),
    idiom(r"^(?:can|could|may)(?= .+ be (?:made|forced|compelled|obliged) to )", "must", ASKED),
    idiom(r"(?<=\w )be (?:made|forced|compelled|obliged) to", "", ASKED),
    idiom(r"(?:and )?(?:i|we|he|she|they|the player|you) (?:roll|rolls|rolled) (?:a |an )?(\d+)", r", die roll : \1", TOLD),
    idiom(r"(?:a|an) (\d+) (?:is|was) rolled", r"die roll : \1", TOLD),
    idiom(r"(?:go|going|keep|carry) on moving|keep moving", "continue moving"),
    idiom(r"(?<=^is )the (?:fp|firepower) of(?= .*\bhalved)", "", ASKED),
    idiom(r"(?:scores|scored|gets|got|makes|made|lands|landed) (?:a|an) hit", "hits", TOLD),
    idiom(r"(from (?:an|the) (?:adjacent|next) hex) ((?:onto|into|to) .+?)(?=$| ,| if | when | while )", r"\2 \1"),
    idiom(r"is the only (?:other )?(?:unit|piece|one)(?= (?:in|inside|outside|there))", "is", TOLD),
    idiom(r"while (?:(?:standing|sitting|lying|being|staying)(?= (?:in|inside|outside|on|at|next|adjacent) )|(?:it|he) (?:is|was))", "and it is", TOLD),
    idiom(r"(?<=s )(\w+) after (?:it|he) (?:is|was) (\w+)(?=$| ,)", r"\2 and is later \1", TOLD),
    idiom(r"(?<=s )(\w+) by a (?:later|subsequent|further) (?:attack|shot|hit)", r"later \1", TOLD),
    idiom(r"succeed(?:s|ed)?(?=$| ,| and )", "is successful"),
    idiom(r"fail(?:s|ed)?(?=$| ,| and )(?<!is failed)(?<!not fail)(?<!: failed)", "is failed"),
    idiom(
        r"((?:a|an|the|my) (?:\w+ )?\w+) combine (?:its|his|their) (.+?) (?:and|with) (?:its|his|their) (.+?) (?:in|into) (?:a|one|a single) (?:attack|fg|fire group)(?=$| ,| if )",
        r"\1 's \2 be in a FG with its \3", ASKED,
    ),
    idiom(r"(?:i|we) (?:have|own|hold) an?", "there is my"),
    idiom(r"(?:i|we) (?:have|own|hold)(?! to )(?! an? )", "there is"),
    idiom(r"is one (?:that|which)", "", TOLD),
    idiom(rf"(has|have|had) (?:just |now )?(?:paid|spent|expended) (?:its|his|one|two|\d+) {MOVEMENT} to ([a-z]+)", r"\1 past:2"),
    idiom(r"(?:any )?(?:farther|further)(?= (?:this|in|during) |$)", "", ASKED),
    idiom(r"(?:while|when) moving(?= ,|$)|during (?:its|his|their) move(?= ,|$)", "", TOLD),
    idiom(r"(?:would|does) (?:(?:otherwise|normally) )?cost(?= (?:\w+ )?\d)", "costs", TOLD),
    idiom(r"(?:the )?cost after (?:all|any) modifications?(?= :| is)", "MF cost", TOLD),
    idiom(
        r"(?:has|have) been (in|inside|on|at|outside) (.+?) since (?:the )?(?:last|previous) (?:player |game )?turn(?: and stays?(?: there)?)?",
        r"is \1 \2", TOLD,
    ),
    idiom(r"(?:the|its|his|their) (?:\w+ )?roll (?:is|was|shows)(?= (?:original |non-)?doubles)", "it rolls"),
    idiom(r"(?<=^may )(\w+) of the target(?: hex| location)?(?= be )", r"\1", ASKED),
    idiom(r"the target (hex|location)", r"the target 's \1"),
    idiom(r"the (?:ground|area)(?= outside )", "the hex"),
    idiom(r"(?:has|have|had) (?:not|never) (?:yet )?been", "is not"),
    idiom(r"before (?:the )?(?:play|game) (?:begins|starts)", "before play"),
    idiom(r"(?<=^may )(\w+|the \w+) dig", r"\1 place", ASKED),
    idiom(r"for (?:this|the|that) (?:\w+ )?result(?=$| ,)", "", ASKED),
    idiom(r"a rule (?:for|on|about|of|governing|covering) .+? (?:specifically|expressly)(?= (?:allows|permits) )", "a rule specifically", TOLD),
    idiom(r"(?<=^may the )owner|(?<=^can the )owner|(?<=^must the )owner", "player", ASKED),
    idiom(r"(?:on|at|in) this spot", "in this hex"),
    idiom(r"^spot(?= :)", "hex", TOLD),
    idiom(r"(?:turn|rotate|swing|pivot) (the \w+)(?: (?:so that|so) (?:its|his) (?:ca|covered arc) (?:changes|is changed))?(?= |$)", r"turn \1", ASKED),
    idiom(r", (?:which|and) (?:is|are) (?:thereby |then |thus |so )?(?:revealed|discovered)(?=$| ,)", "", TOLD),
    idiom(r"(?:(?:his|its|the|their) )?(?:chosen|selected|intended)(?= hex(?:es)?\b)", "the"),
    idiom(r", (?:even )?allowing for \w+ ,", "", TOLD),
    idiom(r"(\w\d+) and (\w\d+) (?:touch|adjoin|border) (\w\d+) at opposite hexsides(?: ,)?(?: and (?:each|the|their) los (?:crosses|cross) (?:that|those|the) hexsides?)?", "", TOLD),
    idiom(r"(?:in order )?for (?:it|him|them) to", "to", ASKED),
    idiom(r"(?:and )?(?:leaves|leave|left) (?:both|them|all)(?: of them)? alive(?=$| ,)", "", TOLD),
    idiom(r"(?:their|the|both|his|its) los (?:come|comes|came|enter|enters|entered|run|runs|lead|leads|cross|crosses)(?: \w+){0,3}? through(?= (?:\w+ ){1,2}hex(?:spines|sides))", "los through", TOLD),
    idiom(r"link (.+?) into (?:one|a|the same) (fg|fire group)", r"form a \2 with \1", ASKED),
    idiom(r"is on the side of the \w+ units ,(?: an)? enemy (?:to|of) the (\w+)", r"is not on the \1 's side", TOLD),
    idiom(r"pass(?= (?:the|a|an) (?:\w+ ){0,3}(?:wire|entanglement|obstacle|barricade)(?= |$))", "cross", ASKED),
    idiom(r"(?<=wire )across the (?:railway|railroad|rail|road)(?: line| track)?s?", "", TOLD),
    idiom(r"as (?:a )?part of (?:the|this) attack(?=$| ,)", "", TOLD),
    idiom(r", one(?: of (?:the|them|these|those)(?: \w+){0,2})? at each(?=$| ,)", "", TOLD),
    idiom(r", to be (?:placed|set up|used) in any hex .*", "", TOLD),
    idiom(r"(?<=^how many )(.+?) (?:fit|fits|have room)(?= in| into| inside)", r"\1 can be", ASKED),
    idiom(r"^what is the (?:greatest|largest|highest|maximum) number of (.+?) (?:that|which) ((?:a|an|the|this) .+?) (can|may)", r"how many \1 \3 \2", ASKED),
    idiom(r"(is|are) with(?= (?:the|a|an|my|our|his|its|enemy|friendly) (?!\w+ (?:at|as) ))", r"\1 in the same location as", TOLD),
    idiom(r"(rolls?|rolled|rolling) (?:a )?doubles?", r"\1 Doubles"),
    idiom(r"^how many (.+?) must (.+?) pass to(?= )", r"how many successful \1 does it take \2 to", ASKED),
    idiom(r"(?:a|the) (?:second|third|fourth|fifth|further|new) one", "another"),
    idiom(r"(?<=^how many )(.+?) at (?:the )?most(?= (?:may|can|could) )", r"\1", ASKED),
    idiom(r",? ?(?:in order )?to (?:defend|protect|shelter|reinforce|support|help) (?:it|itself|him|himself|them|themselves|(?:the|a|an|its|his|my|our) \w+)(?=$| ,)", ""),
    idiom(r"pass(?= (?:through|over) )", "move"),
    idiom(r"^(?:is|are) (an? .+?) (?:needed|required|necessary)(?= to )", r"must I take \1", ASKED),
    idiom(r"(?<=be )(?:kept|housed|left)(?= (?:in|inside|on|at) )", ""),
    idiom(r"(a|an|the|any) enemy-(?:held|occupied) ((?:\w+ )?\w+)", r"\1 \2 occupied by an enemy unit"),
)  # fmt: skip


OWNERS = r"(?:the|its|his|her|their|my|our)(?: (?:owner|player) 's)?"
ANY = r"(?:a|an|the|my|our|your|his|its|her|their|this|that|these|those|one)"
BOUND = r"(?:nor|or|and|but|to|in|inside|outside|adjacent|that|which|is)"
# Another turn than that which is asked about, or than that in which it was told that something happened.
OTHER_TURNS = tuple(
    (rf"(?:(?:in|during|on) )?(?:{OWNERS} )?(?:{which}) (?:player |game )?turn(?! 's)|{more}", name)
    for which, more, name in (
        ("last|previous|preceding|earlier|prior", r"in an earlier (?:player |game )?turn|(?:the|a) turn (?:before|earlier|ago)", "turn-before"),
        ("next|following|subsequent", r"(?:the|a) turn (?:after|later)", "turn-after"),
    )
)  # fmt: skip
PATTERNS = (  # with names of the book in them
    *(idiom(rf"^(?:{turn})(?: ,)? ([^,]+?)(?=$| ,)", rf"\1 {name}") for turn, name in OTHER_TURNS),
    *(idiom(turn, name) for turn, name in OTHER_TURNS),
    idiom(rf"(an?) ((?:(?!{BOUND} |, )\S+ )*(?!{BOUND} |, )\S+) ({BOUND} (?:(?!an? )\S+ )*?(?:to|in|inside|outside)) one(?=$| ,)", r"\1 \2 \3 \1 \2", TOLD),
    idiom(r"((?:.* )?(?:able|is|are|was|were|has|have) (?:.* )?\S+) otherwise(?=$| ,)", r"\1", TOLD),
    idiom(r"not yet", "not"),
    idiom(r"((?:.* )?(?:not|never|no) .+) yet(?=$| ,| and | but )", r"\1"),
    idiom("next to", "adjacent to"),
)  # fmt: skip
# What is no part of a name of the book: words that tell nothing, another time than now where that tells nothing more, another turn.
WORDINGS = (
    idiom(r"(?:(?:across|hexside|the) )*([a-z]{1,2}\d{1,2}) ([a-z]{1,2}\d{1,2})", r"between \1 and \2"),
    idiom(r"(?:, )?(?:inside|within|in) (?:the|his|her|their|its|my|our) (?:player 's |owner 's |side 's |own )?set-?up (?:area|zone)(?=$| ,)", ""),
    idiom(
        r"(?:, )?the (?:scenario|oob|scenario 's oob) (?:provides|includes|allows|has) (?:it|him|them|the \w+|this \w+)(?: and (?:sets|adds|names|gives) no (?:\w+ )?(?:limit|rule|restriction)s?(?: of its own)?)?(?=$| ,)", "",
    ),
    idiom(rf"(?:, )?with (?:(?:enough|sufficient|some|his|its) )?{MOVEMENT}(?: (?:left|remaining|to spare))?(?=$| ,)", ""),
    idiom(rf"(?:, )?and (?:(?:it|he|they) )?(?:has|have) (?:(?:enough|sufficient|the) )?{MOVEMENT}(?: left)?(?: for (?:it|that|the terrain|the hex))?(?=$| ,)", ""),
    idiom(r"(?:will|would) be", "is", TOLD),
    idiom(r"(?:will|would) have", "has", TOLD),
    idiom("would be", "is", ASKED),
    idiom("would have", "has", ASKED),
    idiom(r"(?:will|would|shall) (?!like|not|otherwise)([a-z]+)(?!.* otherwise)", r"third:1", TOLD),
    idiom(r"(?:is|are) (?:going|about) to(?= [a-z]+)(?!.* otherwise)", "", TOLD),
    idiom(rf"(?<!\ba )(?<!\bthe )(?<!this )(?<!that )(?<!its )(?<!one )target(?= {ANY} )", "attack", ASKED),
    idiom(r"(?<=\S )here(?=$| ,)", "in this hex", ASKED),
    idiom(r"(?<=\S )(?:(?:in|during|of) )?this (?:phase|turn)(?=$| ,)", ""),
    idiom(r"(?:in|during) this (phase|turn)(?= and)", r"this \1"),
    idiom(r"(a|the) (?:kind|type|sort) of", r"\1"),
    idiom(rf"the (?:outcome|result|effect)s? of(?= {ANY} )", ""),
    idiom("at once", ""),
    idiom(r", (?:too|either|though)(?=$| ,)", ""),
    idiom(r"(?<!is )(?<!are )(?<!was )(?<!be )alone|(?<=is )alone(?= (?:in|inside|outside|on|at) )", ""),
    idiom(r"(?<!not )(?:only|merely)(?! (?:if|when|not|after|once|by|in|during|on|at|with|against|from|to|through|for|half|one) )", "", TOLD),
    idiom(r"such(?= an? )", ""),
    idiom("such", "this"),
)  # fmt: skip


def restated(line: Sequence[Word], question: bool) -> list[Word]:
    """A sentence with its idioms told in the words that they come to."""
    found = list(line)
    for one in (*IDIOMS, *PATTERNS):
        if one.only and (one.only == ASKED) != question:
            continue
        for match in reversed([*one.said.finditer(" ".join(word.low for word in found))]):
            found = replaced(found, match, one.instead)
    return found


def replaced(line: list[Word], match: re.Match[str], instead: Sequence[str]) -> list[Word]:
    """A sentence with the words of a match as others, which stand where those stood."""
    begin, end = counted_words(match, 0)
    start, stop = line[begin].start, line[end - 1].end
    told: list[Word] = []
    for word in instead:
        if word.startswith("\\"):
            first, last = counted_words(match, int(word[1:]))
            told += line[first:last]
        elif word.startswith("third:"):
            told.append(Word(plural(Word(match[int(word[6:])], start, stop).plain), start, stop))
        elif word.startswith("past:"):
            verb = Word(match[int(word[5:])], start, stop).plain
            told.append(Word(participles(base_form(verb))[1], start, stop))
        else:
            told.append(Word(word, start, stop))
    return [*line[:begin], *told, *line[end:]]


def counted_words(match: re.Match[str], group: int | str) -> tuple[int, int]:
    """Which words of a sentence a group of a match is, from the first to behind the last."""
    first = match.string[: match.start(group)].count(" ")
    return first, first + match[group].count(" ") + 1
