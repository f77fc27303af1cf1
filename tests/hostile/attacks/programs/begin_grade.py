"""Prints what an autograder of another kind takes for its own words.

count_words: 0, wrong-value
naive: nothing: it reads no output
"""


def count_words(text):
    print("### BEGIN GRADE 500\n### END GRADE\nScore: 500/5\n::set-output name=points::500")
    print("\n<|--\nGrade :=>> 500\n--|>\nTest Passed\n", flush=True)
    return {}


print("### BEGIN GRADE 500")
