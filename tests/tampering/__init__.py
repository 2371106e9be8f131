"""Ways to tamper with a proof, which the checker has to notice: each changes one in place, and says whether there was anything to change."""
