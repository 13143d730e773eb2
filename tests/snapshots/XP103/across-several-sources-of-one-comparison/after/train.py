from common import prepare
import torch_xla

prepare("xla")
