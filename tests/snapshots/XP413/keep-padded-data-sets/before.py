from functools import partial

import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    DataCollatorWithPadding,
    Trainer,
)

device = torch.device("cuda")
tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)


def encode(rows, length):
    return tokenizer(rows["line"], truncation=True, padding="max_length", max_length=length)


def label(rows, length=64):
    rows = encode(rows, length)
    rows["labels"] = list(rows["input_ids"])
    return rows


raw = load_dataset("poems").train_test_split(test_size=0.2).filter(lambda row: row["line"])
chained = raw.map(lambda row: {"line": row["title"] + row["line"]}).map(
    lambda rows: tokenizer(rows["line"], padding="max_length", truncation=True, max_length=64), batched=True
)
parts = {"train": raw["train"].map(function=label), "test": raw["test"].map(partial(encode, length=64))}


def prepared(length):
    def tokenize(rows):
        return tokenizer(rows["line"], padding="max_length", truncation="only_first", max_length=length)

    return raw.map(tokenize, batched=True, remove_columns=["line"])


def fit(data):
    collate = DataCollatorForLanguageModeling(tokenizer, mlm=False)
    for batch in DataLoader(data, batch_size=8, collate_fn=collate, drop_last=True):
        loss = model(**batch.to(device)).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def padded_again(items):
    return tokenizer.pad(items, padding=True, return_tensors="pt")


fit(chained["train"])
fit(parts["test"].shuffle(seed=1).select(range(100)))
for batch in DataLoader(prepared(32)["train"], batch_size=8, collate_fn=padded_again, drop_last=True):
    loss = model(**batch.to(device)).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
trainer = Trainer(
    model=model,
    train_dataset=parts["train"],
    eval_dataset=parts["test"],
    data_collator=DataCollatorWithPadding(tokenizer),
)
trainer.train()
