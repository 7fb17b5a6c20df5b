/** The metrics of running processes, one for each role, and the table in docs/monitoring.md (`make generated`). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { ROLES } from '../../src/all-roles.ts';
import type { RoleName } from '../../src/config/config.ts';
import { readRoleConfig, serve } from '../../src/main.ts';
import { startTestServer } from './postgres-server.ts';

const DOCUMENT = new URL('../../docs/monitoring.md', import.meta.url);
const BEGIN = '<!-- generated: metrics -->\n';
const END = '<!-- end generated -->\n';
/** An address where nothing listens. The names of metrics do not depend on these stores. */
const NOWHERE = 'http://127.0.0.1:1';

const KUBECONFIG = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: NOWHERE } }],
  users: [{ name: 'none', user: { token: 'none' } }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none', namespace: 'none' } }],
  'current-context': 'none',
});

export interface Metric {
  name: string;
  /** counter, gauge, histogram */
  type: string;
  help: string;
  roles: string[];
  /** Names of the metric's samples. */
  samples: string[];
}

/** Returns what a process with this role replies at /metrics. */
async function scrape(role: Exclude<RoleName, 'all'>, databaseUrl: string, folder: string): Promise<string> {
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    // The server is no standby, so nothing is read from it, but its metrics are there.
    DATABASE_READ_URL: databaseUrl,
    CLICKHOUSE_URL: NOWHERE,
    SECRET_KEY: 'secret-of-the-metrics',
    FEED_TOKEN: 'feed-token-of-the-metrics',
    KUBECONFIG: join(folder, 'kubeconfig'),
    DRAIN_DELAY_SECONDS: '0',
    DRAIN_SPREAD_SECONDS: '0',
  };
  const running = await serve(await readRoleConfig(env, role), pino({ level: 'silent' }), { role });
  try {
    return await (await fetch(`${running.adminAddress}/metrics`)).text();
  } finally {
    await running.stop();
  }
}

/**
 * Returns all roles' metrics by name, in order.
 * @param databaseUrl a migrated database
 */
export async function metricsOfRoles(databaseUrl: string): Promise<Map<string, Metric>> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-metrics-'));
  writeFileSync(join(folder, 'kubeconfig'), KUBECONFIG);
  const found = new Map<string, Metric>();
  try {
    for (const role of Object.keys(ROLES) as (keyof typeof ROLES)[]) {
      const text = await scrape(role, databaseUrl, folder);
      for (const [, name, help, type] of text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)) {
        const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
        const metric = found.get(name!) ?? {
          name: name!,
          type: type!,
          help: help!,
          roles: [],
          samples: parts.map((part) => name + part),
        };
        metric.roles.push(role);
        found.set(name!, metric);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the current text of docs/monitoring.md, and the expected one. */
export function monitoringDocument(metrics: ReadonlyMap<string, Metric>): { now: string; wanted: string } {
  const now = readFileSync(DOCUMENT, 'utf8');
  const own = [...metrics.values()].filter(({ name }) => name.startsWith('touchline_'));
  const rows = own.map(({ name, type, help, roles }) => {
    const where = roles.map((role) => `\`${role}\``).join(', ');
    return `| \`${name}\` | ${type} | ${where} | ${help.replaceAll('|', '\\|')} |\n`;
  });
  const table = `| Metric | Type | Roles | Meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`;
  const [head, rest] = now.split(BEGIN);
  if (rest === undefined || !rest.includes(END)) throw new Error('docs/monitoring.md has no table of metrics');
  return { now, wanted: `${head}${BEGIN}\n${table}\n${END}${rest.slice(rest.indexOf(END) + END.length)}` };
}

if (process.argv[1] === import.meta.filename) {
  const server = await startTestServer();
  try {
    writeFileSync(DOCUMENT, monitoringDocument(await metricsOfRoles(server.url)).wanted);
  } finally {
    await server.stop();
  }
  process.exit();
}
