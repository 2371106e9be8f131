"""A small book of a reader's own, as LOOPHOLE_BOOKS holds one; its class tree is as told, so that no DL reasoner is run."""

from __future__ import annotations

from pathlib import Path

from rdflib import OWL, RDF, RDFS, URIRef

from kb.ontology import build, sources

POLICY = """book: huts
title: Huts
namespaces: [huts, tactics, core]
authorities: [chapter, module]
principles:
  - {name: explicit, cite: "", says: "our reading"}
  - {name: prohibition, cite: "", says: "our reading"}
"""
CHAPTER = """---
book: huts
chapter: "1"
title: Huts
authority: chapter
edition: "1"
scope:
  wholly:
    - Entry
    - Tended
    - load
    - speed
    - Strike
    - Eased
    - Hindered
    - dice
---

## 1.1 Going in {#1.1}

Anybody may go into a hut [EXC full: but not into one with a keeper].

```norms
1.1/in
  permits  Entry
  when     destination some Hut

1.1/kept
  forbids  Entry
  when     destination some (Hut and keeper some Unit)
  excepts  full
  over     1.1/in
```

## 1.2 Keepers {#1.2}

A hut with a keeper is tended.

```norms
1.2
  counts   Hut as Tended
  when     keeper some Unit
```

## 1.3 Load {#1.3}

A hut bears thirty pounds.

```norms
1.3/load
  sets     load of Hut to 30
```

Its door opens at a speed of two.

```norms
1.3/speed
  sets     speed of Hut to 2
```

## 1.4 Strikes {#1.4}

A strike by one whom nobody sees is eased.

```norms
1.4/eased
  counts   Strike as Eased
  when     actor some Hidden
```

A strike at one whom nobody sees is hindered.

```norms
1.4/hindered
  counts   Strike as Hindered
  when     target some Hidden
```

An eased strike is not hindered.

```norms
1.4/not
  counts   Strike as not Hindered
  when     Eased
  over     1.4/hindered
```

A strike takes two dice; a hindered one, one.

```norms
1.4/two
  sets     dice of Strike to 2

1.4/one
  sets     dice of Strike to 1
  when     Hindered
  over     1.4/two
```

Whoever is hindered does not strike.

```norms
1.4/may
  permits  Strike

1.4/may-not
  forbids  Strike
  when     Hindered
```
"""
HEAD = """@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix huts: <https://w3id.org/loophole/huts#> .
@prefix lp: <https://w3id.org/loophole/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix tac: <https://w3id.org/loophole/tactics#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<https://w3id.org/loophole/huts/terms> a owl:Ontology ;
    dcterms:title "Huts"@en .
"""
CLASS = """
huts:{name} a owl:Class ;
    rdfs:subClassOf tac:{parent} ;
    rdfs:label "{label}"@en ;
    skos:definition "{definition}"@en ;
    dcterms:source "1" ;
    lp:verbalization "{{s}} is a {label}"@en{more} .
"""
NUMBER = """
huts:{name} a owl:DatatypeProperty , owl:FunctionalProperty ;
    rdfs:domain owl:Thing ;
    rdfs:range xsd:decimal ;
    rdfs:label "{name}"@en ;
    skos:definition "number that says how much {name} there is"@en ;
    dcterms:source "1" ;
    lp:verbalization "the {name} of {{s}} is {{o}}"@en ;
    lp:unit "{unit}" .
"""
KEEPER = """
huts:keeper a owl:ObjectProperty ;
    rdfs:domain huts:Hut ;
    rdfs:label "keeper"@en ;
    skos:definition "relation of a hut to who keeps it"@en ;
    dcterms:source "1" ;
    lp:verbalization "{s} is kept by {o}"@en ;
    lp:whenUnstated lp:Absent .
"""
STATES = {
    "Hidden": "state of one whom nobody sees",
    "Eased": "state of a strike at an advantage",
    "Hindered": "state of a strike at a disadvantage",
}
TERMS = "".join([
    HEAD,
    CLASS.format(name="Hut", parent="ProtectedPost , tac:Location", label="hut", definition="post of planks", more=""),
    CLASS.format(
        name="Tended", parent="State", label="tended", definition="state of a hut that is looked after",
        more=" ;\n    lp:whenUnstated lp:Absent",
    ),
    *(
        CLASS.format(name=name, parent="State", label=name.lower(), definition=said, more=" ;\n    lp:whenUnstated lp:Absent")
        for name, said in STATES.items()
    ),
    CLASS.format(name="Strike", parent="Act", label="strike", definition="act of striking", more=""),
    NUMBER.format(name="dice", unit="dice"),
    NUMBER.format(name="load", unit="pounds"),
    NUMBER.format(name="speed", unit="inches"),
    KEEPER,
])  # fmt: skip


def write(folder: Path) -> Path:
    """Writes the book and its classified terms into a folder of books; gives the book's folder."""
    book = folder / "huts"
    book.mkdir(parents=True)
    for name, text in (("policy.yaml", POLICY), ("1.md", CHAPTER), ("terms.ttl", TERMS)):
        (book / name).write_text(text, encoding="utf-8")
    classify(folder)
    return book


def classify(folder: Path) -> None:
    """Writes the classified terms of each book anew, the tree as its files tell it."""
    for scope, path in sources.own_scopes(folder):
        graph = scope.graph  # put together anew each time
        classes = [c for c in graph.subjects(RDF.type, OWL.Class) if isinstance(c, URIRef)]
        above = {c: graph.transitive_objects(c, RDFS.subClassOf) for c in classes}
        tree = {str(c): frozenset(str(a) for a in found if a in classes) for c, found in above.items()}
        path.write_text(build.vocabulary_text(scope, tree), encoding="utf-8")
