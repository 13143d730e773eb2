import torch

print(f"{torch.zeros(1, device='cuda')} {torch.device('cuda')}" f'{torch.device("cuda")}')
print(f"{f'{torch.device(chr(99))}'} {d['k']} {torch.zeros(1).to('cuda:0')}")
