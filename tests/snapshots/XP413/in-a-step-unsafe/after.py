import torch
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModel, AutoTokenizer

device = torch.device("cuda")
tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModel.from_pretrained("gpt2").to(device)
texts = [["a", "b c"], ["d", "e"]] * 100


def pad_to_bucket(batch, dim, value, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """Pad a batch to the next of a few lengths: each length that batches have is a graph to compile."""
    length = batch.size(dim)
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    shape = list(batch.shape)
    shape[dim] = next((bucket for bucket in buckets if bucket >= length), doubled) - length
    return torch.cat([batch, batch.new_full(shape, value)], dim)
with torch.no_grad():
    for batch in texts:
        inputs = tokenizer(batch, return_tensors="pt", padding="longest", pad_to_multiple_of=64).to(device)
        out = model(**inputs)
        rows = pad_to_bucket(pad_sequence([torch.tensor([len(t)] * len(t)) for t in batch], batch_first=True), 1, 0).to(device)
        print(model(inputs_embeds=rows).last_hidden_state.mean())
