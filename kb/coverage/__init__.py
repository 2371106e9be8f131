"""How our encoding lies beside a text: sentences paired by hashes, what is encoded, which exceptions come back, other editions,
and how the chapters are written."""

__all__ = ["coverage", "edition_diff", "hashes", "page", "style"]
