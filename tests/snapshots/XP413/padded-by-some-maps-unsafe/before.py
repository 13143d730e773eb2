import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding, Trainer

device = torch.device("cuda")
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased").to(device)
raw = load_dataset("poems")
cut = raw.map(lambda rows: tokenizer(rows["line"], truncation=True, max_length=64), batched=True)
whole = raw.map(lambda rows: tokenizer(rows["line"], padding="max_length", max_length=64), batched=True)
padded = raw.map(lambda rows: tokenizer(rows["line"], padding="max_length", truncation=True), batched=True)
again = padded.map(lambda rows: tokenizer(rows["title"]), batched=True)

for batch in DataLoader(cut["train"], batch_size=8, collate_fn=DataCollatorWithPadding(tokenizer)):
    print(model(**batch.to(device)).logits.sum())
for batch in DataLoader(whole["train"], batch_size=8, collate_fn=DataCollatorWithPadding(tokenizer)):
    print(model(**batch.to(device)).logits.sum())
for batch in DataLoader(again["train"], batch_size=8, collate_fn=DataCollatorWithPadding(tokenizer)):
    print(model(**batch.to(device)).logits.sum())
Trainer(
    model=model,
    train_dataset=padded["train"],
    eval_dataset=cut["test"],
    data_collator=DataCollatorWithPadding(tokenizer),
).train()
both = DataCollatorWithPadding(tokenizer)
for batch in DataLoader(padded["train"], batch_size=8, collate_fn=both):
    print(model(**batch.to(device)).logits.sum())
for batch in DataLoader(cut["train"], batch_size=8, collate_fn=both):
    print(model(**batch.to(device)).logits.sum())
