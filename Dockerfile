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
 && find node_modules -type d -name '@types' -prune -exec rm -r {} + \
 # Of the font, two weights are used (src/web/share-pictures/font.ts), and the rest is 7 MB.
 && find node_modules/@expo-google-fonts -type f \( -name '*.ttf' -o -name '*.ttf.png' \) ! -name Inter_400Regular.ttf ! -name Inter_700Bold.ttf -delete

# Bundles the scripts of the pages, so that no pod does, and the sources, with which a process takes less memory.
FROM ${NODE} AS bundles
WORKDIR /app
COPY package.json package-lock.json ./
# Of all packages these alone, in the versions of package-lock.json.
RUN node -e 'const { name, version, type, dependencies: all } = require("./package.json"); const dependencies = Object.fromEntries(["esbuild", "zod", "@kubernetes/client-node"].map((one) => [one, all[one]])); fs.writeFileSync("package.json", JSON.stringify({ name, version, type, dependencies }))' \
 && npm install --package-lock-only --ignore-scripts --no-audit --no-fund \
 && npm ci --ignore-scripts --no-audit --no-fund
COPY bin bin
COPY operators operators
COPY src src
RUN node src/web/assets/bundle-scripts.ts scripts \
 && node bin/bundle.js dist

FROM ${BASE}
WORKDIR /app
# Node's young generation takes three times its semi-space and never shrinks: 48 MB of a process by default. Of malloc's arenas, two do.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/tmp/touchline NODE_OPTIONS=--max-semi-space-size=4 MALLOC_ARENA_MAX=2
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY data data
COPY operators operators
COPY src src
COPY --from=bundles /app/scripts src/web/assets/dist
COPY --from=bundles /app/dist dist
# By number, so that Kubernetes can check `runAsNonRoot`; above 10000, where no user of a node is. It needs no name, and owns no file.
USER 10001:10001
EXPOSE 8080 9090
ENTRYPOINT ["/usr/local/bin/node", "/app/bin/touchline.js"]
CMD ["serve"]
