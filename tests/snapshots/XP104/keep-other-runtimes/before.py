import onnxruntime
import torch


class Backend:
    def __init__(self, path, device):
        cuda = torch.cuda.is_available() and device.type != "cpu"
        self.providers = ["CUDAExecutionProvider", "CPUExecutionProvider"] if cuda else ["CPUExecutionProvider"]
        if cuda:
            check("paddlepaddle-gpu")
        self.session = onnxruntime.InferenceSession(path, providers=self.providers)


def slim():
    cuda = torch.cuda.is_available()
    check(("onnxruntime-gpu" if cuda else "onnxruntime", "onnxslim"))


def check(packages):
    print(packages)


check("onnxruntime-gpu" if torch.cuda.is_available() else "onnxruntime")
check(f"onnx{'' if torch.cuda.is_available() else '-cpu'}>=1.15")
check("faiss" + ("-gpu" if torch.cuda.is_available() else "-cpu"))
check(f"tensorflow{'' if torch.cuda.is_available() else '-macos' if onnxruntime.MACOS else '-cpu'}")
