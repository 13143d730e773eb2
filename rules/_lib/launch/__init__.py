"""What several rules of launch ask or write."""
