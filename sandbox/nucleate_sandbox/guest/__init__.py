"""Code that runs inside the container: standard library only, knows nothing of the host's packages."""
