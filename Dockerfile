# syntax=docker/dockerfile:1
# The image of every role. The stores are elsewhere (DATABASE_URL, KAFKA_BROKERS, CLICKHOUSE_URL), so the embedded ones, 600 MB, stay out.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# `--omit=optional` would drop the binaries of sharp too, which come as optional packages of its own: ours are taken out of package.json
# instead. npm keeps the versions of package-lock.json for all others. Node 24 runs TypeScript without tsx and its esbuild.
RUN npm pkg delete optionalDependencies devDependencies dependencies.tsx dependencies.esbuild \
 && npm install --no-audit --no-fund \
 && npm cache clean --force

# Bundles the scripts of the pages, so that no pod does.
FROM ${NODE} AS scripts
WORKDIR /app
COPY package.json package-lock.json ./
# Of all packages esbuild alone, in the version of package-lock.json.
RUN node -e 'const { type, dependencies, devDependencies } = require("./package.json"), { esbuild } = { ...dependencies, ...devDependencies }; fs.writeFileSync("package.json", JSON.stringify({ type, dependencies: { esbuild } }))' \
 && npm install --no-audit --no-fund
COPY src/web src/web
COPY src/client src/client
RUN node src/web/bundle.ts dist

FROM ${NODE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/tmp/touchline
COPY package.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY bin bin
COPY data data
COPY src src
COPY --from=scripts /app/dist src/web/assets/dist
COPY operators operators
# By number, so that Kubernetes can check `runAsNonRoot`; above 10000, where no user of a node is. It needs no name, and owns no file.
USER 10001:10001
EXPOSE 8080 9090
ENTRYPOINT ["node", "/app/bin/touchline.js"]
CMD ["serve"]
