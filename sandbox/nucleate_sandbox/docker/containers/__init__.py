"""Containers: started hardened, checked, lent to one program at a time, replaced when spent."""
