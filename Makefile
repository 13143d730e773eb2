# make demo   port a sample, then run the port on XLA and judge it (SAMPLE=mnist, or another folder of samples)
# make quick  ruff, mypy, and the tests that the changes of this branch reach, but those that start torch
# make test   ruff, mypy, pytest
# make docs   the documentation, into build/site
# The first call builds .venv, with torch and torch_xla: some minutes, once. Needs Python 3.10 to 3.13 on Linux.
# The tests take a second environment, .venv-torch-tpu, for Python 3.11: TPU_PYTHON=python3.11 names it.

PYTHON ?= python3
SAMPLE ?= mnist
VENV := .venv
BIN := $(VENV)/bin
# What the demo needs, and what the tests need beside it.
STAMP := $(VENV)/.installed-xla
DEV_STAMP := $(VENV)/.installed-dev
# torch_tpu needs another torch than torch_xla. Its wheels are for Python 3.11 alone.
TPU_PYTHON ?= $(shell command -v python3.11 || echo $(PYTHON))
TPU_VENV := .venv-torch-tpu
TPU_STAMP := $(TPU_VENV)/.installed
TPU_WANTED := $(shell sed -n 's/^WANTED = "\(.*\)"/\1/p' xlaport/verify/eager/names.py)
# A second copy of what is installed, 3 GB, would serve a second checkout alone: make PIP_OPTIONS= keeps it.
PIP_OPTIONS := --no-cache-dir
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check $(PIP_OPTIONS)
TPU_PIP = $(TPU_VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(PIP_OPTIONS)
TORCH := $(shell sed -n 's/^xla = \["\(torch==[0-9.]*\)".*/\1/p' pyproject.toml)
TORCHVISION := $(shell sed -n 's/.*"\(torchvision==[0-9.]*\)".*/\1/p' pyproject.toml)

DEMO := build/demo/$(SAMPLE)
ENTRY = $(notdir $(shell grep -l __main__ samples/$(SAMPLE)/*.py))

ARGS_mnist := --epochs 2 --train-size 2048 --test-size 512
ARGS_char_lm := --steps 60 --eval-interval 20 --eval-iters 4 --sample 60
ARGS_grad_accum := --epochs 2 --train-size 512 --eval-size 256 --log-steps 16
ARGS_vae_gan := --niter 2 --train-size 512 --out build/demo/vae_gan-images
ARGS_diffusion_sampling := --train-steps 20 --steps 8 --out build/demo/diffusion_sampling-images
ARGS_mlm := --epochs 2 --train-size 512 --eval-size 128
ARGS_detection_head := --epochs 2 --train-size 64 --test-size 2 --topk 10
ARGS_generate := --train-steps 20 --temperature 0 --num-samples 1
ARGS_seq2seq := --epochs 2 --train-size 512 --val-size 128
ARGS_dlrm := --epochs 1 --train-size 2048 --test-size 512
ARGS_ddp := --multiprocessing-distributed --epochs 2 --train-size 1024 --val-size 256
ARGS_ddp_toy := --steps 40
ARGS_amp_resnet := --amp --epochs 2 --train-size 1024 --test-size 256 --width 8
ARGS_resnet := --seed 1 --epochs 2 --train-size 768 --val-size 256 --lr 0.02
ARGS_fsdp_vit := --epochs 2 --train-size 512 --eval-size 128
ARGS_llama_spmd := --epochs 2 --train-size 1024

# Without unsafe edits, these compile for each new batch, fetch from the device in each step, or join no group.
$(foreach name,amp_resnet detection_head dlrm fsdp_vit llama_spmd mlm seq2seq,$(eval CONVERT_$(name) := --unsafe))
# These start a process for each GPU.
$(foreach name,ddp ddp_toy,$(eval CONVERT_$(name) := --multi))

.PHONY: help setup browser demo docs quick test lint compiled clean
.DELETE_ON_ERROR:

help:
	@sed -n '/^$$/q; s/^# //p' Makefile

setup: $(DEV_STAMP) $(TPU_STAMP) browser

# The page of `xlaport verify --html` is tested in Chromium. Where it cannot be installed, those tests say what to do.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || \
	  { echo 'Installing Chromium, for the tests' && apt-get -qq update && \
	    DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium >/dev/null; }

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo 'xlaport needs Python 3.10 to 3.13 here (torch_xla has no wheels for others); choose one: make PYTHON=python3.12'; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || \
	  { rm -rf $(VENV); echo 'Python cannot make a virtual environment; on Debian or Ubuntu: apt install python3-venv'; exit 1; }
	@echo 'Installing xlaport, torch and torch_xla into $(VENV) (minutes, once)'
	@$(PIP) --no-deps '$(TORCH)+cpu' >/dev/null 2>&1 || \
	  echo 'No index that pip is configured with has $(TORCH)+cpu: taking $(TORCH), with 5 GB of libraries for GPUs'
	@$(PIP) --editable '.[xla]'
	@touch $@

$(DEV_STAMP): $(STAMP)
	@echo 'Installing what the tests need into $(VENV)'
	@! $(BIN)/python -m pip show torch | grep '^Version: .*+cpu$$' >/dev/null || $(PIP) --no-deps '$(TORCHVISION)+cpu'
	@$(PIP) --editable '.[xla,tpu,dev]'
	@touch $@

$(TPU_STAMP): xlaport/verify/eager/names.py
	@echo 'Installing torch_tpu into $(TPU_VENV) (minutes, once)'
	@$(TPU_PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo 'torch_tpu has wheels for Python 3.11 alone; name one: make TPU_PYTHON=python3.11'; exit 1; }
	@$(TPU_VENV)/bin/python -m pip --version >/dev/null 2>&1 || $(TPU_PYTHON) -m venv --clear $(TPU_VENV)
	@$(TPU_PIP) $(firstword $(TPU_WANTED))+cpu || \
	  echo 'No index that pip is configured with has $(firstword $(TPU_WANTED))+cpu: taking it with its libraries for GPUs'
	@$(TPU_PIP) $(wordlist 2,9,$(TPU_WANTED))
	@touch $@

demo: $(STAMP)
	@test -n '$(ARGS_$(SAMPLE))' || { echo 'SAMPLE is one of: $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard samples/*/README.md)))))'; exit 2; }
	@rm -rf $(DEMO) $(DEMO).diff && mkdir -p build/demo
	$(BIN)/xlaport convert $(CONVERT_$(SAMPLE)) samples/$(SAMPLE) --out $(DEMO)
	@diff -ru -x README.md -x __pycache__ samples/$(SAMPLE) $(DEMO) >$(DEMO).diff || test $$? = 1
	@cat $(DEMO).diff
	@echo "$$(grep -c '^-\([^-]\|$$\)' $(DEMO).diff) lines out, $$(grep -c '^+\([^+]\|$$\)' $(DEMO).diff) lines in: $(DEMO).diff"
	$(BIN)/xlaport verify $(DEMO)/$(ENTRY) --steps 0 -- $(ARGS_$(SAMPLE))

docs: $(DEV_STAMP)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo 'build/site/index.html'

# The tests start xlaport many hundred times: where PYTHONDONTWRITEBYTECODE is set, each start would compile all of it.
compiled: $(DEV_STAMP)
	@$(BIN)/python -m compileall -q xlaport rules

lint: $(DEV_STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary

quick: $(DEV_STAMP) compiled
	@$(BIN)/python -m tools.quick

test: lint browser compiled $(TPU_STAMP)
	@$(BIN)/pytest -n 2 --dist loadfile

clean:
	rm -rf $(VENV) $(TPU_VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
