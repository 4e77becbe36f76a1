"""Does memory keep the truth, refuse poison, warn of mistakes, and lose nothing?"""
