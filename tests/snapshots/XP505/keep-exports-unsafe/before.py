import torch
from torch import nn


def export(model, half, path):
    image = torch.zeros(1, 3, 64, 64).to("cuda")
    if half:
        image, model = image.half(), model.half()
    torch.onnx.export(model, image, path)


export(nn.Conv2d(3, 3, 3).cuda(), True, "model.onnx")


def export_onnx(model, image, path):
    torch.onnx.export(model, image, path)


def run(model, half):
    image = torch.zeros(1, 3, 64, 64, dtype=torch.float16 if half else torch.float32, device="cuda")
    export_onnx(model.half() if half else model, image, "model.onnx")
