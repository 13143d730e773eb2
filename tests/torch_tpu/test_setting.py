"""What a run on torch_tpu takes, and what is said where it is not there; nothing is run."""

from __future__ import annotations

import pytest

from xlaport.errors import UserError
from xlaport.verify.eager.setting import setting
from xlaport.verify.interpreter import Interpreter

HAS = Interpreter((3, 11), frozenset({"torch", "libtpu", "torch_tpu"}), "0.2.0", "/p/xla_cpu_pjrt.so")


def test_a_tpu_is_played_where_none_is() -> None:
    added = setting("python", HAS, 0, {})
    assert added["TPU_LIBRARY_PATH"] == HAS.plugin
    assert added["XLAPORT_PLAY_TPU"] == added["TORCH_TPU_LAUNCH_BLOCKING"] == "1"


def test_a_group_of_one_process_can_be_joined() -> None:
    assert setting("python", HAS, 0, {})["TORCH_TPU_TOPOLOGY"] == "1x1x1"
    assert "TORCH_TPU_TOPOLOGY" not in setting("python", HAS, 0, {"TORCH_TPU_TOPOLOGY": "2x2x1"})


def test_nothing_is_played_where_a_tpu_is() -> None:
    assert setting("python", HAS, 4, {}) == {"XLAPORT_TARGET": "torch_tpu", "TORCH_TPU_LAUNCH_BLOCKING": "1"}
    other = Interpreter(HAS.version, HAS.modules, "0.3.0")
    assert "XLAPORT_PLAY_TPU" not in setting("python", other, 1, {})


def test_a_script_that_fuses_its_operations_keeps_to_it() -> None:
    assert "TORCH_TPU_LAUNCH_BLOCKING" not in setting("python", HAS, 0, {"TORCH_TPU_DEFER_AND_FUSE": "1"})


@pytest.mark.parametrize(
    ("has", "says"),
    [
        (
            Interpreter((3, 11), frozenset({"torch", "torch_xla"})),
            r"torch_tpu cannot be imported by py: install torch",
        ),
        (
            Interpreter((3, 11), HAS.modules, "0.3.0", HAS.plugin),
            r"torch_tpu 0\.3\.0, and a TPU can be played",
        ),
        (Interpreter((3, 11), HAS.modules, "0.2.0"), r"py lacks what plays one on the CPU: install xla-cpu-pjrt"),
    ],
)
def test_what_is_missing_is_one_line(has: Interpreter, says: str) -> None:
    with pytest.raises(UserError, match=says) as raised:
        setting("py", has, 0, {})
    assert "\n" not in str(raised.value)
