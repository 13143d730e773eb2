import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torchvision import datasets, transforms


def train(model, device, loader, optimizer):
    for data, target in pl.MpDeviceLoader(loader, device):
        loss = torch.nn.functional.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()


def test(model, device, loader):
    total = torch.zeros((), device=device)
    with torch.no_grad():
        for data, target in pl.MpDeviceLoader(loader, device):
            total += torch.nn.functional.nll_loss(model(data), target)
    return total.item() / len(loader.dataset)


def main(args):
    device = torch_xla.device()
    train_kwargs = {"batch_size": args.batch_size}
    test_kwargs = {"batch_size": args.test_batch_size}
    if args.cuda:
        cuda_kwargs = {"num_workers": 1, "shuffle": True}
        train_kwargs.update(cuda_kwargs)
        test_kwargs.update(cuda_kwargs)
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    dataset1 = datasets.MNIST("../data", train=True, download=True, transform=transform)
    dataset2 = datasets.MNIST("../data", train=False, transform=transform)
    train_loader = torch.utils.data.DataLoader(dataset1, **train_kwargs)
    test_loader = torch.utils.data.DataLoader(dataset2, **test_kwargs)
    model = torch.nn.Linear(784, 10).to(device)
    optimizer = torch.optim.Adadelta(model.parameters())
    for epoch in range(args.epochs):
        train(model, device, train_loader, optimizer)
        test(model, device, test_loader)
