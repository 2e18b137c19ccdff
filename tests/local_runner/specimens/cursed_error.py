class Cursed(Exception):
    def __str__(self):
        raise RuntimeError("and no text either")


def my_controller(observation, action_space, is_act_continuous=False):
    raise Cursed
