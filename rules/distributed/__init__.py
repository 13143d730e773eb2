"""XP6xx: several processes and several devices."""
