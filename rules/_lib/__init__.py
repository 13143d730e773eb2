"""What several rules ask or write: none of it is a rule."""
