from learning import loader, train, train_step

train()
print(train_step(next(iter(loader)))["loss"] > 3)
