"""What needs many answers: the impact of an erratum, invented witnesses, conflicts, rulings, comparisons across games, what an
editor would want to know of a book, and the pages made of them."""

__all__ = [
    "conflicts",
    "decisions",
    "errata_page",
    "impact",
    "report",
    "rulings",
    "scope_page",
    "style_page",
]
