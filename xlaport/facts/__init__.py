"""What the code of one file says, free of any target: names, roles, loops, host reads, the flow of values."""
