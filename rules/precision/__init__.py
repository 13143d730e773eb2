"""Precision: numbers that a TPU does not have."""
