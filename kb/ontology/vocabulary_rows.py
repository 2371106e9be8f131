"""From a classified graph to the rows of a Vocabulary: what the reasoner of a book needs to know of each term.

Told axioms are closed under the class tree that the DL reasoners found. kb.language.vocabulary says what each field means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, XSD, BNode, Literal, URIRef
from rdflib.term import Node

from kb.errors import LoopholeError, Problem, did_you_mean
from kb.language.vocabulary import (
    ABSENT,
    ASKED,
    COMPLETE,
    CONCLUDED,
    AskedThrough,
    AsOne,
    CellMark,
    ChangedBy,
    FailsWith,
    MustBeTold,
    Singly,
    TakenFor,
    ToldAs,
    ToldBy,
    ToldByKind,
    ToldThrough,
)  # fmt: skip
from kb.ontology.disjointness import axioms, disjoint, told
from kb.ontology.dl_reasoner import Tree
from kb.ontology.from_owl import Unsayable, condition_of
from kb.ontology.roles import Roles
from kb.ontology.sources import NUMBERS, Scope, terms, text_of
from kb.ontology.turtle import LP, curie, local, lp

Row = dict[str, Any]
_NOT = "not"
_UNSHOWN = "unless shown"  # absent, even where a rule that would make it so is open
_SILENCE = {
    LP + "Absent": ABSENT, LP + "AbsentUnlessShown": _UNSHOWN, LP + "Complete": COMPLETE, LP + "Concluded": CONCLUDED,
    LP + "Asked": ASKED,
}  # fmt: skip
_CAUTION = (
    ASKED,
    COMPLETE,
    CONCLUDED,
    ABSENT,
    _UNSHOWN,
)  # of marks inherited from two sides, the one that presumes least
# What the words of a mark name: C a class, R a relation or number, ? what this book has no term for, n the word “not”.
# lp:mustBeTold of a shared relation may name relations that not every game has.
_SHAPES = {
    "askedThrough": ("(CRC)+", "a class of act, a relation and a class"),
    "takenFor": ("(CR)+", "a class of act and a relation"),
    "toldAs": ("(CRC)+", "a class, a relation and a class"),
    "failsWith": ("(RC)+", "a relation and a class"),
    "toldByKind": ("(CRC)+", "a class of act, a relation and a class"),
    "toldThrough": ("(CRRC)+", "a class of act, two relations and a class"),
    "toldBy": ("R+C*", "relations or numbers, then classes"),
    "singly": ("R+C*", "relations, then classes of act"),
    "asOne": ("RC+", "a relation, then classes of act"),
    "changedBy": ("CR?R*", "a class of act or a state, then the relations to what moves and where to"),
    "mustBeTold": ("C[R?]*|nC+", "a class of act, then relations; or not, then classes of act"),
    "cell": (
        "RRC+",
        "the relation to a cell, the text that names one, the class of its ground, classes that lie there",
    ),
}


def rows(scope: Scope, tree: Tree) -> dict[str, dict[str, Row]]:
    """{"classes": {name: row}, "properties": {name: row}}, fields left out where they have their default.

    Raises LoopholeError for marks that cannot be read: E740 whenUnstated, E741 defaultValue, E742 a definition that the
    rule language cannot say, E743 a chain through a property read backwards that has no name, E744 a step of an
    lp:othersBy that is no property, E745 a mark whose words do not name what it takes.
    """
    return _Lexicon(scope, tree).rows()


def marked(scope: Scope) -> None:
    """Raises what `rows` raises of marks that cannot be read: as far as the class tree that is told shows it, without a reasoner's."""
    rows(scope, _told_tree(scope))


def clash(scope: Scope, iri: str) -> str:
    """Which two told superclasses of a class are told disjoint, for an error message; "" where it is not so simple."""
    found = _Lexicon(scope, _told_tree(scope))
    above = found.above.get(iri, set())
    for one, other in sorted((str(a), str(b)) for a, b in axioms(scope.graph)):
        if one in above and other in above:
            return f"{curie(one)} and {curie(other)} are disjoint, and both above it: part them or let one go"
    return ""


def _told_tree(scope: Scope) -> Tree:
    """The class tree without a reasoner: named superclasses, equals and parts of intersections."""
    graph = scope.graph
    named = [str(c) for c in graph.subjects(RDF.type, OWL.Class) if isinstance(c, URIRef)]
    direct = {c: {str(p) for p in told(graph, URIRef(c)) if isinstance(p, URIRef)} for c in named}
    tree = {}
    for iri in named:
        reached, queue = {iri}, [iri]
        while queue:
            more = direct.get(queue.pop(), set()) - reached
            reached |= more
            queue += more
        tree[iri] = frozenset(reached)
    return tree


class _Lexicon:
    def __init__(self, scope: Scope, tree: Tree):
        self.scope, self.graph, self.problems = scope, scope.graph, list[Problem]()
        inside = {str(n) for n in terms(self.graph, scope.iris())}
        self.classes = sorted(iri for iri in tree if iri in inside)
        self.above = {c: {a for a in tree[c] if a in inside} for c in self.classes}
        self.properties = sorted(inside - set(self.classes))
        self.roles = Roles(self.graph, self.properties)
        self.letters = dict.fromkeys(map(local, self.classes), "C") | dict.fromkeys(map(local, self.properties), "R")

    def rows(self) -> dict[str, dict[str, Row]]:
        silence = self.silence(self.classes, self.above)
        apart, existential = disjoint(self.graph, self.above, self.roles), self.existential()
        classes = {}
        for iri in self.classes:
            row = self.row(iri, silence[iri])
            row["parents"] = _names(self.parents(iri))
            row["disjoint"] = _names(apart[iri])
            row["definitions"] = self.definitions(iri)
            row["existential"] = existential[iri]
            row["in_cell"] = text_of(self.graph, URIRef(iri), lp("inCell"))
            row["changed_by"] = [self.change(*words) for words in self.marked(iri, "changedBy")]
            row["fails_with"] = [FailsWith(*words) for words in self.marked(iri, "failsWith", 2)]
            row["told_as"] = [ToldAs(*words) for words in self.marked(iri, "toldAs", 3)]
            classes[local(iri)] = _lean(row)
        properties = self.property_rows()
        if self.problems:
            raise LoopholeError(self.problems)
        return {"classes": classes, "properties": properties}

    def row(self, iri: str, silence: str) -> Row:
        node = URIRef(iri)
        also, talk = (sorted({str(o) for o in self.graph.objects(node, p)}) for p in (SKOS.altLabel, SKOS.hiddenLabel))
        return {
            "iri": iri,
            "label": text_of(self.graph, node, RDFS.label) or local(iri),
            "alt": also,
            "talk": talk,
            "definition": text_of(self.graph, node, SKOS.definition),
            "source": ", ".join(sorted(str(o) for o in self.graph.objects(node, DCTERMS.source))),
            "verbalization": text_of(self.graph, node, lp("verbalization")),
            "when_unstated": "" if silence == ASKED else ABSENT if silence == _UNSHOWN else silence,
            "unshown": silence == _UNSHOWN,
            "derived": text_of(self.graph, node, lp("derivedBy")),
        }

    def problem(self, code: int, iri: str, message: str, hint: str) -> None:
        self.problems.append(Problem(code, f"{curie(iri)} {message}", self.scope.place(URIRef(iri)), hint))

    def marked(self, iri: str, name: str, size: int = 0) -> list[list[str]]:
        """The words of each value of a mark, or of each run of so many in it. E745 for values that do not name what it takes."""
        shape, said = _SHAPES[name]
        found = []
        for value in sorted(str(o) for o in self.graph.objects(URIRef(iri), lp(name))):
            words = value.split()
            unknown = [w for w in words if w != _NOT and w not in self.letters]
            if re.fullmatch(shape, "".join("n" if w == _NOT else self.letters.get(w, "?") for w in words)):
                words = [w for w in words if w not in unknown]
                found += [words[i : i + (size or len(words))] for i in range(0, len(words), size or len(words))]
            else:
                hint = did_you_mean(unknown[0], self.letters) if unknown else ""
                self.problem(745, iri, f"says lp:{name} “{value}”", hint or f"name {said}")
        return found

    # ── classes ─────────────────────────────────────────────────────────────────────────────────────────

    def parents(self, iri: str) -> set[str]:
        """Direct superclasses; a class with another name for it has that name among its parents."""
        same = {a for a in self.above[iri] if iri in self.above[a]}
        over = self.above[iri] - same
        direct = {a for a in over if not any(a in self.above[b] and b not in self.above[a] for b in over)}
        return direct | (same - {iri})

    def silence(self, iris: Iterable[str], above: Mapping[str, set[str]]) -> dict[str, str]:
        """What each term's silence means: its own mark, else its nearest ancestors'; where these differ, the one that
        presumes least."""
        own: dict[str, str] = {}
        for iri in iris:
            marks = {str(o) for o in self.graph.objects(URIRef(iri), lp("whenUnstated"))}
            if len(marks) > 1 or not marks <= _SILENCE.keys():
                said = ", ".join(sorted(map(curie, marks)))
                hint = f"say one of {', '.join(sorted(map(curie, _SILENCE)))}"
                self.problem(740, iri, f"says lp:whenUnstated {said}", hint)
            elif marks:
                own[iri] = _SILENCE[marks.pop()]
        found = {}
        for iri in above:
            marked = {a for a in above[iri] if a in own}
            nearest = {a for a in marked if not any(a in above[b] and b not in above[a] for b in marked)}
            marks = {own[a] for a in ({iri} & marked or nearest)}
            found[iri] = next((s for s in _CAUTION if s in marks), ASKED)
        return found

    def existential(self) -> dict[str, list[list[str]]]:
        """Of each class the most specific (property, class) such that every member has such a value."""
        own = {iri: set(self.own_existential(URIRef(iri))) for iri in self.classes}
        below = self.roles.below
        found = {}
        for iri in self.classes:
            every = set().union(*(own[a] for a in self.above[iri]))

            def says(one: tuple[str, str], other: tuple[str, str]) -> bool:
                (q, e), (p, d) = one, other
                return q in below[p] and (not d or d in self.above.get(e, ()))

            keep = [
                pair for pair in every
                if not any(o != pair and says(o, pair) and (o < pair or not says(pair, o)) for o in every)
            ]  # fmt: skip
            found[iri] = [[local(p), local(d) if d else "Thing"] for p, d in sorted(keep)]
        return found

    def own_existential(self, node: Node) -> Iterable[tuple[str, str]]:
        for part in told(self.graph, node):
            p = self.graph.value(part, OWL.onProperty) if isinstance(part, BNode) else None
            if p is None or str(p) not in self.properties or (p, RDF.type, OWL.ObjectProperty) not in self.graph:
                continue
            filler = self.graph.value(part, OWL.someValuesFrom)
            counts = [self.graph.value(part, c) for c in (OWL.minQualifiedCardinality, OWL.qualifiedCardinality)]
            if any(n is not None and int(str(n)) > 0 for n in counts):
                filler = self.graph.value(part, OWL.onClass)
            bare = [self.graph.value(part, c) for c in (OWL.minCardinality, OWL.cardinality)]
            if any(n is not None and int(str(n)) > 0 for n in bare):
                filler = OWL.Thing
            if filler is None:
                continue
            parts = [filler] if isinstance(filler, URIRef) else self.parts(filler)
            for d in [str(f) for f in parts if str(f) in self.above] or [""]:
                yield str(p), d

    def parts(self, node: Node) -> list[Node]:
        head = self.graph.value(node, OWL.intersectionOf)
        return list(self.graph.items(head)) if head is not None else []

    def definitions(self, iri: str) -> list[str]:
        found = []
        for expression in self.graph.objects(URIRef(iri), OWL.equivalentClass):
            try:
                found.append(str(condition_of(self.graph, expression)))
            except Unsayable as error:
                hint = "use rdfs:subClassOf, or mark the class lp:derivedBy a module"
                self.problem(742, iri, f"is defined by what the rule language cannot say: {error}", hint)
        return sorted(found)

    # ── properties ──────────────────────────────────────────────────────────────────────────────────────

    def property_rows(self) -> dict[str, Row]:
        roles = self.roles
        silence = self.silence(self.properties, roles.above)
        found = {}
        for iri in self.properties:
            node = URIRef(iri)
            row = self.row(iri, silence[iri])
            row["kind"] = self.kind(node)
            row["below"] = [local(iri), *(n for n in _names(roles.below[iri]) if n != local(iri))]
            row["inverses"] = _names(roles.inverses[iri])
            row["chains"] = [list(map(local, chain)) for chain in roles.chains(iri)]
            row["others"] = [list(map(local, chain)) for chain in roles.others(iri)]
            row["functional"] = roles.functional(iri)
            row["transitive"] = roles.transitive(iri)
            row["domain"] = self.lowest(roles.ends(iri, RDFS.domain, RDFS.range))
            row["range"] = self.lowest(roles.ends(iri, RDFS.range, RDFS.domain))
            row["staged"] = text_of(self.graph, node, lp("staged")) == "true"
            row["of_whole_cell"] = text_of(self.graph, node, lp("ofWholeCell")) == "true"
            row["told_by"] = self.ways(iri, "toldBy", ToldBy)
            row["told_by_kind"] = [ToldByKind(*words) for words in self.marked(iri, "toldByKind", 3)]
            row["told_through"] = [ToldThrough(*words) for words in self.marked(iri, "toldThrough", 4)]
            row["singly"] = self.ways(iri, "singly", Singly)
            row["as_one"] = [AsOne(role, tuple(acts)) for role, *acts in self.marked(iri, "asOne")]
            row["asked_through"] = [AskedThrough(*words) for words in self.marked(iri, "askedThrough", 3)]
            row["taken_for"] = [TakenFor(*words) for words in self.marked(iri, "takenFor", 2)]
            row["cell"] = next(
                (CellMark(to, key, ground, tuple(lying)) for to, key, ground, *lying in self.marked(iri, "cell")), None
            )
            row["changed_by"] = [self.change(*words) for words in self.marked(iri, "changedBy")]
            owed = self.marked(iri, "mustBeTold")
            row["must_be_told"] = [MustBeTold(act, tuple(rest)) for act, *rest in owed if act != _NOT]
            row["spared"] = [name for first, *names in owed if first == _NOT for name in names]
            row["default"] = self.default(iri)
            row["unit"] = text_of(self.graph, node, lp("unit"))
            found[local(iri)] = _lean(row, keep=("iri", "label", "kind", "below"))
        for iri, step in roles.nameless:
            self.problem(743, iri, f"has a chain through inverse {local(step)}", "name that inverse")
        for iri, word in roles.unknown:
            known = list(map(local, self.properties))
            hint = did_you_mean(word, known) or "give the names of properties, one after the other"
            self.problem(744, iri, f"leads to others by “{word}”, which is no property", hint)
        return found

    def change(self, cls: str, mover: str = "", *path: str) -> ChangedBy:
        """What changes a relation. A state that names but one relation names where what is so has it to."""
        place = ".".join(path)
        if any(local(iri) == cls and "Act" in map(local, over) for iri, over in self.above.items()):
            return ChangedBy(cls, mover, place)
        return ChangedBy(cls, mover, place, True) if place else ChangedBy(cls, "", mover, True)

    def ways(self, iri: str, name: str, made: type[ToldBy | Singly]) -> ToldBy | Singly | None:
        """A mark that names relations and then classes."""
        words = [word for value in self.marked(iri, name) for word in value]
        roles, classes = (tuple(w for w in words if self.letters[w] == letter) for letter in "RC")
        return made(roles, classes) if words else None

    def lowest(self, iris: set[str]) -> str:
        """The most specific named class among these, "" without one."""
        named = {t for t in iris if t in self.above}
        found = sorted(t for t in named if not any(t in self.above[u] and u not in self.above[t] for u in named))
        return local(found[0]) if found else ""

    def kind(self, node: URIRef) -> str:
        if (node, RDF.type, OWL.ObjectProperty) in self.graph:
            return "object"
        ranges = set(self.graph.objects(node, RDFS.range))
        return "flag" if XSD.boolean in ranges else "number" if ranges & set(NUMBERS) else "text"

    def default(self, iri: str) -> str | None:
        values = [o for o in self.graph.objects(URIRef(iri), lp("defaultValue")) if isinstance(o, Literal)]
        if not values:
            return None
        try:
            return str(Fraction(str(values[0])))
        except (ValueError, ZeroDivisionError):
            self.problem(741, iri, f"has the default “{values[0]}”", "give a number: 0, 1/2, 2.5")
            return None


def _lean(row: Row, keep: tuple[str, ...] = ("iri", "label")) -> Row:
    return {k: msgspec.to_builtins(v) for k, v in row.items() if k in keep or v not in ("", [], (), None, False)}


def _names(iris: Iterable[str]) -> list[str]:
    return sorted(map(local, iris))
