"""One question put to every game, side by side: by name, from a file, or in plain words."""

__all__ = ["compare", "comparison", "expectations", "page", "question"]
