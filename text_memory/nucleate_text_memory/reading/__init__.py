"""The reading half of text memory, in plain SQL: nothing here imports what learns or writes."""
