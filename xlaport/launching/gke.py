"""A Job for GKE, with the service by which the hosts of a slice find each other."""

from __future__ import annotations

import json

from xlaport.errors import UserError
from xlaport.launching.job import GKE_FIRST_HOST, Job

_HEAD = """\
# {script} on a TPU {tpu}, on GKE:  kubectl apply -f {file}
# IMAGE is yours to write: `xlaport launch {script} --engine docker` writes a Dockerfile for it.
# The nodes are {hosts} of a pool of machines {machine} with the topology {topology}, and chips for each: {chips}.
# GKE tells each pod its place (TPU_WORKER_ID, TPU_WORKER_HOSTNAMES).
"""

_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: {name}
spec:
  clusterIP: None
  selector:
    job-name: {name}
---
"""

_JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
  backoffLimit: 0
  completions: {hosts}
  parallelism: {hosts}
  completionMode: Indexed
  template:
    spec:
      subdomain: {name}
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: {accelerator}
        cloud.google.com/gke-tpu-topology: {topology}
      containers:
        - name: {name}
          image: IMAGE
          command: ["bash", "-c", {command}]
{variables}          ports:
            - containerPort: 8471  # the TPUs' own
            - containerPort: 8431  # their metrics
          resources:
            requests:
              google.com/tpu: {chips}
            limits:
              google.com/tpu: {chips}
          volumeMounts:
            - name: shared-memory
              mountPath: /dev/shm
      volumes:
        - name: shared-memory  # for the workers of loaders
          emptyDir:
            medium: Memory
"""


def text(job: Job) -> str:
    """The manifest of a job. Raises `UserError` for a TPU that GKE does not have."""
    slice_ = job.slice
    if slice_.gke is None:
        raise UserError(f"GKE has no nodes for a {slice_.name}: take v4, v5litepod, v5p or v6e")
    pairs = job.machine.environment.items()
    variables = "".join(f"            - name: {name}\n              value: {value}\n" for name, value in pairs)
    return (_HEAD + _SERVICE + _JOB).format(
        script=job.script,
        tpu=slice_.name,
        name=job.name,
        file=job.file,
        machine=slice_.machine,
        topology=slice_.topology,
        hosts=slice_.hosts,
        chips=slice_.chips_per_host,
        accelerator=slice_.gke,
        command=json.dumps(job.at(GKE_FIRST_HOST) + job.command),
        variables=f"          env:\n{variables}" if variables else "",
    )
