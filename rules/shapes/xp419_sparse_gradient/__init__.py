"""XP419, sparse-gradient: embeddings get dense gradients."""
