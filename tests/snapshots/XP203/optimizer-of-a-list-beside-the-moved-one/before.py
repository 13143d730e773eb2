import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def main():
    model_s, model_t = nn.Linear(4, 3), nn.Linear(4, 3)
    module_list = nn.ModuleList([])
    module_list.append(model_s)
    trainable_list = nn.ModuleList([])
    trainable_list.append(model_s)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(trainable_list.parameters(), lr=0.1)
    # append teacher after optimizer to avoid weight_decay
    module_list.append(model_t)
    if torch.cuda.is_available():
        module_list.cuda()
    loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,))), batch_size=16, drop_last=True)
    before = model_s.weight.detach().cpu().clone()
    for input, target in loader:
        input = input.cuda()
        target = target.cuda()
        loss = criterion(module_list[0](input), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("moved by", (model_s.weight.detach().cpu() - before).abs().sum())


main()
