"""What is told not to choose CUDA, and names of one's own that are called the same."""

import timm
from mine import Mixup, NativeScaler
from timm.data import create_loader

model = timm.create_model("vit_tiny_patch16_224")
mixup = Mixup(num_classes=10)
scaling = NativeScaler()
loader = create_loader(dataset, (3, 224, 224), 64, use_prefetcher=False)
