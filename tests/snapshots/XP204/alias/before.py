from torch import cuda
from torch.cuda import synchronize

cuda.synchronize()
synchronize()
