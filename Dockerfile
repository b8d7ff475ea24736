# The command line with films, figures and lectures, in one image.
#   docker build -t collectives .
#   docker run --rm -u "$(id -u)" -v "$PWD:/work" collectives page all-reduce ring -n 8
#   docker run --rm -u "$(id -u)" -v "$PWD:/work" -p 8888:8888 collectives lab --ip=0.0.0.0 --no-browser
FROM python:3.13-slim AS wheel
COPY . /checkout
RUN pip wheel --no-cache-dir --no-deps -w /wheels /checkout

FROM python:3.13-slim
# What films need, as in scripts/setup.py.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        gcc pkg-config libcairo2-dev libpango1.0-dev fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*
COPY --from=wheel /wheels /wheels
COPY constraints/python3.13.txt /wheels/constraints.txt
RUN pip install --no-cache-dir -c /wheels/constraints.txt \
    "$(echo /wheels/*.whl)[video,figure,notebook]"
ENV HOME=/tmp
WORKDIR /work
ENTRYPOINT ["collectives"]
CMD ["--help"]
