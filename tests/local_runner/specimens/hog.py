def my_controller(observation, action_space, is_act_continuous=False):
    pile = []
    while True:
        pile.append(bytearray(1 << 20))
