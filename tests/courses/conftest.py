"""The suites of a course are run by the engine, never collected with the engine's own tests."""

collect_ignore = ["toy"]
