"""Changes the directory, the signal handlers and the output, and starts a thread."""

import io
import os
import signal
import sys
import threading
import time

from .first_free import my_controller as answer


def my_controller(observation, action_space, is_act_continuous=False):
    os.chdir("/")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout = io.StringIO()
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return answer(observation, action_space)
