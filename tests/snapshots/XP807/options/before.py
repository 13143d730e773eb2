import torch
from transformers import AutoModel

net = torch.nn.Linear(2, 2)
a = torch.optim.AdamW(net.parameters(), lr=0.1, fused=True)
b = torch.optim.Adam(net.parameters(), fused=True, lr=0.1)
model = AutoModel.from_pretrained("x", device_map="auto", attn_implementation="flash_attention_2", load_in_8bit=True)
