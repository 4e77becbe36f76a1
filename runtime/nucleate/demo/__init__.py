"""The demo: a shop, a stream of tasks, a scripted agent, and a view of what is learned from it."""
