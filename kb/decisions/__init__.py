"""Decision tables: when an act may be done, as the shortest list of conditions that is equal to the rules over a shape of situation."""

__all__ = ["asked", "check", "formats", "table", "text"]
