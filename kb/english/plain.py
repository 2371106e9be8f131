"""Plain words for those of talk: he's, gets hit, ducks into, hiding in, of course. What is replaced is of classes of words that English
closes, or nearly; what the book has a name for in several words stays."""

from __future__ import annotations

from collections.abc import Sequence

from kb.english.idioms import ANY, ASKED, WORDINGS, Idiom, counted_words, idiom, replaced
from kb.english.lexicon import DETERMINERS, LONGEST, Lexicon
from kb.english.words import Word
from kb.language.english import participles, plural

PLACING = frozenset(["in", "inside", "within", "outside", "on", "at", "next", "adjacent", "there", "under", "beneath", "behind", "beside", "atop", "near", "along", "underneath", "around"])  # fmt: skip
LEADING = frozenset(["into", "onto", "to", "out", "through", "in", "inside", "from", "off", "over", "across", "outside", "under", "past"])  # fmt: skip
DIRECTIONS = frozenset(["straight", "right", "directly", "back", "down", "away", "forward", "just", "safely"])
# Told of whom it was done to.
PUT = frozenset(["park", "stack", "locate", "station", "position", "post", "huddle", "hole", "hunker", "tuck", "nestle", "tangle"])  # fmt: skip
IRREGULAR = {"hide": "hid", "sit": "sat", "lie": "lying lay", "run": "ran", "get": "got", "drive": "drove driven", "go": "goes", "ride": "rode ridden", "sneak": "snuck", "creep": "crept", "stick": "stuck", "fling": "flung"}  # fmt: skip
BE_SOMEWHERE = "hide sit stand shelter lie wait crouch camp live remain rest lurk linger squat hang " + " ".join(PUT)
MOVE_SOMEWHERE = "run hop jump duck drop dash step head sneak slip rush wander scramble climb travel proceed dive sprint drive squeeze get go walk hurry race dart clamber push roll ride waltz march blunder stroll barge pop pile creep hike lumber rumble plow plough stumble wade scoot bolt emerge trundle jog trot cram"
FORMS = {
    form: (be, inflection, verb)
    for be, verbs in ((True, BE_SOMEWHERE), (False, MOVE_SOMEWHERE))
    for verb in verbs.split()
    for form, inflection in (
        (verb, "base"),
        (plural(verb), "third"),
        (participles(verb)[0], "ing"),
        *((past, "past") for past in participles(verb)[1:]),
        *((other, "ing" if other.endswith("ing") else "past") for other in IRREGULAR.get(verb, "").split()),
    )
}
MOVES = {"base": "move", "third": "moves", "ing": "moving", "past": "moved"}
# Verbs of talk, each by a plain one, where the book has none of that name itself.
MEANT = {"throw": "toss lob hurl chuck fling heave", "place": "plop plunk stick shove stuff install build construct erect", "spend": "burn", "leave": "vacate evacuate", "destroy": "demolish obliterate annihilate smash wreck"}  # fmt: skip
SAID = {
    other: said for meant, verbs in MEANT.items() for verb in verbs.split()
    for other, said in zip((verb, plural(verb), *participles(verb), *IRREGULAR.get(verb, "").split()), (meant, f"{meant}s", *participles(meant), participles(meant)[-1]), strict=False)
}  # fmt: skip
DONE = r"(?:\w+ed|hit|shot|broken|hurt|killed)"
NOTHING = (  # what says how somebody speaks, and nothing of what he speaks of
    "anyway|anyways|nevertheless|nonetheless|of course|at all|in any way|as usual|by the way|please|actually|basically|really|in theory|technically|strictly speaking|obviously|luckily|unfortunately"
    "|somehow|however|though|as well|i think|i guess|i believe|imho|afaik|then|safely|quickly|happily|right away|too|thereby|thus|along|in general|normally|ordinarily|yet|under normal circumstances"
)
SPOKEN = (
    idiom(r"(it|that|he|she|there|who|what|which) 's(?= (?:\w+ )?(?:been|taken|gone|become|just|moved|never)(?: |$))", r"\1 has"),
    idiom(r"(it|that|he|she|there|who|what|which) 's", r"\1 is"),
    idiom(r"'s(?= (?:in|inside|outside|on|adjacent|being) )|'s(?= (?:outside|inside)$)", "is"),
    idiom(r"(?:later )?in (?:that|this) same", "in this"),
    idiom(r"(?:has|have|had) taken (?:cover|shelter|refuge|position)|(?:takes|took) (?:cover|shelter|refuge|position)", "is"),
    idiom(r"take (?:up )?(?:cover|shelter|refuge|positions?)", "be"),
    idiom(r"taking (?:cover|shelter|refuge|position)|(?:dug in|holed up|hunkered down|bunkered down|stuck|caught up|tangled up|caught|hanging around|hanging out)(?= (?:in|inside|behind|under|outside|on|at|there) )", ""),
    idiom(rf"(?:gets|got|has gotten|has got)(?: just)?(?= {DONE}(?: |$))", "is"),
    idiom(rf"(who|that|which) (?:get|become)(?= {DONE}(?: |$))", r"\1 are"),
    idiom(rf"(?:has |have |had )?(?:become|became|becomes)(?= {DONE}(?: |$))(?<!get become)", "is"),
    idiom(rf"^((?!does |do )\S+ .+) (?:get|become)(?= {DONE}(?: |$))", r"\1 be"),
    idiom(r"one after (?:the other|another)", "consecutively"),
    idiom("(?<=hex )itself|(?<=location )itself", ""),
    idiom(r"(?:lob|drop) (?:\w+ )?(?:shells|rounds)", "fire its mortar"),
    idiom(r"(?:lobs|drops) (?:\w+ )?(?:shells|rounds)", "fires its mortar"),
    idiom(r"right(?= (?:next|beside|in|on|outside|inside|at|behind|into|onto|out|through|to) )", ""),
    idiom(rf"getting(?= {DONE}(?: |$))", "being"),
    idiom(r"(?:gets|takes|suffers|receives|took|got) a pin(?: result)?", "is pinned"),
    idiom(r"guys|men|boys|lads|troops|soldiers|people", "soldiers"),
    idiom(r"(?:my|the|his|our) opponent 's", "the enemy 's"),
    idiom(r"(?:my|the|our) opponent|the other (?:side|player)", "the enemy player"),
    idiom(r"(?:go|come|get|step|climb|walk|hop|jump|duck|pop|pile|dive|crawl|run|squeeze|sneak|slip|cram|barge|march|waltz) in(?:side)?(?=$| ,| (?:this|now|if|when|while|during|in|after|even) )", "move into it"),
    idiom(r"charge(?= into )", "move"),
    idiom(r"enemy(?: |-)occupied|enemy held", "enemy-held"),
    idiom(r"(fires?|firing|shoots?) canister(?= (?:at|on|against) )", r"\1 with canister"),
    idiom(r"beside", "next to"),
    idiom(r"beneath|underneath", "under"),
    idiom(r"atop", "on top of"),
    idiom(r"buttons? up", "BU"),
    idiom(r"neighbou?ring", "adjacent"),
    idiom(r"join up in|join together in|team up in|combine into", "form"),
    idiom(r"do anything to|have any effect on|do something to|have an effect on|bother|influence", "affect"),
    idiom(r"does anything to|has any effect on|does something to|has an effect on|bothers|influences", "affects"),
    idiom(r"as soon as|the moment|the instant|in case|whenever", "when"),
    idiom(r"(?<=do )you|(?<=may )you|(?<=can )you", "I"),
    idiom(r"(have|has) got(?! to )", r"\1"),
    idiom(r"how (?:good|big|high|large|great|strong|much) is", "what is"),
    idiom(r"do i (?:use|apply|add|take|count|get)(?: for| to| against)", "applies to"),
    idiom(r"(team|squad|unit)s? of (infantry|tanks|engineers|pioneers)", r"\2 \1"),
    idiom(r"(at|on|against) (?:something|someone|somebody|anything|anyone|anybody)", r"\1 an enemy unit"),
    idiom(r"go around|go round|go past", "bypass"),
    idiom(r"dead|killed|wiped out|(?:knocked|taken|wiped) out(?! of )|blown up|blown to bits|toast", "eliminated"),
    idiom(rf"(knock|blow|wipe) ({ANY} [^,]+?|it|them|him) (out|up)(?=$| ,| with | in the )", r"\1 \3 \2"),
    idiom(rf"(?:knock|blow|wipe|finish) (?:out|up|off)(?= {ANY} | it | it$)|take out(?= (?:a|an|the|enemy) (?!.* (?:from|of) ))|blast(?= {ANY} )", "destroy"),
    idiom(rf"(?:knocks|blows|wipes) (?:out|up)(?= {ANY} )|blasts(?= {ANY} )", "destroys"),
    idiom("next door", "adjacent"),
    idiom("(?:a|the) hex adjacent", "an adjacent hex"),
    idiom(rf"(?:(?:shoot|fire)(?: up| on| upon)+|(?:open fire|open up|blaze away)(?: on| upon| at))(?= {ANY} )", "shoot at"),
    idiom(rf"(?:opened up|opened fire|blazed away)(?: on| upon| at)(?= {ANY} | some)", "fired at"),
    idiom(r"out in the open", "in the open"),
    idiom("mid-game", "during play"),
    idiom(rf"(is|are|sits|sit|rides|riding|sitting) in the back of(?= {ANY} )", r"\1 in"),
    idiom("half a dozen", "six"),
    idiom(rf"(?:steps|stepped|wanders|wandered|blunders|blundered|stumbles|stumbled) (?:on|onto|upon)(?= {ANY} )", "moves into"),
    idiom(rf"step (?:on|onto)(?= {ANY} )", "move into"),
    idiom(r"(hexes|hex|inches|inch) off", r"\1 away"),
    idiom("up(?= (?:onto|into) )", ""),
    idiom("a dozen", "twelve"),
    idiom("a (?:couple|pair) of", "two"),
    idiom(r"(?:is|are) (?:holding|occupying|garrisoning)", "occupies"),
    idiom(r"in danger (?:from|of)", "exposed to"),
    idiom(rf"(?:hold|holds|held) {ANY} fire", "does not fire"),
    idiom(rf"(shooting|firing) up(?= {ANY} )", r"\1 at"),
    idiom(r"open(?:ed|s)? fire(?=$| ,| and )", "fires"),
    idiom(r"throughout|for the rest of|during the rest of", "in"),
    idiom(rf"(?:,? ?(?:{NOTHING}))+(?= ,|$)", ""),
    idiom(r"^(?:,|so|ok|okay|well|now(?! :)|and|but|also|hi|hello|hey|quick question|question|please|anyway|let 's say(?: that)?|say|suppose(?: that)?|assume(?: that)?|imagine(?: that)?)(?: [,:])?", ""),
    idiom(r"lone|straight|safely|quickly|immediately|happily|simply|just|actually|really|normally|indeed|presently|also|therefore|still|even|ever|legally|already|apparently|outright|down|altogether|completely|entirely", ""),
)  # fmt: skip
SHORT = {"can't": "can", "won't": "will", "shan't": "shall"}
CUT = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}


def reworded(line: list[Word], question: bool, known: Lexicon) -> list[Word]:
    """A sentence in other words that come to the same, where those are no part of a name of the book."""
    for one in WORDINGS:
        if not one.only or (one.only == ASKED) == question:
            line = with_idiom(line, one, known)
    return line


def plainly_said(line: Sequence[Word], known: Lexicon) -> list[Word]:
    """A sentence in plain words throughout."""
    found = full(line)
    for one in SPOKEN:
        found = with_idiom(found, one, known)
    found = going_and_being(in_plain_verbs(found, known), known)
    while found and found[-1].text == ",":
        found.pop()
    return found


def with_idiom(line: list[Word], one: Idiom, known: Lexicon) -> list[Word]:
    """A sentence with an idiom told in plain words, where it is no part of a name of the book."""
    for match in reversed([*one.said.finditer(" ".join(word.low for word in line))]):
        first, last = counted_words(match, 0) if match[0].strip() else (0, 0)
        named = any(
            (stretch := known.at(line, n)) is not None and n + stretch.length > max(first, n + 1)
            for n in range(max(0, first - LONGEST), last)
        )
        if first < last and not named:
            line = replaced(line, match, one.instead)
    return line


def in_plain_verbs(line: Sequence[Word], known: Lexicon) -> list[Word]:
    """A sentence with verbs of talk as plain ones: toss, throw."""
    told = (SAID.get(word.low, word.text) if known.at(line, n) is None else word.text for n, word in enumerate(line))
    return [Word(said, word.start, word.end) for said, word in zip(told, line, strict=True)]


def full(line: Sequence[Word]) -> list[Word]:
    """A sentence with its contractions as two words: hasn't, they're."""
    found: list[Word] = []
    for word in line:
        ending = next((cut for cut in CUT if word.low.endswith(cut) and word.low != cut), "")
        if word.low.endswith("n't") and word.low != "n't":
            at = word.end - 3
            found += [Word(SHORT.get(word.low, word.low[:-3]), word.start, at), Word("not", at, word.end)]
        elif ending:
            at = word.end - len(ending)
            found += [Word(word.text[: -len(ending)], word.start, at), Word(CUT[ending], at, word.end)]
        else:
            found.append(word)
    return found


def going_and_being(line: Sequence[Word], known: Lexicon) -> list[Word]:
    """A sentence with how somebody goes somewhere, or is there, told as that he does: ducks into, hiding in."""
    found: list[Word] = []
    at = 0
    while at < len(line):
        word = line[at]
        be, inflection, verb = FORMS.get(word.low, (False, "", ""))
        after = at + 1
        while after < len(line) and line[after].low in DIRECTIONS:
            after += 1
        at += 1
        name = known.at(line, at - 1)  # gone to ground
        if (
            not verb
            or (verb in PUT and inflection != "past")
            or (name is not None and name.length > 1)
            or after >= len(line)
            or line[after].low not in (PLACING if be else LEADING)
            or (verb in ("get", "roll") and line[after].low in ("to", "in", "inside", "from", "off"))
        ):
            found.append(word)
            continue
        at = after
        if not be:
            found.append(Word(MOVES[inflection], word.start, word.end))
            if (
                line[at].low in ("in", "inside", "within")
                and at + 1 < len(line)
                and line[at + 1].low in DETERMINERS - {"this", "that"}
            ):
                found.append(Word("into", line[at].start, line[at].end))
                at += 1
        elif inflection == "base":
            asked = found and (found[-1].low == "to" or found[0].low in ("may", "can", "could", "must", "does", "do"))
            found.append(Word("be" if asked else "are", word.start, word.end))
        elif inflection != "ing" and verb not in PUT:
            found.append(Word("is", word.start, word.end))
    return found
