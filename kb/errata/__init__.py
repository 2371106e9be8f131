"""The records of errata, rulings and editions: read from Markdown, and held against the rulebook and its hashes."""

__all__ = ["checks", "reader"]
