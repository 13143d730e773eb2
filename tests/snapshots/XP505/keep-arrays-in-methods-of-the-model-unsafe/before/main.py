import torch

from detect import Detector

detector = Detector().to("xla").half()
print(detector.detect(torch.zeros(1, 3, 8, 8, dtype=torch.float16, device="xla")))
