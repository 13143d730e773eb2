import importlib
import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import triton
if typing.TYPE_CHECKING:
    from flash_attn import flash_attn_func
json = importlib.import_module("json")
has_flash = importlib.util.find_spec("flash_attn") is not None
