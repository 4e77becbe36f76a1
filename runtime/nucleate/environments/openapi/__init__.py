"""A service described by an OpenAPI document, as an environment."""
