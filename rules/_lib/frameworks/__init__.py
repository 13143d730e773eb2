"""What several rules of frameworks ask or write."""
