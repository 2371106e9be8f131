"""The reader's own copy of a rule text, how it lies beside ours, and how much of it is encoded.

Texts are decoded, split and cross-referenced; of a publisher's sentences the project keeps hashes alone.
"""

__all__ = ["extracted", "library", "mentions", "model", "references", "shelf"]
