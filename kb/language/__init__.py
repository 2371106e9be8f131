"""What is written: norms, conditions, cases and terms as data, the parser of the rule language, and their English.

Knows no file, no game and no reasoner: everything above speaks in these types.
"""

__all__ = ["case", "english", "iris", "norms", "parser", "phrases", "rule_number", "vocabulary"]
