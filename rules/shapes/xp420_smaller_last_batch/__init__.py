"""XP420, smaller-last-batch: the last batch of an epoch may have another shape."""
