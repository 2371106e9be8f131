"""Proof to words: the text, the outline of nested sentences, the JSON, what a case expects, and the interview."""
