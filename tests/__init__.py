"""The tests; folders as in the code. The cases of the rules are in `snapshots/`."""
