"""What several rules of step ask or write."""
