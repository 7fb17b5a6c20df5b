# syntax=docker/dockerfile:1
# The image of every role. The stores are elsewhere (DATABASE_URL, KAFKA_BROKERS, CLICKHOUSE_URL), so the embedded ones, 600 MB, stay out.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# `--omit=optional` would drop the binaries of sharp and esbuild too, which come as optional packages of theirs: our own are taken out of
# package.json instead. npm keeps the versions of package-lock.json for all others.
RUN npm pkg delete optionalDependencies devDependencies \
 && npm install --no-audit --no-fund \
 && npm cache clean --force

FROM ${NODE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/tmp/touchline
COPY package.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY bin bin
COPY src src
COPY operators operators
# By number, so that Kubernetes can check `runAsNonRoot`; the user `node` of the base image.
USER 1000:1000
EXPOSE 8080 9090
ENTRYPOINT ["node", "/app/bin/touchline.js"]
CMD ["serve"]
