"""What calls were answered: results, errors and refusals, in whichever form an agent or a program writes them."""
