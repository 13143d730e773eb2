import state
import torch

state.DEVICE = "cuda"
x = torch.zeros(3).to(state.DEVICE)
