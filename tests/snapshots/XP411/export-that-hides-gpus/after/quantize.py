import os

from export import export
from torch import nn

if __name__ == "__main__":
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    export(nn.Linear(4, 4), "quantized.onnx")
