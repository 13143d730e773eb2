"""What the rules of this folder say: the file `texts.toml` beside this one."""

from pathlib import Path

from xlaport.wording import Wording

say = Wording(Path(__file__).parents[2] / "successor")
