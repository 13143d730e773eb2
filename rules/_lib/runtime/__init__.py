"""What several rules of runtime ask or write."""
