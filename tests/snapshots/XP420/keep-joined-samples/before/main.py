import torch
from torch.utils.data import DataLoader

from data.data import by_name
from epochs import train_epoch


def pipeline(dataset, args):
    model = torch.nn.Linear(4, 1).to("cuda")
    optimizer = torch.optim.Adam(model.parameters())
    loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True, collate_fn=dataset.collate)
    for epoch in range(args.epochs):
        train_epoch(model, optimizer, loader)


def main(args):
    dataset = by_name(args.dataset)
    pipeline(dataset, args)
