"""XP306, read-in-inner-loop: a host read in every iteration of a loop within a step."""
