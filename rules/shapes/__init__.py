"""XP4xx: shapes, and values baked into the graph."""
