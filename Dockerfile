# The table as a container: docker build -t ludotheque . && docker run --read-only --tmpfs /tmp -p 8000:8000 -v tables:/data ludotheque
# docs/installing.md explains it; tests/packaging/test_deploy.py checks it, and runs its commands without a container.

FROM python:3.13-slim AS build
WORKDIR /src
COPY . .
# Node for the page, and the compilers of the games' modules, come from the build hook, as Python packages; nothing of them reaches
# the second stage.
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /dist .

FROM python:3.13-slim
COPY --from=build /dist /dist
RUN python -m venv /opt/ludotheque \
 && /opt/ludotheque/bin/python -m pip install --no-cache-dir --no-compile "$(echo /dist/*.whl)[postgres]" \
 && rm -rf /dist \
 && mkdir /data && chown 10001:10001 /data
# Rules are compiled for this machine's processor while the first game is played, into the volume: the root may be read-only.
ENV PATH=/opt/ludotheque/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    LUDOTHEQUE_DATA=/data \
    LUDOTHEQUE_CACHE=/data/cache
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
ENTRYPOINT ["ludotheque"]
CMD ["serve", "--no-browser", "--host", "0.0.0.0", "--port", "8000"]
