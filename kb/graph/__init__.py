"""All of it as RDF: norms, texts, cases, proofs and errata as one graph, its files, its store, and SPARQL over it."""

__all__ = ["dataset", "export", "ontologies", "pages", "proofs", "version"]
