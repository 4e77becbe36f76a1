"""What runs between the host and a container: channels, output, and the ends of one child."""
