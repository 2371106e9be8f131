"""Tables of terms to Turtle, Turtle to a classified vocabulary, and norms to OWL: the only room with Java, and with the reasoners of description logic.

What is worked out here is written beside the ontology (ontology/inferred), so that nobody else needs Java.
"""

__all__ = ["build", "functional_syntax", "sources", "subsumption", "to_owl", "turtle"]
