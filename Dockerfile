# syntax=docker/dockerfile:1
# The image of every role. The stores are elsewhere (DATABASE_URL, KAFKA_BROKERS, CLICKHOUSE_URL), so the embedded ones, 600 MB, stay out.
# A release pins both bases by digest.
ARG NODE=node:24-bookworm-slim
# The libraries that Node needs, authorities and time zones: no shell, no package manager.
ARG BASE=gcr.io/distroless/cc-debian12:nonroot

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# `--omit=optional` would drop the binaries of sharp too, which come as optional packages of its own: ours are taken out of both files
# instead, and the rest of package-lock.json stays as it is. Node 24 runs TypeScript without tsx and its esbuild.
RUN npm pkg delete optionalDependencies devDependencies dependencies.tsx dependencies.esbuild \
 && npm install --package-lock-only --ignore-scripts --no-audit --no-fund \
 && npm ci --ignore-scripts --no-audit --no-fund \
 # No process reads source maps and declarations of types, 60 MB.
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete \
 && find node_modules -type d -name '@types' -prune -exec rm -r {} +

# Bundles the scripts of the pages, so that no pod does.
FROM ${NODE} AS scripts
WORKDIR /app
COPY package.json package-lock.json ./
# Of all packages esbuild alone, in the version of package-lock.json.
RUN node -e 'const { name, version, type, dependencies: { esbuild } } = require("./package.json"); fs.writeFileSync("package.json", JSON.stringify({ name, version, type, dependencies: { esbuild } }))' \
 && npm install --package-lock-only --ignore-scripts --no-audit --no-fund \
 && npm ci --ignore-scripts --no-audit --no-fund
COPY src/web src/web
COPY src/client src/client
RUN node src/web/bundle.ts dist

FROM ${BASE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/tmp/touchline
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY data data
COPY operators operators
COPY src src
COPY --from=scripts /app/dist src/web/assets/dist
# By number, so that Kubernetes can check `runAsNonRoot`; above 10000, where no user of a node is. It needs no name, and owns no file.
USER 10001:10001
EXPOSE 8080 9090
ENTRYPOINT ["/usr/local/bin/node", "/app/bin/touchline.js"]
CMD ["serve"]
