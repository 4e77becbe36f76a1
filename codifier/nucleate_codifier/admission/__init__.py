"""The gates: each looks at one subject and says everything that speaks against it."""
