import torch

torch.set_default_tensor_type("torch.DoubleTensor")
torch.set_default_tensor_type(torch.FloatTensor)
x = torch.Tensor([1.0])
