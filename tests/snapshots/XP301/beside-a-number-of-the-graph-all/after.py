import torch
import torch_xla


def train(model, loader, ids):
    model.to("xla")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    table = torch.zeros(100, 8, device="xla")
    for x in loader:
        out = model(x.to("xla"))
        best = out[:, 0].argmax().item()
        loss = (out + table[:best].sum()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        ids.append(out.argmax(dim=1).tolist())
