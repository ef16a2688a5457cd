# syntax=docker/dockerfile:1
# By tag: whoever builds can pin what they have looked at, in both stages, as `docker buildx imagetools inspect
# node:26-slim` prints it: `node:26-slim@sha256:…`.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The official image brings Node itself; only what the product is made of is installed.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY scripts/build.ts ./scripts/
COPY src ./src
RUN node scripts/build.ts
# Compiles every file once, so that a container starts fast even where nothing can be written. Node keeps a cache a user, so
# it is made by the user that will read it, and one for each set of flags: threads start with the one that main.ts sets.
RUN mkdir .compile-cache && chown node:node .compile-cache
USER node
RUN for flag in --no-warnings --heap-growing-percent=100; do \
    NODE_COMPILE_CACHE=/app/.compile-cache node $flag --input-type=module --eval "\
    import { globSync } from 'node:fs'; import { flushCompileCache } from 'node:module'; \
    for (const file of globSync('/app/dist/*.js')) if (!file.endsWith('/main.js')) await import(file).catch(() => {}); \
    flushCompileCache(); process.exit(0);" || exit 1; done

FROM node:26-slim
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
# The slim image has no curl; Node asks. 127.0.0.1 reaches it as long as HOST covers this machine's own address.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The exec form: signals reach Node, which stops taking work, waits for what is on its way, and ends.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
