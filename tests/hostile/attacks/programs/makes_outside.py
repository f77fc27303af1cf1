"""Makes folders, links, pipes and devices outside its folder, and changes the rights of what is there.

count_words: 0, wrong-value, attempt
naive: full marks
"""

import os


def attempt():
    outside = "@OUTSIDE@"
    made = False
    for make in (
        lambda: os.mkdir(f"{outside}/folder"),
        lambda: os.symlink("/", f"{outside}/link"),
        lambda: os.mkfifo(f"{outside}/pipe"),
        lambda: os.chmod(outside, 0o700),
        lambda: os.utime(outside, (5, 5)),
        lambda: os.rename(outside, f"{outside}-moved"),
    ):
        try:
            make()
            made = True
        except OSError:
            pass
    return made
