"""Read a course from disk: what it consists of, where its files lie, and how its stubs are printed."""
