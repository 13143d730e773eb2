import torch


class Backend:
    def __init__(self, path, model, fp16):
        self.model = model
        self.fp16 = fp16
        self.session = None
        if path.endswith(".onnx"):
            import onnxruntime

            self.session = onnxruntime.InferenceSession(path)

    def forward(self, image):
        if self.fp16 and image.dtype != torch.float16:
            image = image.half()
        if self.session is not None:
            return self.session.run(None, {"image": image.cpu().numpy()})
        return self.model(image)
