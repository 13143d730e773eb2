import torch

from poses import turned

torch.set_default_tensor_type("torch.cuda.FloatTensor")
print(turned(0.5))
