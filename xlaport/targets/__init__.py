"""The targets: one table each, the only places with their names, and `known`, which finds one by what it is called."""
