import argparse

import torch
from net import create

parser = argparse.ArgumentParser()
parser.add_argument("--onnx", default="")
options = parser.parse_args()
model = create()
model.bfloat16()
for batch in [torch.ones(2, 4)] * 3:
    batch = batch.bfloat16()
    if options.onnx:
        torch.onnx.export(model, (batch,), options.onnx)
        break
    print(model.inference(batch))
