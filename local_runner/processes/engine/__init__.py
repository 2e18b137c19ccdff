"""Our engine in a process of its own: questions, answers, levels, and a contestant that plays a level."""
