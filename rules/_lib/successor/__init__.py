"""What the rules for programs of torch_xla share."""
