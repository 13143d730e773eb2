"""What several rules of legacy ask or write."""
