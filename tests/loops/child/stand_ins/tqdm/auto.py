"""The bar that suits the terminal: here the only one."""

from . import tqdm, trange

__all__ = ["tqdm", "trange"]
