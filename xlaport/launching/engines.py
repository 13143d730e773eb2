"""The engines that can start a job, by their names: each is a module with one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xlaport.launching import docker, gke, notes, ray, skypilot, xpk
from xlaport.launching.job import Job

ENGINES: Mapping[str, Callable[[Job], str]] = {
    "notes": notes.text,
    "docker": docker.text,
    "skypilot": skypilot.text,
    "gke": gke.text,
    "xpk": xpk.text,
    "ray": ray.text,
}
