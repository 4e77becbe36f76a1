"""What your agents do again and again becomes tested Python."""
