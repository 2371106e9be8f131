"""A question in English to a case: words to terms, phrases to things, clauses to facts. What is not understood is said, never guessed."""

__all__ = ["asked", "reading"]
