"""A place that student code cannot leave. `client` is the trusted side; `warm` and `host` are not."""
