"""Rules, terms and the reader's own text by words as people type them, and a rule or a term by its name."""

__all__ = ["lookup", "ranking", "wording"]
