"""What pages read: each question is one bounded query over the tables, so that a page is as fast in a large library."""
