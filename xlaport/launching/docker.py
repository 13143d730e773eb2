"""A Dockerfile, with the commands that build and run it."""

from __future__ import annotations

import json

from xlaport.launching.job import FIRST_HOST, Job

_TEMPLATE = """\
# {script} on a TPU {tpu}. Build it in the folder that holds {script},
# and run it on {where}:
#     docker build -t {name} -f {file} .
#     docker run --rm --privileged --net=host --shm-size=16g {told}{name}
# --privileged shows the chips to the container, --net=host the other hosts and the machine's own description of the
# TPU; --shm-size is room for the workers of loaders.{address}
FROM python:3.11-slim
WORKDIR /app
RUN pip install --no-cache-dir {requirements}
COPY . .
# The script's own requirements, if it has a list of them, without torch:
# RUN pip install --no-cache-dir -r requirements.txt
{variables}CMD {command}
"""


def text(job: Job) -> str:
    """The Dockerfile of a job."""
    return _TEMPLATE.format(
        script=job.script,
        tpu=job.slice.name,
        name=job.name,
        file=job.file,
        address="\n# ADDRESS is that of the first host: hostname -I says it there." if job.meets else "",
        told=f"-e {FIRST_HOST}=ADDRESS " if job.meets else "",
        where="the host" if job.slice.hosts == 1 else f"each of its {job.slice.hosts} hosts, at the same time",
        requirements=" ".join(json.dumps(name) for name in job.machine.requirements),
        command=json.dumps(["bash", "-c", job.command] if job.is_shells else job.words),
        variables="".join(f"ENV {name}={value}\n" for name, value in job.machine.environment.items()),
    )
