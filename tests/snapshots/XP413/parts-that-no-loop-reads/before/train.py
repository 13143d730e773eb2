import torch
from torch import nn
from torch.utils.data import DataLoader

from batches import join, join_all


def evaluate(model, loader):
    total = 0
    with torch.no_grad():
        for words, letters, labels in loader:
            total += (model(words.cuda()).argmax(-1) == labels.cuda()).sum()
    return total / len(loader.dataset)


def main(data, pairs):
    model = nn.EmbeddingBag(100, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=8, collate_fn=join)
    held_out = DataLoader(data, batch_size=8, collate_fn=join)
    for step, (words, letters, labels) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(words.cuda()), labels.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(evaluate(model, held_out))
    all_of_it = DataLoader(pairs, batch_size=8, collate_fn=join_all)
    for words, letters in all_of_it:
        loss = model(words.cuda()).mean() + letters.cuda().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for words, letters in all_of_it:
        print(model(words.cuda()).mean().item())
