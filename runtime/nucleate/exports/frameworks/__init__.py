"""Tools as objects of other agent frameworks, each made only where its package is there."""
