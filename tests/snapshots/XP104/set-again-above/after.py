import torch


class Trainer:
    def __init__(self, model):
        # take over what there is
        self.device = torch.device("cuda")
        self.model = model.to(self.device)


def run(model, find):
    kinds = "cpu"
    kinds = kinds + ",gpu"
    place = find()
    place = torch.device("cuda")
    device = "cpu"
    print(device)
    device = "cuda"
    return Trainer(model.to(device)), kinds, place


run(torch.nn.Linear(2, 2), dict)
