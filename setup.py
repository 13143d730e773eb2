"""The packages: `rules/` is installed as `xlaport.rules`. All else stands in `pyproject.toml`."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["xlaport", "xlaport.*"]), "xlaport.rules"]
    + [f"xlaport.rules.{name}" for name in find_packages("rules")],
    package_dir={"xlaport": "xlaport", "xlaport.rules": "rules"},
)
