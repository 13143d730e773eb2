"""Names of a library that runs on XLA, which choose CUDA by themselves."""

import timm
from timm.data import Mixup, create_loader
from timm.utils import NativeScaler

mixup = Mixup(mixup_alpha=0.8, num_classes=10)
scale = timm.utils.NativeScaler()
scaling = NativeScaler()
loader = create_loader(dataset, (3, 224, 224), 64)
