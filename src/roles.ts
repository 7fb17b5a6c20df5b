/** The roles that run in separate processes. A process loads the code only for the roles that it runs. */
import type { RoleName } from './config/config.ts';
import type { Role } from './role.ts';

export const LOAD_ROLE: Readonly<Record<Exclude<RoleName, 'all'>, () => Promise<Role>>> = {
  api: async () => (await import('./api/role.ts')).api,
  stream: async () => (await import('./stream/role.ts')).stream,
  ingest: async () => (await import('./feed/role.ts')).ingest,
  relay: async () => (await import('./relay/role.ts')).relay,
  loader: async () => (await import('./analytics/role.ts')).loader,
  dispatcher: async () => (await import('./webhooks/role.ts')).dispatcher,
  operator: async () => (await import('../operators/role.ts')).operator,
  jobs: async () => (await import('./jobs/role.ts')).jobs,
};
