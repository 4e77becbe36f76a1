"""Embeddings of texts: a local model, or a service."""
