#!/usr/bin/env python
"""Says cuda."""
from __future__ import annotations

import os
import torch_xla

DEVICE = torch_xla.device()
