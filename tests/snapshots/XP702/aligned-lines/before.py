import torch

model = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.save({'model': model.state_dict(),
            'optimizer': optimizer.state_dict(),

            # where to go on
            'epochs': [1,
                       2]}, 'state.pt')
