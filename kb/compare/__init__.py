"""One question put to every game, side by side: by name, from a file, or in plain words."""
