import torch
from torch import nn
from transformers import AutoModelForCausalLM, BertForMaskedLM, BertModel, GPT2Config, GPT2LMHeadModel

device = torch.device("cuda")
model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)
model.tie_weights()
other = GPT2LMHeadModel(GPT2Config())
other = other.to(device)
other.tie_weights()
third = BertForMaskedLM.from_pretrained("bert-base-uncased")
third.cuda()
third.tie_weights()
encoder = BertModel.from_pretrained("bert-base-uncased").to(device)

for batch in torch.utils.data.DataLoader([1, 2]):
    loss = model(**batch).loss
    loss.backward()
