import numpy as np
import torch
from safetensors.torch import save_file

model = torch.nn.Linear(4, 4).to("cuda")
x = torch.randn(2, 4, device="cuda")
features = model(x).half().cpu().numpy()
small = model(x).cpu().half()
np.save("features.npy", model(x).to(torch.float16).cpu().numpy().astype(np.float16))
torch.save({name: value.half() for name, value in model.state_dict().items()}, "model.pt")
save_file({name: value.to(torch.float16) for name, value in model.state_dict().items()}, "model.safetensors")
weights = {}
for name, value in model.state_dict().items():
    weights[name] = value.to(torch.float16).clone()
torch.save({"model": weights}, "weights.pt")
model.half().float()
rounded = model(x).to(torch.float16).float()


def strip(path):
    checkpoint = torch.load(path, map_location="cpu", weights_only=False)
    checkpoint["model"].half()
    torch.save(checkpoint, path)
