/**
 * `make manifests` writes the service's objects into the overlays in k8s/, as helm renders them. Applying an overlay
 * then needs only kubectl.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CHART, helm, K8S } from './chart.ts';

/** The overlays, each with its values file, by path in k8s/. */
const OVERLAYS: Readonly<Record<string, string>> = {
  development: 'values/kind.yaml',
  production: 'overlays/production/values.yaml',
};

const fileOf = (overlay: string) => `${K8S}/overlays/${overlay}/touchline.yaml`;

/** Helm hooks for events that kubectl does not have. */
const MOMENTS = /^ +helm\.sh\/hook: "?pre-(delete|rollback)"?$/m;

/** Removes helm's annotations, and objects that helm uses only to uninstall or roll back. */
const withoutHooks = (text: string): string =>
  text
    .split(/^(?=---\n)/m)
    .filter((object) => !MOMENTS.test(object))
    .join('')
    .replace(/^ +helm\.sh\/hook.*\n/gm, '')
    .replace(/^( +)annotations:\n(?!\1 )/gm, '');

async function rendered(overlay: string): Promise<string> {
  const values = OVERLAYS[overlay]!;
  const args = [
    'template',
    'touchline',
    CHART,
    '--namespace',
    'touchline',
    '--skip-tests',
    '--values',
    `${K8S}/${values}`,
  ];
  return `# Rendered from charts/touchline with k8s/${values} by \`make manifests\`.\n${withoutHooks(await helm(args))}`;
}

/** Returns the overlays that differ from what the chart renders now. */
export async function staleOverlays(): Promise<string[]> {
  const stale: string[] = [];
  for (const overlay of Object.keys(OVERLAYS))
    if (readFileSync(fileOf(overlay), 'utf8') !== (await rendered(overlay))) stale.push(overlay);
  return stale;
}

if (process.argv[1] === import.meta.filename)
  for (const overlay of Object.keys(OVERLAYS)) writeFileSync(fileOf(overlay), await rendered(overlay));
