import torch
from torch import nn

device = torch.device("cuda")


def moved_first(models):
    for m in models:
        m.to(device)
    return [torch.optim.SGD(m.parameters(), lr=0.1) for m in models]


def others(models, teachers, keys):
    opts = [torch.optim.SGD(m.parameters(), lr=0.1) for m in models]
    for t, m in zip(teachers, models):
        t.to(device)
    for m in (teachers[0], models[0].weight.to(device)):
        print(m)
    for m in keys():
        m.to(device)
    for k, m in models.items():
        k.to(device)
    return opts


def to_the_host(models):
    opts = {k: torch.optim.SGD(m.parameters(), lr=0.1) for k, m in models.items()}
    for m in models.values():
        m.to("cpu")
    for m in models.values():
        m.to(torch.bfloat16)
    return opts


def schedulers(opt_class, params, partial):
    sched = torch.optim.lr_scheduler.StepLR(opt_class(params), 1)
    model = nn.Linear(2, 2).to(device)
    other = partial(nn.Linear)(model.parameters(), 1)
    model.to(device)
    return sched, other
