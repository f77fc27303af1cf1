#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image: Python, the engine and the course's packages,
# in the versions that the release was made with.
set -euo pipefail

autograder=${AUTOGRADER:-/autograder}
source=$autograder/source
export XDG_CACHE_HOME=$autograder/cache
export UV_PYTHON_INSTALL_DIR=$autograder/python UV_NO_CACHE=1 UV_LINK_MODE=copy

DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
    ca-certificates libseccomp2 python3-venv

# uv brings the Python that is asked for, whichever one the image has
python3 -m venv "$autograder/tools"
"$autograder/tools/bin/pip" install --quiet uv==0.13.9
uv=$autograder/tools/bin/uv

"$uv" venv --clear --python "$(cat "$source/python-version.txt")" "$autograder/venv"
"$uv" pip install --python "$autograder/venv/bin/python" --torch-backend cpu --compile-bytecode \
    --constraints "$source/constraints.txt" --requirements "$source/requirements.txt" \
    "$source"/softmarks-*.whl

# play the known mistakes now, so that no student waits for that; it also shows that everything is there
"$autograder/venv/bin/softmarks" gradescope --prepare "$autograder" --course "$source/course"
