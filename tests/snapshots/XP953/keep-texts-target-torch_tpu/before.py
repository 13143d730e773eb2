import torch_xla
import torch_xla.distributed.parallel_loader as pl

device = torch_xla.device()


def train(model, loader, tokenizer):
    for texts, label in pl.MpDeviceLoader(loader, device):
        print(tokenizer(texts, return_tensors="pt"), label)
    for texts, label in pl.MpDeviceLoader(loader, device):
        print([text.split() for text in texts], label + 1)
    for batch in pl.MpDeviceLoader(loader, device):
        print(model(batch["input_ids"], batch.attention_mask))
    for batch in pl.MpDeviceLoader(loader, device):
        names, image = batch
        print(names[0].lower(), model(image))
    for batch in pl.MpDeviceLoader(loader, device):
        print([target["boxes"] for target in batch["targets"]])
    for path, image in pl.MpDeviceLoader(loader, device):
        print(" ".join(path), image)
    for kind, image in pl.MpDeviceLoader(loader, device):
        print(kind == "cat", image)
