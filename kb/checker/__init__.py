"""Proof to faults: every step derived again from the syntax trees, by code that shares nothing with the evaluator."""

__all__ = ["checker", "recorded", "support"]
