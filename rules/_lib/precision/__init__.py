"""What several rules of precision ask or write."""
