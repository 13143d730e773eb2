#!/usr/bin/env python
"""Says cuda."""
from __future__ import annotations

import os
import torch

DEVICE = torch.device("cuda:0")
