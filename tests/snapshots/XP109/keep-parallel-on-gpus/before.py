import torch


def forward(main, ngpu):
    x = torch.zeros(3)
    if x.is_cuda and ngpu > 1:
        return torch.nn.parallel.data_parallel(main, x, range(ngpu))
    return main(x)
