"""What becomes of models' replies, and what a run with a model takes."""
