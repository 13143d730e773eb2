import torch
import torch_xla
import torch_xla.core.xla_model as model

torch.cuda.synchronize()
