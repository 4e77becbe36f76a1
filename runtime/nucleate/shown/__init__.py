"""Between people and the product: text that nothing obeys, values as they were typed, where a graph is drawn."""
