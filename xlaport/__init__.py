"""xlaport ports CUDA PyTorch code to TPU, explains every edit, and proves the port by running it."""

__version__ = "0.1.0"
