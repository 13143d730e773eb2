"""XP412, size-from-data: a result that is as large as the data says."""
