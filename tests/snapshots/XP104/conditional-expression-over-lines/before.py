import torch

options = (
    {
        "num_workers": 4,
        "shuffle": True,  # always
    }
    if torch.cuda.is_available()
    else {}
)
