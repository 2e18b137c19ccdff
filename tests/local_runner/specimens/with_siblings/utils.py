def one_hot(index, length, one):
    return [one if i == index else 0 for i in range(length)]
