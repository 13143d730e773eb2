import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding

device = torch.device("cuda")
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased").to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)


def collate(examples):
    texts = [e["text"] for e in examples]
    batch = tokenizer(texts, padding=True, truncation=True, max_length=512, return_tensors="pt", pad_to_multiple_of=64)
    batch["labels"] = torch.tensor([e["label"] for e in examples])
    return batch


collator = DataCollatorWithPadding(tokenizer, pad_to_multiple_of=64)
train = DataLoader([{"text": "a b", "label": 0}] * 64, batch_size=8, collate_fn=collate)
test = DataLoader([{"input_ids": [3, 4]}] * 64, batch_size=8, collate_fn=collator)
for batch in train:
    batch = {k: v.to(device) for k, v in batch.items()}
    loss = model(**batch).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
