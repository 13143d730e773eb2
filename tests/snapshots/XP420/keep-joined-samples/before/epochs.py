def train_epoch(model, optimizer, loader):
    for graphs, targets in loader:
        optimizer.zero_grad()
        loss = (model(graphs.to("cuda")) - targets.to("cuda")).square().mean()
        loss.backward()
        optimizer.step()
