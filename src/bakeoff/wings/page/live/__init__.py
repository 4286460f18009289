"""A running experiment or race as a page that changes by itself: server-sent events from one reader of its store.

``watching`` reads the store for all tabs and writes the stream; ``pages`` are the addresses.
"""
