# syntax=docker/dockerfile:1
# By tag: whoever builds can pin what they have looked at, in both stages, as `docker buildx imagetools inspect
# node:26-slim` prints it: `node:26-slim@sha256:…`.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The official image brings Node itself. What is installed here stays here: the image gets what is built of it.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.ts scripts/built-from.ts scripts/bill-of-materials.ts ./scripts/
COPY src ./src
# The commit that is built, and how Git describes it: of anything but the tag of the version the image says that it is built of
# a checkout.
ARG HERALD_COMMIT=
ARG HERALD_TAG=
RUN HERALD_COMMIT=$HERALD_COMMIT HERALD_TAG=$HERALD_TAG node scripts/build.ts
# Compiles every file once, so that a container starts fast even where nothing can be written. Node keeps a cache a user, so
# it is made by the user that will read it, and one for each set of flags: threads start with the one that main.ts sets.
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN for flag in --no-warnings --heap-growing-percent=100; do \
    NODE_COMPILE_CACHE=/app/.compile-cache node $flag --input-type=module --eval "\
    import { globSync } from 'node:fs'; import { flushCompileCache } from 'node:module'; \
    for (const file of globSync('/app/dist/*.js')) if (!file.endsWith('/main.js')) await import(file).catch(() => {}); \
    flushCompileCache(); process.exit(0);" || exit 1; done
# A cache is code: whoever runs Herald reads it, and cannot change it.
USER root
RUN chown -R root:root .compile-cache && chmod -R a+rX,go-w .compile-cache

FROM node:26-slim
ARG HERALD_COMMIT=
# The address of the repository that is built from.
ARG HERALD_SOURCE=
# What is inside stands in /app/dist: sbom.cdx.json (CycloneDX) and licences.txt.
LABEL org.opencontainers.image.title="Herald" \
    org.opencontainers.image.description="Messages to customers from Slack, none to many without approval" \
    org.opencontainers.image.version="0.1.0" \
    org.opencontainers.image.revision="$HERALD_COMMIT" \
    org.opencontainers.image.source="$HERALD_SOURCE" \
    org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.compile-cache \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=file:/data/herald.db \
    HERALD_CONFIG=/config/herald.yml
WORKDIR /app
# Owned by root: the user that runs Herald cannot change its code.
COPY package.json LICENSE ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/.compile-cache ./.compile-cache
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 3000
# Images of the OCI format have no such line: podman needs --format docker, or a check where it is run, as compose.yml and
# deploy/kubernetes.yml have one. The slim image has no curl; Node asks. 127.0.0.1 reaches it as long as HOST covers this machine's own address.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The exec form: signals reach Node, which stops taking work, waits for what is on its way, and ends.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
