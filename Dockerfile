# What `softmarks grade … --in-docker softmarks` runs in. Make it with: docker build -t softmarks .
# PyTorch for the CPU is a tenth as large: name an index that has it with --build-arg PIP_EXTRA_INDEX_URL=…

FROM python:3.11-slim AS wheels
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . ./packaging/attention

FROM python:3.11-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libseccomp2 \
    && rm -rf /var/lib/apt/lists/*
ARG PIP_EXTRA_INDEX_URL
COPY constraints.txt /tmp/
RUN pip install --no-cache-dir --constraint /tmp/constraints.txt torch numpy
COPY --from=wheels /wheels /tmp/wheels
RUN pip install --no-cache-dir --constraint /tmp/constraints.txt /tmp/wheels/*.whl
USER nobody
ENTRYPOINT ["softmarks"]
