import torch

from scoring import score

model = torch.nn.Linear(4, 1).to("xla")
model.eval()
with torch.no_grad():
    for x, y in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.zeros(8, 4), torch.zeros(8))):
        score(model, x.to("xla"), y.to("xla"))
