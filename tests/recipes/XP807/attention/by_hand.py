import torch
import torch_xla

from transformers import AutoModel

options = {"attn_implementation": "sdpa"}
model = AutoModel.from_pretrained("gpt2", **options)
