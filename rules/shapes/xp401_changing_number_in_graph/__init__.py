"""XP401, changing-number-in-graph: a number that changes is baked into the graph."""
