"""One question put to many variants of a case at once: each truth value is a pair of integers, a bit for each variant.

A second implementation of the rule language, for verdicts alone; what it cannot work out it names, and leaves to the reasoner.
"""

__all__ = ["answers"]
