"""What learned tools do for runs of real models, in the environments in which these runs were made."""
