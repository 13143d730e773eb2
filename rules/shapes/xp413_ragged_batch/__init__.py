"""XP413, ragged-batch: batches are padded to the longest, and not to a few lengths."""
