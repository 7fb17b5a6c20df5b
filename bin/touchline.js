#!/usr/bin/env node
// The launcher: sets variables that Node reads before it starts its thread pool, then runs the TypeScript sources. A Node
// that cannot runs a bundle of them, or, if no file can be written, the sources through tsx.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.UV_THREADPOOL_SIZE ??= '16';
// Halves the start of a command on Node 24; Node 20 has no such cache.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/touchline/compiled', import.meta.url)));
const isDirect = Boolean(process.features.typescript);
const bundle = isDirect ? null : await (await import('./bundle.js')).bundledSources();
if (!isDirect && bundle === null) (await import('tsx/esm/api')).register();
const { run } = await (bundle === null ? import('../src/cli.ts') : import(bundle));
await run(process.argv);
