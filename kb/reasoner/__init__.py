"""Theory and case to a Proof: the staged situation, three-valued conditions, numbers, defeat, scope, what is missing and what
would flip it.

Pure: it reads no file and no clock.
"""

__all__ = ["builtins", "counterfactuals", "kind_rules", "positions", "proof", "reason", "trace", "unused"]
