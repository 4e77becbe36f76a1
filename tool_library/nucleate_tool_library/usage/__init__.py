"""How much tools are used, how reliable they are, and how a whole library is."""
