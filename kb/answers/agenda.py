"""What could be asked next in an interview, what most likely decides first; whether it would tell anything is tried by the interview."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from kb.answers import reads
from kb.answers.moments import Moment
from kb.answers.openings import HOW, MANY, NATION, SIDES, WIDE, Opening, Wording, main_kinds, openings, role
from kb.language import english, norms as m, phrases
from kb.reasoner import proof as p
from kb.reasoner.reason import Answer, Atom

ACT = "Act"
MOST_ASKED, MOST_STATES = 14, 12  # of what may be told besides what is asked
MOST_KINDS = 5  # that are named beside the one that a rule asks for


class Agenda:
    """The openings of a case, by how its question stands."""

    def __init__(self, standing: Answer, now: Moment):
        self.standing, self.now, self.theory = standing, now, standing.theory
        self.vocabulary = self.theory.vocabulary
        self.act = now.told.question.thing

    def __iter__(self) -> Iterator[tuple[Opening, bool]]:
        """What could be asked, the likeliest to decide first, and whether any player tells it with the act."""
        act, doers = self.act, self.vocabulary.doers
        missed = self.standing.missed
        taken = self.standing.taken
        if missed.roles:
            listed = openings(self.vocabulary, (*missed.atoms, *taken))
            for role in missed.roles:
                found = next((o for o in listed if o.key == ("link", act, role)), None)
                yield found or Opening("link", act, role), True
            return
        presumed, wanted = self.listed(taken), self.listed(missed.atoms)
        wording = Wording(self.vocabulary, self.now.told)
        who = [
            o for o in wanted if o.kind == "is" and not o.name and wording.does(o.thing) and not wording.known(o.thing)
        ]
        if not self.standing.winners and self.bare(act):
            frame = [o for o in (*wanted, *presumed) if o.kind == "link" and o.thing == act and o.name not in doers]
            narrow = self.vocabulary.properties  # what it is aimed at goes before what it is against
            for opening in sorted(frame, key=lambda o: (-len(o.atoms), len(narrow[o.name].below)))[:1]:
                yield opening, True
        for opening in who:
            yield replace(opening, options=self.kinds_of_doer(opening)), True
        if self.standing.verdict == p.UNDETERMINED:
            rest = [self.widely(o) for o in wanted if o not in who and not self.of_owner(o)]
        else:
            rest = [one for o in presumed if o.kind == "link" and self.apt(o) for one in self.one_by_one(o)]
        for opening in sorted(rest, key=self.weight):
            yield opening, False

    def listed(self, rows: Iterable[Atom]) -> list[Opening]:
        """The openings of some facts; what an act leads to, or is done to, in the relation that a player tells it by."""
        found = openings(self.vocabulary, rows)
        keys = {o.key for o in found} | self.now.closed
        return [self.usual(self.apart(o), keys) for o in found]

    def apart(self, opening: Opening) -> Opening:
        """An opening of who acts, or of the weapon, without the sides: whose it is, is asked otherwise."""
        kinds = tuple(n for n in opening.options if n not in SIDES)
        return replace(opening, options=kinds) if kinds and opening.name in self.vocabulary.doers else opening

    def usual(self, opening: Opening, keys: Collection[tuple[str, str, str]]) -> Opening:
        """An opening of the act in a narrower relation, without which such an act is not told: a move leads into what it comes into."""
        told = self.now.told.things[self.act]
        if opening.kind != "link" or opening.thing != self.act:
            return opening
        for name in self.vocabulary.properties[opening.name].below:
            acts = [row.act for row in self.vocabulary.properties[name].must_be_told]
            open_ = name != opening.name and name not in told.links and ("link", self.act, name) not in keys
            if open_ and any(self.vocabulary.entails(told.is_, act) for act in acts):
                return replace(opening, name=name)
        return opening

    def further(self) -> list[Opening]:
        """All that rules would read of the case and nobody told: who, then where, then with what, then the rest, whether or not it
        would tell anything by itself."""
        listed = self.listed((*self.standing.missed.atoms, *self.standing.taken))
        wording = Wording(self.vocabulary, self.now.told)
        doers = self.now.told.things[self.act].links.get("actor", ())
        who = [
            Opening("is", n, "", (), self.kinds_of_doer(Opening("is", n, "", (), WIDE[:1])))
            for n in doers
            if not wording.known(n)
        ]
        asked = [o for o in listed if o.kind != "fact" and o.key not in {w.key for w in who} and not self.needless(o)]
        facts = [o for o in listed if o.kind == "fact" and o.atoms[0].true[-1].kind in ("is", "become", "flag")]
        rows = [*who, *sorted(asked, key=lambda o: (self.sort(o), self.weight(o))), *facts]
        untold = list(self.untold({(o.thing, o.atoms[0].true[-1].name) for o in facts}))
        gone = {o.key for o in untold}
        return [*[o for o in rows if o.key not in gone][:MOST_ASKED], *untold]

    def needless(self, opening: Opening) -> bool:
        """Whether what is told says it already, or no player would wonder: who shoots where it is told who acts; a pillbox in a pillbox."""
        told = self.now.told.things
        if self.past_act(opening):
            return True
        if opening.kind != "link" or opening.thing not in told:
            return False
        if opening.thing == self.act and told[self.act].links.get(opening.name):
            return True
        term, is_ = self.vocabulary.properties[opening.name], told[opening.thing].is_
        if term.name == "at" and "Place" in english.all_above(self.vocabulary, is_):
            return True
        narrower = [n for role in term.below if role != term.name for n in told[opening.thing].links.get(role, ())]
        apt = [n for n in narrower if any(self.vocabulary.entails(told[n].is_, o) for o in opening.options)]
        return bool(apt or (narrower and term.name in self.vocabulary.doers))

    def itself(self, opening: Opening) -> bool:
        """Whether it is the very question that was put: whether the terrain is closed, where it is asked whether it is."""
        put = self.now.told.question
        edits = opening.atoms[0].true if opening.atoms else ()
        own = put.kind == "is" and isinstance(put.condition, m.Named) and opening.thing == put.thing
        return bool(own and edits and edits[-1].kind == "is" and edits[-1].name == getattr(put.condition, "name", ""))

    def past_act(self, opening: Opening) -> bool:
        """Whether it is asked, from the side of a thing, of an act besides the one asked about."""
        known, (root, *steps) = self.vocabulary, opening.thing.split(".")
        told = self.now.told.things.get(root)
        if told is None or ACT in english.all_above(known, told.is_):
            return False
        through = [known.properties[s.rstrip("?")].range for s in steps if s.rstrip("?") in known.properties]
        to = opening.options if opening.kind == "link" else ()
        return any(ACT in known.classes[n].ancestors for n in (*through, *to) if n in known.classes)

    def untold(self, gone: set[tuple[str, str]]) -> Iterator[Opening]:
        """The states and manners that norms read of the things of the case, and the lists to which more may be told."""
        case, found = self.now.told, reads.read(self.theory, self.now.told)
        for thing, classes in reads.states(self.theory, case, found).items():
            classes = tuple(cls for cls in classes if (thing, cls) not in gone)
            if classes:
                yield Opening("is", thing, HOW if len(classes) > 1 else classes[0], (), classes[:MOST_STATES])
        for thing, relation, kinds in reads.lists(self.theory, case, found):
            told = case.things[thing].links.get(relation)
            if thing == self.act and relation not in phrases.plurals(self.vocabulary, "actor"):
                continue
            place = "Place" in english.all_above(self.vocabulary, case.things[thing].is_)
            if kinds and (told or (place and {*kinds} == {*SIDES})):
                yield Opening("link", thing, relation, (), kinds, more=True)

    def sort(self, opening: Opening) -> int:
        """0 for where, 1 for with what, 2 for anything else."""
        known = self.vocabulary
        for n, wide in enumerate(("Place", "Weapon")):
            if wide in known.classes and opening.options and all(known.entails((o,), wide) for o in opening.options):
                return n
        return 2

    def apt(self, opening: Opening) -> bool:
        """Whether a list would be asked about: who does an act is told, and of how it is done little is asked beside what it is done to."""
        asked = [key for key in self.now.closed if key[0] == "link" and key[1] == self.act]
        return opening.thing != self.act or (opening.name not in self.vocabulary.doers and len(asked) < 2)

    def by_the_way(self, opening: Opening) -> bool:
        """Whether it is one more thing that an act may be done to, or from, where one is told."""
        told = self.now.told.things[self.act].links.items()
        return opening.thing == self.act and any(role != "actor" and things for role, things in told)

    def widely(self, opening: Opening) -> Opening:
        """An opening as it is, or marked as one in which many kinds would stand."""
        named = opening.kind == "is" and len(opening.options) == 1 and opening.thing in self.now.told.things
        return (
            replace(opening, wide=True)
            if named and len(main_kinds(self.theory, opening.options[0])) > MANY
            else opening
        )

    def of_owner(self, opening: Opening) -> bool:
        """Whether it is asked of what nation one's side is, where it was asked of oneself."""
        owner = opening.thing.rpartition(".")[0]
        return opening.name == NATION and ("is", owner, NATION) in self.now.closed

    def one_by_one(self, opening: Opening) -> Iterator[Opening]:
        """A list of which nothing is told, asked about by one kind of thing: is an enemy there?"""
        whatever = self.vocabulary.properties[opening.name].range
        for name in opening.options:
            if whatever != name:
                yield replace(opening, options=(name,), more=len(opening.options) > 1)

    def weight(self, opening: Opening) -> tuple[bool, bool, int]:
        """Whether enemies are about, and then what most rules speak of, is asked first; numbers are asked last."""
        names = [opening.name] if opening.kind == "link" else []
        often = len(opening.atoms) + self.theory.speak_of(*names, *opening.options[:1])
        return opening.kind == "number", opening.options[:1] != ("Enemy",), -often

    def bare(self, act: str) -> bool:
        """Whether nothing is told of an act but who does it, and nothing was asked that would tell more."""
        told = self.now.told.things[act].links.keys() - {"actor"}
        return not told and not any(key[0] == "link" and key[1] == act for key in self.now.closed)

    def kinds_of_doer(self, opening: Opening) -> tuple[str, ...]:
        """The kinds that rules ask for of who does an act; where it is but one, with the main kinds beside it."""
        classes = self.vocabulary.classes
        told = tuple(n for n in opening.options if n not in WIDE and ACT not in classes[n].ancestors)
        wide = next((n for n in WIDE if n in classes), "")
        if len(told) > 1 or not wide:
            return told or opening.options
        below = [
            n
            for n in main_kinds(self.theory, wide)
            if not (classes[n].descendants & {*told} - {n} or role(self.vocabulary, n))
        ]
        akin = {*told}.union(*(classes[n].ancestors | classes[n].descendants for n in told))
        return (*[n for n in below if n not in akin][:MOST_KINDS], *told)
