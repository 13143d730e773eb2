import torch


def main():
    torch.manual_seed(999)
    optimizer = torch.optim.Adam([{"params": [torch.zeros(3, 64)], "lr": 4e-4}], lr=2e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 50)
    rates = []
    for i in range(100):
        optimizer.step()
        scheduler.step()
        rates.append(optimizer.param_groups[0]["lr"])
    print(rates[-1])


if __name__ == "__main__":
    main()
