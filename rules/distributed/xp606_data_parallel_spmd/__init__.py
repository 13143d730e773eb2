"""XP606, data-parallel-spmd: a script for one device trains on all chips of a host, in one process."""
