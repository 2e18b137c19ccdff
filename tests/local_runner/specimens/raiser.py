def my_controller(observation, action_space, is_act_continuous=False):
    print("this was printed before the end")
    raise ValueError("no idea")
