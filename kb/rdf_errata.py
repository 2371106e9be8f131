"""Which erratum made a norm read as it does, and what norms, errata and rulings are called in RDF."""

from __future__ import annotations

from dataclasses import dataclass, field

from rdflib import URIRef

from kb import iris
from kb.proof import Proof


@dataclass(frozen=True)
class Versions:
    """How the norms of one theory are called.

    in_force: IRIs of the errata in force. by: norm id → erratum that words it. revised: norms whose wording is not the
    encoded one, which have a name of their own.
    """

    book: str
    in_force: tuple[str, ...] = ()
    by: dict[str, str] = field(default_factory=dict)
    revised: frozenset[str] = frozenset()

    @classmethod
    def of_proof(cls, proof: Proof) -> Versions:
        """The versions under which a proof was made; those of the text as encoded where it names no edition."""
        return cls(proof.theory.book)

    def iri(self, norm_id: str) -> URIRef:
        revised = self.by[norm_id] if norm_id in self.revised else ""
        return URIRef(iris.norm(self.book, norm_id, revised))

    def erratum(self, norm_id: str) -> str:
        """The id of the erratum that words a norm, "" without one."""
        return self.by.get(norm_id, "")
