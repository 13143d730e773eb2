import torch

model = torch.nn.Linear(2, 2)
if torch.cuda.is_available():
    # the fast way
    model.eval()

    print("done")  # really
