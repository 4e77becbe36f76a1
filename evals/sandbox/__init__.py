"""How fast and how safe the sandbox is, beside other ways to run untrusted code."""
