#!/usr/bin/env node
// The launcher: sets variables that Node reads before it starts its thread pool, then runs the TypeScript sources; by
// tsx if Node cannot.
process.env.UV_THREADPOOL_SIZE ??= '16';
if (!process.features.typescript) (await import('tsx/esm/api')).register();
const { run } = await import('../src/cli.ts');
await run(process.argv);
