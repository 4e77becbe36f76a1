"""A program that is recorded, under each trouble of what records it, beside the same program without recording."""
