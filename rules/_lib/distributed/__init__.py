"""What several rules of distributed ask or write."""
