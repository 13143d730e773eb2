import torch
import torch_xla

from transformers import AutoModel

options = {"attn_implementation": "flash_attention_2"}
model = AutoModel.from_pretrained("gpt2", **options)
