"""The shape of a decision table: one situation of an act, and everything that the rules read of it, each as an input with its options.

    shape = Shape(theory, case); shape.case({input: option, …}) -> Case

An input is a class or a flag of a thing (so or not), what stands in a relation (each kind that a rule asks for, or none of them), or
a number between the limits that rules name. What no input has decided is under `unknown`: nothing is presumed of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec.structs import replace

from kb.language import norms as m
from kb.language.case import Amount, Case, Edit, Fact, Facts, Flagged, IsA, Reaches, Related
from kb.language.vocabulary import ABSENT, CONCLUDED
from kb.reasoner import reason
from kb.reasoner.reason import turning
from kb.research.decisions.fillers import kinds_in, relations_in, several, terms_of
from kb.research.decisions.inputs import (
    FLAG as FLAG,
    IS as IS,
    LINK as LINK,
    NUMBER as NUMBER,
    Input,
    Key as Key,
    Option as Option,
    akin,
    between,
    led_to,
    made_real,
)
from kb.rulebook.theory import Theory

Chosen = Mapping[Key, int]
ASKED, ACT = "asked", "Act"
DONE_TO = ("target", "object", "destination", "place")


class Shape:
    """The inputs of a case's question. inputs: in the order in which rules ask for them; grown: how often one was added to; effort: what may be
    spent on all the cases in which inputs are chosen."""

    def __init__(self, theory: Theory, case: Case, like: Shape | None = None):
        """like: a shape of the same situation under other rules, whose inputs it shares."""
        self.theory, self.vocabulary = theory, theory.vocabulary
        self.inputs: dict[Key, Input] = like.inputs if like is not None else {}
        self.grown = 0
        self.effort: turning.Effort = like.effort if like is not None else turning.Effort(turning.MOST_GOALS)
        first = reason.answer(theory, case, False)
        self.base = made_real(case, first.worked[1])
        answer = reason.answer(theory, self.base, False)
        act = answer.worked[1].things[case.question.thing]
        self.akin = {
            n
            for c in act.facts.is_
            for n in (*self.vocabulary.classes[c].ancestors, *self.vocabulary.classes[c].descendants)
        }
        self.answered = answer
        self.notions = frozenset((*theory.makes, *theory.unmakes))
        self.look()

    def look(self) -> None:
        """Looks which norms can speak of the act and which rows of the scopes it can be under, by the inputs that there are (an assault
        that is a hit as well), and which words are read with them."""
        act, classes = self.base.question.thing, self.vocabulary.classes
        more = [name for kind, thing, name in self.inputs if (kind, thing) == (IS, act)]
        told = {n for name in more for n in classes[name].ancestors}
        facts, theory = self.answered.worked[1].things[act].facts, self.theory
        kinds = [theory.kind_of((*facts.is_, *also), facts.not_) for also in ((), *((name,) for name in more))]
        speaking = {norm.id for kind in kinds for norm, _ in theory.deontic_of(kind, self.base.question.kind)}
        self.norms = [norm for norm in theory.deontic if norm.id in speaking]
        own = {norm.id for norm, _ in theory.deontic_of(kinds[0], self.base.question.kind)}
        self.besides = {
            norm.id: [(IS, act, name) for name in more if m.subject_of(norm.head) in classes[name].ancestors]
            for norm in self.norms
            if norm.id not in own
        }
        under = {id(row) for kind in kinds for row in theory.scope_of(kind) if turning.closes(theory, row)}
        scoped = (row for rows in theory.scope.values() for row in rows if id(row) in under)
        self.rows = [row for row in scoped if row.term in self.akin | told or self.made_such(row.term)]
        named = {row.term for row in self.rows}.union(
            *map(terms_of, self.norms), *(m.names_in(row.condition) for row in self.rows)
        )
        self.named = named.union(*(m.names_in(d) for n in named for d in self.theory.definitions.get(n, ())))
        self.asked_kinds = self.kinds_asked()
        situation = self.answered.worked[1]
        self.unfit = frozenset(self.without_ends(situation))
        read = turning.words_read(self.answered, situation)
        self.open_words = {name: tuple(self.withdrawable(name, words)) for name, words in read.items()}

    def withdrawable(self, name: str, words: Mapping[str, None]) -> Iterator[str]:
        """The words of a thing of which nothing is presumed: not those that rules alone make so, nor what is told in their stead."""
        facts = self.base.things.get(name)
        known = self.vocabulary
        for word in words if facts is not None else ():
            assert facts is not None
            term = known.classes.get(word)
            if word not in self.named or (name, word) in self.unfit:
                continue
            if term is not None:
                if not (term.derived or word in (*facts.is_, *facts.not_)):
                    yield word
            elif word in known.properties:
                prop = known.properties[word]
                if not prop.derived and word not in (*facts.links, *facts.numbers, *facts.flags):
                    yield word

    def without_ends(self, situation: turning.Situation) -> Iterator[tuple[str, str]]:
        """The relations of the act that are told already, and those that only other kinds of act are told with; an act that is told to
        be done to something is done to nothing else."""
        act = situation.things[self.base.question.thing]
        done_to = any(act.facts.links.get(role) for role in DONE_TO)
        for name in sorted(self.named & self.vocabulary.properties.keys()):
            prop = self.vocabulary.properties[name]
            owed = [row.act for row in prop.must_be_told]
            ours = any(kind in self.akin for kind in owed)
            if prop.kind == "object" and (
                situation.successors(act, name).things or (not ours and (owed or (done_to and name in DONE_TO)))
            ):
                yield act.name, name

    def made_such(self, term: str) -> bool:
        """Whether an act is of a class for what it is told with: an entry into a pillbox."""
        return term in self.theory.definitions and ACT in self.vocabulary.classes[term].ancestors

    # ── cases ──

    def case(self, chosen: Chosen, whole: bool = False) -> Case:
        """The case in which some inputs are as chosen. whole: what is not chosen is as usual, and not open."""
        found = self.base
        for key, n in chosen.items():
            found = self.stated(found, self.inputs[key], n)
        if whole:
            return found
        said = {(key[1], word) for key in chosen for word in self.tellers(key)}.union(
            *map(self.said_back, chosen.items())
        )
        things = dict(found.things)
        for name in self.base.things:
            open_ = tuple(w for w in self.open_words.get(name, ()) if (name, w) not in said)
            things[name] = replace(things[name], unknown=open_, one_sided=True)
        return replace(found, things=things)

    def tellers(self, key: Key) -> tuple[str, ...]:
        """The words that tell an input."""
        kind, _, name = key
        return (name, *self.theory.way(name).tellers) if kind == LINK else (name,)

    def said_back(self, chosen: tuple[Key, int]) -> set[tuple[str, str]]:
        """The relations of another thing of the shape that an option tells: where one is at is told by whom that place has in it."""
        key, n = chosen
        return {(led_to(self.inputs[key].options[n]), word) for word in self.backwards(key[2])}

    def backwards(self, name: str) -> frozenset[str]:
        """The relations that say of its end what one says of its beginning: its inverses, and what is wider."""
        return frozenset(q for q, prop in self.vocabulary.properties.items() if name in prop.inverses)

    def stated(self, case: Case, row: Input, n: int) -> Case:
        """A case with an input stated one way."""
        option = row.options[n]
        if option.fact is None and row.key[0] == LINK:
            return self.none_of(case, row)
        for edit in option.edits:
            case = edit.apply(case)
        if row.key[0] == LINK and isinstance(option.fact, Reaches):
            case = self.and_no_more(case, row, option)
        return case

    def and_no_more(self, case: Case, row: Input, option: Option) -> Case:
        """A case in which what was put into a relation is of none of the kinds that rules ask for, but those that it is told to be of."""
        others = tuple(n for filler in self.fillers(row) for n in kinds_in(filler))
        things, new = dict(case.things), option.edits[-1].value
        reached = {end: role for name in new[1] for role, ends in things[name].links.items() for end in ends}
        for name in new[1]:
            things[name] = self.closed(things[name], reached.get(name, option.edits[-1].name), others)
        return replace(case, things=things)

    def closed(self, facts: Facts, role: str, others: tuple[str, ...] = ()) -> Facts:
        """A thing at the end of a relation, of no other kind than it is told to be of. others: kinds that it may not be of besides."""
        classes = self.vocabulary.classes
        wide = self.vocabulary.properties[role].range
        told = (*facts.is_, *((wide,) if wide in classes else ()))
        spared = {a for c in told for a in classes[c].ancestors} | {n for c in told for n in classes[c].disjoint}
        sure = spared.union(facts.not_, *(classes[n].descendants for n in facts.not_))
        denied = (n for n in dict.fromkeys((*self.asked_kinds, *others)) if n not in sure)
        return replace(facts, not_=(*facts.not_, *denied))

    def kinds_asked(self) -> tuple[str, ...]:
        """The classes that the rules on the act name and that a case must tell: what nothing is presumed of, and no rule makes."""
        known, theory = self.vocabulary.classes, self.theory
        # What a rule counts as something that only a tunnel can be was a tunnel before: it is not made one.
        anew = {
            n for n, norms in theory.makes.items()
            if any((of := m.subject_of(norm.head)) not in known or n not in known[of].ancestors for norm in norms)
        }  # fmt: skip
        made = {*anew, *theory.definitions, *theory.defined_below}
        return tuple(
            n
            for n in sorted(self.named & known.keys())
            if not (known[n].derived or n in made or known[n].when_unstated in (ABSENT, CONCLUDED))
        )

    def none_of(self, case: Case, row: Input) -> Case:
        """A case in which nothing that rules ask for stands in a relation."""
        _, thing, name = row.key
        if any(isinstance(o.fact, Related) for o in row.options):
            new = f"{thing}.{name}-other"
            return Edit("link", thing, name, (new, {new: self.closed(Facts(new), name)})).apply(case)
        if self.vocabulary.properties[name].when_unstated != ASKED:
            return Edit("unlink", thing, name).apply(case)
        fillers = self.fillers(row)
        kinds = dict.fromkeys(n for filler in fillers for n in turning.leading(filler))
        nothing = {
            role: () for filler in fillers for role in relations_in(filler)
        }  # nor does it lead to what they ask for
        new = f"{thing}.{name}-other"
        there = self.closed(Facts(new, (), tuple(kinds), links=nothing), name)
        return Edit("link", thing, name, (new, {new: there})).apply(case)

    def fillers(self, row: Input) -> list[m.Condition]:
        """What rules ask of the things that stand in a relation: by its own name, and by that of a wider one."""
        _, thing, name = row.key
        known = self.vocabulary.properties
        wider = (r for key, r in self.inputs.items() if key[:2] == (LINK, thing) and name in known[key[2]].below)
        return [o.fact.filler for r in wider for o in r.options if isinstance(o.fact, Reaches)]

    def staged(self, chosen: Chosen, whole: bool = False) -> turning.Situation:
        """The case in which some inputs are as chosen, ready to be asked about."""
        return turning.staged(self.theory, self.case(chosen, whole), self.effort)

    # ── inputs ──

    def inputs_for(self, situation: turning.Situation, atom: turning.Atom) -> Key | None:
        """The input that a fact belongs to, made or added to where it is new; None where it is of no thing of the shape."""
        if not atom.true:
            return None
        edit = atom.true[-1]
        if len(atom.true) > 1 or edit.thing not in self.base.things or not self.spoken_of(atom):
            return None
        if (edit.thing, edit.name) in self.unfit:
            return None
        key: Key = (edit.kind if edit.kind in (LINK, FLAG, NUMBER) else IS, edit.thing, edit.name)
        match edit.kind:
            case "is":
                facts = self.base.things[edit.thing]
                own = edit.thing == self.base.question.thing
                if edit.name in (*facts.is_, *facts.not_) or (own and edit.name in self.theory.definitions):
                    return None  # told already; or an act of a kind that its phase or its weapon makes it
                yes, no = (IsA(edit.thing, self.label(edit.thing), edit.name, so) for so in (True, False))
                self.add(key, Option(yes, (edit,)), Option(no, (Edit("not", edit.thing, edit.name),)))
            case "flag":
                yes_no = [
                    Option(Flagged(edit.thing, self.label(edit.thing), edit.name, so), (replace(edit, value=so),))
                    for so in (True, False)
                ]
                self.add(key, *yes_no)
            case "number":
                self.add_limit(key, atom.fact)
            case "link":
                for option in self.ends(situation, atom, edit):
                    self.add(key, option, Option(None, ()))
            case _:
                return None
        row = self.inputs.get(key)
        if row is None:
            return None
        if atom.rule:
            row.rules[atom.rule] = None
        return key

    def spoken_of(self, atom: turning.Atom) -> bool:
        """Whether the rules on the act name the word of a fact; how things of the shape stand to each other is asked all the same."""
        edit = atom.true[-1]
        among = isinstance(atom.fact, Related) and edit.kind == "link" and edit.value[0] in self.base.things
        return edit.name in self.named or among

    def label(self, thing: str) -> str:
        """What a thing is called."""
        return self.base.things[thing].label or thing

    def add(self, key: Key, *options: Option) -> None:
        """Adds options to an input, the last of which is none of the others."""
        row = self.inputs.setdefault(key, Input(key))
        known = [o.fact for o in row.options]
        new = [o for o in options if o.fact not in known]
        if new:
            row.options[max(row.last, 0) : max(row.last, 0)] = [o for o in new if o is not options[-1] or not known]
            self.grown += 1

    def ends(self, situation: turning.Situation, atom: turning.Atom, edit: Edit) -> Iterator[Option]:
        """What may stand in a relation: each kind that is asked for, told apart where a rule names several."""
        fact, label = atom.fact, self.label(edit.thing)
        match fact:
            case Reaches(_, _, role, filler, _) if not role.inverse:
                for kind in several(filler):
                    if not m.names_in(kind) <= self.named:
                        continue  # it matters to a rule on something else
                    new = f"{edit.thing}.{edit.name}-{len(self.inputs.get(('link', edit.thing, edit.name), Input(('', '', ''))).options)}"
                    there = Edit("link", edit.thing, edit.name, (new, turning.witness(situation, new, kind)))
                    yield Option(Reaches(edit.thing, label, role, kind), (there,))
            case Related(_, _, role) if not role.inverse and edit.value[0] in self.base.things:
                yield Option(Related(edit.thing, label, role, self.label(edit.value[0])), (edit,))

    def widen(self) -> None:
        """Adds to each relation the kinds that may stand in a narrower one and of which it has several that they may be: what stands there
        stands in it too."""
        known = self.vocabulary.properties
        links = [key for key in self.inputs if key[0] == LINK]
        for wide in links:
            for narrow in links:
                if wide != narrow and wide[1] == narrow[1] and narrow[2] in known[wide[2]].below:
                    for option in self.inputs[narrow].options:
                        if sum(akin(self.vocabulary, option, other) for other in self.inputs[wide].options) > 1:
                            self.put(wide, option.fact.filler)  # type: ignore[union-attr]
        self.answer_each_other()

    def answer_each_other(self) -> None:
        """Adds to each relation what a relation of another thing of the shape says of it: that thing, of which it is the inverse."""
        for key in [key for key in self.inputs if key[0] == LINK]:
            for other in filter(None, map(led_to, self.inputs[key].options)):
                for back in self.backwards(key[2]):
                    if (LINK, other, back) in self.inputs:
                        fact = Related(other, self.label(other), m.Role(back), self.label(key[1]))
                        option = Option(fact, (Edit("link", other, back, (key[1], {})),))
                        self.add((LINK, other, back), option, Option(None, ()))

    def put(self, key: Key, kind: m.Condition) -> None:
        """Adds to a relation that a thing of a kind stands in it."""
        _, thing, name = key
        new = f"{thing}.{name}-{len(self.inputs[key].options) if key in self.inputs else 0}"
        there = Edit("link", thing, name, (new, turning.witness(self.answered.worked[1], new, kind)))
        fact = Reaches(thing, self.label(thing), m.Role(name), kind, True)
        self.add(key, Option(fact, (there,)), Option(None, ()))

    def add_limit(self, key: Key, fact: Fact) -> None:
        """Adds the limit that a comparison names to a number, whose options are what lies between the limits."""
        if not isinstance(fact, Amount):
            return
        row = self.inputs.setdefault(key, Input(key))
        op, value = fact.op or ">=", fact.value if fact.op else Fraction(1)
        cuts = {(value, op in (">", "<="))} if op not in ("=", "!=") else {(value, False), (value, True)}
        if cuts <= row.cuts:
            return
        row.cuts |= cuts
        row.options = list(between(key, self.label(key[1]), sorted(row.cuts)))
        self.grown += 1
