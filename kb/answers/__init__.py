"""Proof to words: the text, the outline of nested sentences, the JSON, what a case expects, and the interview."""

__all__ = ["defeated", "expectations", "explain", "headline", "interview", "outline", "parts", "proof_json"]
