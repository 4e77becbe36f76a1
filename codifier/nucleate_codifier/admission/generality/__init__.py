"""Whether a candidate serves more than the tasks that it was made from."""
