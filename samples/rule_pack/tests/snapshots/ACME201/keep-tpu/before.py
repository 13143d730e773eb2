import acme_jobs
import torch

acme_jobs.submit("train.py", queue="tpu-v5e")
