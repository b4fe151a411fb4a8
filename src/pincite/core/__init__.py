"""The pure core: nouns and rules, standard library only. No input, no output, no clock, no randomness."""
