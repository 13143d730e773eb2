from net import Words

model = Words(10, 4, True)
model.cuda()
model.head.weight = model.embed.weight
