"""What to run on a TPU, for one script: notes, and files for the engines that start jobs."""

from xlaport.launching.checked import check
from xlaport.launching.engines import ENGINES
from xlaport.launching.job import Job
from xlaport.launching.prepare import prepare
from xlaport.launching.writing import write

__all__ = ["ENGINES", "Job", "check", "prepare", "write"]
