# Production image. Needs a Postgres database and a volume for files: see compose.yaml.
FROM node:22.23.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts scripts
# Keeps onnxruntime-node from downloading CUDA.
RUN ONNXRUNTIME_NODE_INSTALL=skip npm ci --include=dev
COPY tsconfig.json tsconfig.build.json ./
COPY supabase supabase
COPY src src
COPY docs docs
RUN node scripts/run.mjs build \
  && npm prune --omit=dev \
  && node scripts/prune-image.mjs

FROM node:22.23.2-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_PORT=3000 DATA_DIR=/data
# Fewer pools of unused memory in glibc. See scripts/run.mjs.
ENV MALLOC_ARENA_MAX=2
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY LICENSE NOTICE THIRD_PARTY_LICENSES.md ./
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=2 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
