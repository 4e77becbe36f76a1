"""A server that speaks the Model Context Protocol, as an environment."""
