import torch
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModel, AutoTokenizer

device = torch.device("cuda")
tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModel.from_pretrained("gpt2").to(device)
texts = [["a", "b c"], ["d", "e"]] * 100
with torch.no_grad():
    for batch in texts:
        inputs = tokenizer(batch, return_tensors="pt", padding="longest").to(device)
        out = model(**inputs)
        rows = pad_sequence([torch.tensor([len(t)] * len(t)) for t in batch], batch_first=True).to(device)
        print(model(inputs_embeds=rows).last_hidden_state.mean())
