"""Markdown and policies to a Theory: chapters are read, linked with the ontology's names, and compiled into indexed norms.

Records of errata are data here too (`records`), and `edition` applies those that are in force to a book's text.
"""

__all__ = ["chapter_reader", "compiler", "edition", "linker", "reader", "records", "soundness", "theory"]
