"""The reading half of the library, in plain SQL: nothing here imports what writes."""
