    # cause: an excerpt
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    x = torch.randn(12, 8)
    y = torch.randint(0, 3, (12,))
    for epoch in range(10):
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(epoch, loss.item())
