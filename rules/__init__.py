"""The built-in rule pack: one module per rule, in a folder per family. It knows CUDA, PyTorch and XLA."""
