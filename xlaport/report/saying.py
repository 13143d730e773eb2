"""What the reports of a verdict say beside its findings: the file `texts.toml` beside this one."""

from pathlib import Path

from xlaport.wording import Wording

say = Wording(Path(__file__).parent)
