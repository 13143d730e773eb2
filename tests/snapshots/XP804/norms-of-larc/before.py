import torch
from apex.parallel import convert_syncbn_model
from apex.parallel.LARC import LARC

model = convert_syncbn_model(torch.nn.Linear(3, 3)).to("cuda")
optimizer = LARC(torch.optim.SGD(model.parameters(), lr=0.1))
