import functools

import torch
from transformers import TrainingArguments

optimizer = torch.optim.AdamW(parameters, fused=use_fused)
make = functools.partial(torch.optim.AdamW, lr=0.1)
arguments = TrainingArguments("out", fp16=not bf16)
options = {"attn_implementation": "flash_attention_2", "device_map": "auto", "trust_remote_code": True}
