import torch
import torch_xla

print(f"{torch.zeros(1, device='cuda')} {torch_xla.device()}" f'{torch_xla.device()}')
print(f"{f'{torch.device(chr(99))}'} {d['k']} {torch.zeros(1).to('cuda:0')}")
