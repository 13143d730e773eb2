"""What several rules of device ask or write."""
