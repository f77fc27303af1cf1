"""Reads the environment with which its process was started, which os.environ may hide.

count_words: 0, wrong-value, attempt
naive: full marks
"""


def attempt():
    return open("/proc/self/environ", "rb").read() != b""
