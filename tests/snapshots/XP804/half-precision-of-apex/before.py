import torch
from apex import amp
from apex.fp16_utils import FP16_Optimizer, network_to_half

model = network_to_half(torch.nn.Linear(4, 4).cuda())
optimizer = FP16_Optimizer(torch.optim.SGD(model.parameters(), lr=0.1), static_loss_scale=128.0)
