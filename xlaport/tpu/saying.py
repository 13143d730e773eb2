"""What is said of a TPU that is not there: the file `texts.toml` beside this one."""

from pathlib import Path

from xlaport.wording import Wording

say = Wording(Path(__file__).parent)
