"""What several rules of checkpoint ask or write."""
