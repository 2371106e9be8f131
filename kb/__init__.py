"""Loophole's library: rule texts and cases in, answers with their reasons out. No web, no terminal, no game."""
