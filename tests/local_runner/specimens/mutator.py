from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    observation["state_map"][2][2][0] = observation["chess_player_idx"]
    return answer(observation, action_space)
