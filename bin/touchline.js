#!/usr/bin/env node
// The launcher: sets what must be set before Node starts its thread pool, then runs the TypeScript sources.
process.env.UV_THREADPOOL_SIZE ??= '16';
const { register } = await import('tsx/esm/api');
register();
const { run } = await import('../src/cli.ts');
await run(process.argv);
