import torch


class Trainer:
    def __init__(self, model):
        # take over what there is
        self.device = "cpu"
        if torch.cuda.is_available():
            self.device = torch.device("cuda")
            self.model = model.to(self.device)


def run(model, find):
    kinds = "cpu"
    if torch.cuda.is_available():
        kinds = kinds + ",gpu"
    place = find()
    if torch.cuda.is_available():
        place = torch.device("cuda")
    device = "cpu"
    print(device)
    if torch.cuda.is_available():
        device = "cuda"
    return Trainer(model.to(device)), kinds, place


run(torch.nn.Linear(2, 2), dict)
