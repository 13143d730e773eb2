import torch


def prepare(seed, verbose, notes, mode):
    if not verbose:  # quiet
        print("quiet")
    if seed == 3:
        print(3)
    elif mode not in ("a", "b"):
        print("neither")
    if not ((seed or notes) == mode):
        print("apart")
    if notes.is_good():
        print("good")


prepare(1, True, None, "a")
net = torch.nn.Linear(2, 2).to("cuda")
