import torch as t
import torch.backends.cudnn as cudnn
from torch import cuda
from torch.cuda import get_arch_list

a = t.backends.cudnn.version()
b = cudnn.version()
c = cuda.get_arch_list()
d = get_arch_list()
backend = t.backends.cudnn
e = backend.version()
