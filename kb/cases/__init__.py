"""A person's case to a checked Case: read with places, put into the words that norms use, completed, held against the ontology."""

__all__ = ["casebook", "completion", "nameless", "reader", "schema", "writer"]
