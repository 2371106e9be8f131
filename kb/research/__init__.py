"""What needs many answers: the impact of an erratum, invented witnesses, conflicts, rulings, comparisons across games, and
the pages made of them."""

__all__ = ["conflicts", "errata_page", "impact", "impact_page", "rulings", "scope_page", "style_page"]
