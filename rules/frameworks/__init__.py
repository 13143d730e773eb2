"""XP82x: libraries that train on their own: they place models and batches, cut graphs, and start processes."""
