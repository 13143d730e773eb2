import torch
import torch_xla

from transformers import AutoModel

model = AutoModel.from_pretrained("gpt2", device_map="auto", load_in_8bit=True)
