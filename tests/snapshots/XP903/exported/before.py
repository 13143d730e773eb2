from torch_xla.core.xla_model import get_ordinal

__all__ = ["get_ordinal"]
