pile = []
while True:
    pile.append(bytearray(1 << 20))
