"""The data sets of `data_sizes.toml` are torchvision's, and parts of them are chosen as the table says."""

import inspect

import pytest
from torchvision import datasets

from rules.shapes.xp420_smaller_last_batch.data_sizes import table


@pytest.mark.parametrize("name", table())
def test_second_parameter_chooses_the_part(name: str) -> None:
    known = table()[name]
    parameters = list(inspect.signature(getattr(datasets, name.rpartition(".")[2])).parameters.values())
    assert (parameters[1].name, str(parameters[1].default)) == (known.parameter, known.default)
    assert known.default in known.sizes
    if known.parameter == "train":
        assert set(known.sizes) == {"True", "False"}


def test_parts_are_those_that_torchvision_takes() -> None:
    assert set(datasets.SVHN.split_list) == set(table()["torchvision.datasets.SVHN"].sizes)
