"""What needs many answers: the impact of an erratum, invented witnesses, conflicts, rulings, comparisons across games, and
the pages made of them."""
