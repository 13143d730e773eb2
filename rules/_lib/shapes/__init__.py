"""What several rules of shapes ask or write."""
