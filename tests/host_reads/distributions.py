"""What each distribution of PyTorch's reads from the device when it is made; as a program, it prints that as JSON."""

from __future__ import annotations

import json
import sys

MADE = {
    "Bernoulli": "n",
    "Beta": "n, n",
    "Binomial": "5, n",
    "Categorical": "n",
    "Cauchy": "n, n",
    "Chi2": "n",
    "ContinuousBernoulli": "n",
    "Dirichlet": "n",
    "relaxed_categorical.ExpRelaxedCategorical": "one, n",
    "Exponential": "n",
    "FisherSnedecor": "n, n",
    "Gamma": "n, n",
    "GeneralizedPareto": "n, n, n",
    "Geometric": "n",
    "Gumbel": "n, n",
    "HalfCauchy": "n",
    "HalfNormal": "n",
    "InverseGamma": "n, n",
    "Kumaraswamy": "n, n",
    "LKJCholesky": "3, one",
    "Laplace": "n, n",
    "LogNormal": "n, n",
    "LogisticNormal": "n, n",
    "relaxed_bernoulli.LogitRelaxedBernoulli": "one, n",
    "LowRankMultivariateNormal": "n, n[:, None], n",
    "Multinomial": "5, n",
    "MultivariateNormal": "n, eye",
    "NegativeBinomial": "n, n",
    "Normal": "n, n",
    "OneHotCategorical": "n",
    "OneHotCategoricalStraightThrough": "n",
    "Pareto": "n, n",
    "Poisson": "n",
    "RelaxedBernoulli": "one, n",
    "RelaxedOneHotCategorical": "one, n",
    "StudentT": "n, n, n",
    "Uniform": "n, n + 1",
    "VonMises": "n, n",
    "Weibull": "n, n",
    "Wishart": "3 + one, eye",
}
"""Arguments of each that is made of tensors."""


def main() -> None:
    """Print how many values each asks for: with its checks, with `validate_args=False`, and with none at all."""
    import torch
    import torch_xla
    from torch_xla.debug import metrics

    device = torch_xla.device()
    given = {"n": torch.tensor([0.2, 0.3, 0.5]), "one": torch.ones(1), "eye": torch.eye(3)}
    given = {name: value.to(device) for name, value in given.items()}

    def reads() -> int:
        data = metrics.metric_data("TransferFromDeviceTime")
        return int(data[0]) if data else 0

    def asked(name: str, checks: str) -> int:
        torch_xla.sync()
        before = reads()
        eval(f"torch.distributions.{name}({MADE[name]}{checks})", {"torch": torch, **given})
        return reads() - before

    found = {name: [asked(name, ""), asked(name, ", validate_args=False")] for name in MADE}
    torch.distributions.Distribution.set_default_validate_args(False)
    for name in MADE:
        found[name].append(asked(name, ""))
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
