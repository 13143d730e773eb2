from net import Words

model = Words(10, 4, True)
model.cuda()
