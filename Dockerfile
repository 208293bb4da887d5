# One image for every service and the worker: the command chooses the process.
FROM node:24.21.0-bookworm-slim AS base
RUN npm install --global pnpm@12.21.0
WORKDIR /app

# Prisma's client is generated where the development dependencies are.
FROM base AS build
COPY . .
ENV PRISMA_SCHEMA_ENGINE_BINARY=/bin/true
RUN pnpm install --frozen-lockfile && pnpm --recursive generate

# Node strips types only outside node_modules, so the workspace itself is copied and installed
# without development dependencies; `pnpm deploy` would put the packages under node_modules.
FROM base AS dependencies
COPY . .
RUN pnpm install --frozen-lockfile --prod

FROM node:24.21.0-bookworm-slim AS runtime
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=dependencies /app /app
COPY --from=build /app/services/auth/src/generated services/auth/src/generated
COPY --from=build /app/services/notes/src/generated services/notes/src/generated
COPY --from=build /app/services/links/src/generated services/links/src/generated
COPY --from=build /app/services/webhook-dispatcher/src/generated services/webhook-dispatcher/src/generated
USER node
CMD ["node", "--version"]
