"""Does memory help an agent in the real loop, and what does the runtime cost it?"""
