import acme_jobs
import torch

acme_jobs.submit("train.py", queue="gpu-a100")
