# `make run` and `make test` do all the set-up. Both need only Node and npm.
.DEFAULT_GOAL := help
SHELL := bash
# npm writes this file when all packages are installed.
NODE_MODULES := node_modules/.package-lock.json
# This file shows that the service's packages are installed. Packages for development may be missing.
RUN_MODULES := node_modules/.touchline-run
NPM_OPTIONS := --no-audit --no-fund
# Path of Postgres 15 on Debian 12.
POSTGRES := /usr/lib/postgresql/15
DATA ?= ../shared/datasets
# Node 24 runs TypeScript directly, and Node 20 through tsx.
RUN = node $(shell node -p "process.features.typescript ? '' : '--import tsx'")

.PHONY: help run test test-process test-postgres test-cluster test-proxy test-long test-clients client client-python kafka kafka-stop kube kube-stop cluster-up cluster-down check audit generated fix bench bench-agents bench-all bench-analytics bench-edge bench-endpoints bench-import bench-memory bench-models bench-mqtt bench-open-data bench-page-load bench-polling bench-recovery bench-replicas bench-sync bench-stream bench-webhooks import-open-data bench-soak simulate-streams bench-slots bench-slow bench-start manifests page-pictures readme-pictures clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

# After `make run`, only the missing packages are added, so that a running service keeps its files.
$(NODE_MODULES): package.json package-lock.json
	@if [ $(RUN_MODULES) -nt package.json ] && [ $(RUN_MODULES) -nt package-lock.json ]; then \
	  echo npm install --no-save; npm install --no-save $(NPM_OPTIONS); \
	else echo npm ci; npm ci $(NPM_OPTIONS); fi
	@touch $@

# npm's file gets an old date, so that the packages for development are still installed when they are needed.
$(RUN_MODULES): package.json package-lock.json
	@if ! [ $(NODE_MODULES) -nt package.json ] || ! [ $(NODE_MODULES) -nt package-lock.json ]; then \
	  echo npm ci --omit=dev; npm ci --omit=dev $(NPM_OPTIONS) && touch -t 200001010000 $(NODE_MODULES); \
	fi
	@touch $@

run: $(RUN_MODULES) ## install, and run the whole service on embedded stores with matches being played live
	@DEMO=$${DEMO:-1} SIGNUP=$${SIGNUP:-open} LOG_LEVEL=$${LOG_LEVEL:-warn} exec node bin/touchline.js serve

test: $(NODE_MODULES) ## install, and run the tests
	@node test/run.js

test-process: $(NODE_MODULES) ## run the tests of commands and processes alone
	@node test/run.js test/process

test-postgres: $(NODE_MODULES) ## run tests of stores, survival and webhooks on the oldest Postgres that is supported (POSTGRES=its folder)
	@TEST_POSTGRES=$(POSTGRES) node test/run.js test/db/{lease,liveness-lock,migrate,notices,postgres}.test.ts test/relay test/apply/*-property.test.ts test/feed/feed-routes.test.ts test/webhooks/{kill,leases}.test.ts test/stream/connection-slots.test.ts

test-cluster: $(NODE_MODULES) ## run the tests on a real Kafka (Java 17 and Maven; or KAFKA_BROKERS=host:port, for the contract alone), a real Kubernetes (Go), and nginx
	@$(RUN) test/support/kube-command.ts build
	@node test/run.js test/cluster

# Property tests draw new cases. A failed one prints its seed, and PROPERTY_SEED=<seed> draws the same cases again.
test-long: $(NODE_MODULES) ## run the long forms of the tests of `make test`: more kills, orders, random cards, readers and views
	@LONG_FORMS=1 PROPERTY_SEED=$${PROPERTY_SEED-random} TEST_LIMIT_MINUTES=120 node test/run.js $(shell grep -rlE 'long-forms|accessibility.ts' test --include=*.test.ts) test/relay/relay-survival.test.ts

test-clients: $(NODE_MODULES) ## generate, compile and run clients in Go, Java, Python, TypeScript and Dart, and read exports with pandas and DuckDB, as far as their tools are installed (2 to 5 minutes)
	@node test/run.js test/generators

test-proxy: $(NODE_MODULES) ## run the tests of streams, sync and the feed once more, through a real nginx
	@TEST_PROXY=nginx node test/run.js test/stream/{sse,sse-outage,websocket,websocket-messages,replay,whole-path}.test.ts test/client/stream.test.ts test/matches/sync.test.ts test/feed/feed-routes.test.ts

client: $(NODE_MODULES) ## build the package touchline-client, with the clients for streams and REST: build/touchline-client-….tgz
	@$(RUN) test/support/client-package.ts

client-python: ## build the Python client: build/touchline-….whl (Python 3.10 with pip)
	@python3 -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build ./clients/python

kafka: $(NODE_MODULES) ## start a Kafka node and print its address for `make run KAFKA_BROKERS=…`
	@$(RUN) test/support/kafka-node.ts start

kafka-stop: ## stop it and remove its data
	@$(RUN) test/support/kafka-node.ts stop

kube: $(NODE_MODULES) ## start a Kubernetes control plane (built by Go once, in minutes) and print its KUBECONFIG
	@$(RUN) test/support/kube-command.ts start

kube-stop: $(NODE_MODULES) ## stop it and remove its data
	@$(RUN) test/support/kube-command.ts stop

cluster-up: $(NODE_MODULES) ## install the chart into a cluster on this machine, with a Kafka, a Postgres and a ClickHouse (Linux, root, Go, Java 17, Maven)
	@$(RUN) test/support/kube-cluster-command.ts up

cluster-down: $(NODE_MODULES) ## stop the cluster and its stores
	@$(RUN) test/support/kube-cluster-command.ts down

check: $(NODE_MODULES) ## lint, formatting, types, unused exports, imports between folders, lines of templates, type stripping of Node 24, rules of migrations, generated files, the lock file
	npx biome ci --error-on-warnings .
	npx tsc -p .
	npx knip
	@$(RUN) test/support/strip-types.ts
	@$(RUN) test/support/migration-rules.ts --check
	@$(RUN) test/support/import-rules.ts
	@$(RUN) test/support/template-lines.ts
	@$(RUN) test/support/grants/write-grants.ts --check
	@$(RUN) test/support/generated-docs.ts --check
	@$(RUN) test/support/client-types.ts --check
	@$(RUN) test/support/python-client-types.ts --check
	@$(RUN) test/support/examples.ts --check
	@$(RUN) operators/write-crds.ts --check
	@npm ci --dry-run --ignore-scripts --no-audit --no-fund >/dev/null 2>&1 || { echo 'package-lock.json does not fit package.json: see CONTRIBUTING.md'; exit 1; }

# A vulnerability that cannot be exploited here is listed in osv-scanner.toml, with the reason and the date until which it is ignored.
audit: ## look all lock files up in OSV, the online database of known vulnerabilities (Go)
	go run github.com/google/osv-scanner/v2/cmd/osv-scanner@v2.6.0 scan source --recursive --no-resolve .

generated: $(NODE_MODULES) ## write the generated files: the rights of roles in Postgres, the tables of the documentation (a test checks the table of metrics), the types of the clients, the examples of the API document, the CRD in the chart
	@$(RUN) test/support/grants/write-grants.ts
	@$(RUN) test/support/generated-docs.ts
	@$(RUN) test/support/client-types.ts
	@$(RUN) test/support/python-client-types.ts
	@$(RUN) test/support/examples.ts
	@$(RUN) operators/write-crds.ts
	@$(RUN) test/support/metrics.ts

manifests: $(NODE_MODULES) ## render the chart into the overlays of k8s (Go builds helm once)
	@$(RUN) test/support/manifests.ts

fix: $(NODE_MODULES) ## format, and fix what the linter can
	npx biome check --write .

bench: $(NODE_MODULES) ## cards and lists per second against a bare server, and with and without limits, in the same run
	@$(RUN) bench/rest.ts

bench-agents: $(NODE_MODULES) ## the card of a paying key while 20 connections of a free key flood /mcp (SECONDS=6, ROUNDS=5)
	@$(RUN) bench/agents.ts

bench-all: $(NODE_MODULES) bench/build/clients ## the hot paths in one table, each beside its bound (15 minutes)
	@$(RUN) bench/all.ts

bench-polling: $(NODE_MODULES) ## the age of 1,000 live matches from a polled source, and what polling costs (MATCHES=…, SECONDS=…)
	@$(RUN) bench/polling.ts

bench-sync: $(NODE_MODULES) ## sync of generated cards against the rate of COPY, in the same run
	@$(RUN) bench/sync.ts

bench-analytics: $(NODE_MODULES) ## analytics over generated histories of 50,000 and 5,000,000 matches (SIZES=…, KEEP=folder of the data)
	@$(RUN) bench/analytics.ts

bench-edge: $(NODE_MODULES) ## what a cache (nginx) in front of live pages answers for 1,000 readers, and how late they see a goal (READERS=…, RELOAD_SECONDS=1, SECONDS=20)
	@$(RUN) bench/edge.ts

bench-endpoints: $(NODE_MODULES) ## every endpoint on the catalogue in DATA_DIR, after make import-open-data, with four clients (REQUESTS=…)
	@$(RUN) bench/endpoints.ts

bench-import: $(NODE_MODULES) ## import of football-datasets against COPY of the same rows, in the same run (DATA=folder of the format)
	@$(RUN) bench/import.ts

bench-memory: $(NODE_MODULES) bench/build/clients ## resident memory of each role, idle beside a bare Node, or after MINUTES of load (ROLES=role[,role], IDLE_SECONDS=20, MINUTES=0)
	@$(RUN) bench/memory.ts

bench-page-load: $(NODE_MODULES) ## first view, paint and layout shift of the pages on a slow phone, in Chromium (SITE=address, DAY=2026-05-10, RUNS=3)
	@$(RUN) bench/page-load.ts

bench-mqtt: $(NODE_MODULES) ## time from commit to an MQTT subscriber, with Debian's mosquitto (RATE=50, SECONDS=15)
	@$(RUN) bench/mqtt.ts

bench-models: $(NODE_MODULES) ## the backtest of the models on football-datasets, without a database (DATA=folder of data sets)
	@DATA=$(DATA) $(RUN) bench/models.ts backtest --from 2016-07-01 --out bench/build/backtest

bench/build/clients: bench/stream/clients.c
	@mkdir -p $(@D)
	cc -O2 -Wall -Wextra -Werror -o $@ $<

bench-recovery: $(NODE_MODULES) ## kills (-9) and vanished nodes at 100 events a second: time to the first delivery after them (KILLS=…)
	@$(RUN) bench/recovery.ts

bench-replicas: $(NODE_MODULES) ## reads with a streaming standby: its share, hot p99, and stale replies with 0 to 3 s of lag (CHECKS=100000, ROUNDS=5)
	@$(RUN) bench/replicas.ts

bench-start: $(NODE_MODULES) ## seconds from make run in a fresh clone to the ready service, and of a command (npm's cache is warm; RUNS=5)
	@$(RUN) bench/start.ts

bench-stream: $(NODE_MODULES) bench/build/clients ## streams and the feed under load, beside bounds of the same run (ONLY=name[,name])
	@$(RUN) bench/stream.ts

page-pictures: $(NODE_MODULES) ## take pictures of twelve pages in four forms from the demo, with Chromium (SITE=address, NAME=folder; 3 minutes)
	@$(RUN) tools/page-pictures.ts

readme-pictures: $(NODE_MODULES) ## take the pictures in README.md from the demo, with Chromium (a minute)
	@$(RUN) tools/readme-pictures.ts

simulate-streams: $(NODE_MODULES) ## simulate up to 10,000 stream processes on one event log, as docs/scaling.md needs it (half a minute)
	@$(RUN) tools/simulate-streams.ts
bench-slow: $(NODE_MODULES) ## what the API answers, refuses and how soon it recovers while Postgres or ClickHouse is slow (SECONDS=30)
	@$(RUN) bench/slow.ts

bench-slots: $(NODE_MODULES) ## statements a second of 100,000 streams on 10 processes (STREAMS=…, SECONDS=…)
	@$(RUN) bench/slots.ts

bench-soak: $(NODE_MODULES) bench/build/clients ## memory, handles and leases of each role under load, by the minute; fails if they still grow (MINUTES=30)
	@MINUTES=$${MINUTES:-30} $(RUN) bench/soak.ts

bench-open-data: $(NODE_MODULES) ## the import of all open data, and the search of the whole catalogue (DATA=folder of data sets)
	@DATA=$(DATA) $(RUN) bench/open-data.ts

bench-webhooks: $(NODE_MODULES) ## signed deliveries per second and core, commit to receipt, and what a dead endpoint costs others
	@$(RUN) bench/webhooks.ts

import-open-data: $(RUN_MODULES) ## import all open data below DATA (default ../shared/datasets), with counts, and compute the ratings
	@LOG_LEVEL=$${LOG_LEVEL:-warn} node bin/touchline.js import open-data $(DATA)
	@LOG_LEVEL=$${LOG_LEVEL:-warn} node bin/touchline.js ratings

clean: ## remove installed packages; the data folder stays
	rm -rf node_modules coverage build
