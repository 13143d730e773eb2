def evaluate(model, loader):
    hits = 0
    for x, y in loader:
        hits += (model(x).argmax(1).cpu() == y).sum()
    return hits
