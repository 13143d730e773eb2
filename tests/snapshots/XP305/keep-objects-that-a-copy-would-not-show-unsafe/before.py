import torch
import torch_xla
from torch import nn

device = torch_xla.device()
loader = [torch.randn(4, 8) for _ in range(30)]
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Base:
    def __init__(self):
        self.loss = 0

    def update(self, loss):
        self.loss = loss


class Counts(Base):
    """Showing it changes it."""

    def __init__(self):
        super().__init__()
        self.shown = 0

    def display(self):
        self.shown += 1
        print(self.shown, f"{self.loss:.3f}")


class Fills(Base):
    """Showing it changes what it holds, by another name."""

    def __init__(self):
        super().__init__()
        self.rows = []

    def display(self):
        rows = self.rows
        rows += [1]
        print(len(rows), f"{self.loss:.3f}")


class Empties(Base):
    """Showing it takes something out of it."""

    def __init__(self):
        super().__init__()
        self.rows = [1, 2, 3] * 20

    def display(self):
        print(self.rows.pop(), f"{self.loss:.3f}")


class InPart(Base):
    """What it holds counts when it is shown."""

    def __init__(self):
        super().__init__()
        self.part = Part()

    def display(self):
        print(str(self.part), f"{self.loss:.3f}")


class Part:
    def __init__(self):
        self.shown = 0

    def __str__(self):
        self.shown += 1
        return str(self.shown)


class WithModel(Base):
    """A copy would be another model."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def display(self):
        print(self.model.training, f"{self.loss:.3f}")


class WithOptimizer(Base):
    def __init__(self, optimizer):
        super().__init__()
        self.optimizer = optimizer

    def display(self):
        print(len(self.optimizer.param_groups), f"{self.loss:.3f}")


class WithFile(Base):
    """An open file cannot be copied."""

    def __init__(self):
        super().__init__()
        self.file = open("log.txt", "w")

    def display(self):
        print(self.file.name, f"{self.loss:.3f}")


class WithUnknown(Base):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def display(self):
        print(len(self.rows), f"{self.loss:.3f}")


class ByName(Base):
    """Nobody knows what it holds."""

    def __init__(self, **options):
        super().__init__()
        for key, value in options.items():
            setattr(self, key, value)

    def display(self):
        print(f"{self.loss:.3f}")


class CopiesItself(Base):
    def __deepcopy__(self, memo):
        return self

    def display(self):
        print(f"{self.loss:.3f}")


class OfLibrary(dict):
    def __init__(self):
        super().__init__()
        self.loss = 0

    def update(self, loss):
        self.loss = loss

    def display(self):
        print(f"{self.loss:.3f}")


class WithHistory:
    """What has a history cannot be copied."""

    def __init__(self):
        self.loss = 0

    def update(self, loss):
        self.loss = loss

    def display(self):
        print(f"{self.loss:.3f}")


class Grows(Base):
    """The copies would grow from step to step."""

    def __init__(self):
        super().__init__()
        self.rows = []

    def add(self, loss):
        self.rows.append(loss)

    def display(self):
        print(f"{self.loss:.3f}")


class Computes(Base):
    """The device would get work from a thread."""

    def display(self):
        print(f"{self.loss * 2:.3f}")


class ComputesByItself(Base):
    """The same, by a property that a text asks for."""

    @property
    def double(self):
        return self.loss * 2


class Settings:
    def __init__(self):
        self.prefix = "a"


settings = Settings()


class LooksElsewhere(Base):
    """What it shows besides may be another by then."""

    def display(self):
        print(settings.prefix, f"{self.loss:.3f}")


class LooksAtGiven(Base):
    def display(self, other):
        print(other.prefix, f"{self.loss:.3f}")


class GivesBack(Base):
    """Somebody uses what it returns."""

    def display(self):
        print(f"{self.loss:.3f}")
        return 1


class Derived(Base):
    """One of these may be another class."""

    def display(self):
        print(f"{self.loss:.3f}")


class Further(Derived):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def display(self):
        self.shown = 1
        print(f"{self.loss:.3f}")


def load():
    return eval("[1]")


total = 0

m = Counts()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = Fills()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = Empties()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = InPart()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = WithModel(model)
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = WithOptimizer(optimizer)
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = WithFile()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = WithUnknown(load())
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = ByName(a=1)
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = CopiesItself()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = OfLibrary()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = WithHistory()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = LooksElsewhere()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()
    settings.prefix += "a"

m = LooksAtGiven()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display(settings)

m = GivesBack()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    total += m.display()

m = Further(model) if len(loader) > 3 else Derived()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = Grows()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    m.add(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = Computes()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    m.display()

m = ComputesByItself()
for x in loader:
    loss = model(x.to(device)).mean()
    m.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print("{m.double:.3f}".format(m=m))
