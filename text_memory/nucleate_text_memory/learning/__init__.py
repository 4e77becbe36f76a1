"""What completed tasks teach: plans, lessons, facts over plans, and the value of steps."""
