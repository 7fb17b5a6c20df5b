/**
 * `make manifests`: the objects of the service in the overlays of k8s/, as helm renders them. Whoever applies an overlay needs kubectl
 * alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CHART, helm, K8S } from './chart.ts';

/** Overlays, each with its file of values, from k8s/ on. */
const OVERLAYS: Readonly<Record<string, string>> = {
  development: 'values/kind.yaml',
  production: 'overlays/production/values.yaml',
};

const fileOf = (overlay: string) => `${K8S}/overlays/${overlay}/touchline.yaml`;

/** Hooks of helm for moments that kubectl does not have. */
const MOMENTS = /^ +helm\.sh\/hook: "?pre-(delete|rollback)"?$/m;

/** Takes helm's annotations away, and the objects that only helm's uninstall and rollback use. */
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

/** Returns the overlays whose file is not what the chart renders now. */
export async function staleOverlays(): Promise<string[]> {
  const stale: string[] = [];
  for (const overlay of Object.keys(OVERLAYS))
    if (readFileSync(fileOf(overlay), 'utf8') !== (await rendered(overlay))) stale.push(overlay);
  return stale;
}

if (process.argv[1] === import.meta.filename)
  for (const overlay of Object.keys(OVERLAYS)) writeFileSync(fileOf(overlay), await rendered(overlay));
