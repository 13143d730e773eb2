import torch as t
import torch.backends.cudnn as cudnn

a = t.backends.cudnn.version()
b = cudnn.version()
c = []
d = []
backend = t.backends.cudnn
e = backend.version()
