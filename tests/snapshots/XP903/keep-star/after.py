from torch_xla.core.xla_model import *
from somewhere import *

mark_step()
