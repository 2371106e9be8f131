"""Proof to words and pictures: the text, the outline of nested sentences, the JSON, what a case expects, the situation as a
picture has it, and the interview."""

__all__ = ["defeated", "expectations", "explain", "interview", "outline", "parts", "proof_json", "scene"]
