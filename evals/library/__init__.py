"""How the tool library holds up as it grows: closure, search, context, serving, drift."""
