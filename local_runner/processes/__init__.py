"""Agents in processes of their own: started, asked, watched, limited, and ended with all that they started."""
