# One image for every service and the worker: the command chooses the process.
# `pnpm pin-digests` pins the base images, those of docker-compose.yml and the actions of CI to what they are now.
FROM node:24.21.0-bookworm-slim AS base
# npm checks pnpm against the hash in the lockfile.
COPY scripts/pnpm /opt/pnpm
RUN npm ci --prefix /opt/pnpm --no-audit --no-fund && ln -s /opt/pnpm/node_modules/@pnpm/exe.*/pnpm /usr/local/bin/pnpm
WORKDIR /app
COPY . .

# Prisma's clients and the pages are built where the development dependencies are.
FROM base AS build
ENV PRISMA_SCHEMA_ENGINE_BINARY=/bin/true
RUN pnpm install --frozen-lockfile && pnpm --recursive generate && pnpm --filter @atrium/web build

# Node strips types only outside node_modules, so the workspace itself is copied, with what the services
# need at run time; `pnpm deploy` would put its packages under node_modules.
FROM base AS dependencies
RUN pnpm install --frozen-lockfile --prod --filter-prod '{./services/**}...'
COPY --from=build /app/services/auth/src/generated services/auth/src/generated
COPY --from=build /app/services/notes/src/generated services/notes/src/generated
COPY --from=build /app/services/links/src/generated services/links/src/generated
COPY --from=build /app/services/webhook-dispatcher/src/generated services/webhook-dispatcher/src/generated
COPY --from=build /app/services/web/dist services/web/dist
RUN node --disable-warning=ExperimentalWarning deploy/image/strip-types.mjs

FROM node:24.21.0-bookworm-slim AS runtime
ENV NODE_ENV=production HOST=0.0.0.0
# Node would let the heap of each process grow to gigabytes before it collects, and glibc keeps an arena
# for each thread, where freed blocks as large as a password hash would stay.
ENV NODE_OPTIONS="--import=/app/deploy/image/preload.mjs --expose-gc --max-semi-space-size=8 --max-old-space-size=160" \
    MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=dependencies /app /app
# A new volume takes its owner from the folder that it is mounted on.
RUN install -d -o node -g node /var/lib/atrium/assets /var/lib/atrium/files
USER node
CMD ["node", "--version"]
