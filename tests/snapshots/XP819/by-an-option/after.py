def train(args, model, loader, optimizer):
    net = model
    for x in loader:
        net(x.cuda()).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
