"""What several rules of suppressions ask or write."""
