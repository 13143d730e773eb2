import torch
import torch_xla

if torch.cuda.is_available():
    torch.set_default_device(torch_xla.device())
else:
    torch.set_default_tensor_type("torch.FloatTensor")
