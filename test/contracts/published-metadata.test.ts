/** What catalogues show about the project: Artifact Hub reads the chart's annotations, and Backstage reads catalog-info.yaml. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHART = join(ROOT, 'charts/touchline');
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const OWN_FILES = 'https://github.com/touchline/touchline/blob/main/';

interface Entity {
  kind: string;
  metadata: { name: string; links?: { url: string }[] };
  spec: { system?: string; providesApis?: string[]; dependsOn?: string[]; definition?: { $text: string } };
}

describe('what catalogues show', () => {
  const chart = parse(read(CHART, 'Chart.yaml')) as {
    version: string;
    appVersion: string;
    annotations: Record<string, string>;
  };
  const annotation = <T>(name: string): T[] => parse(chart.annotations[`artifacthub.io/${name}`]!) as T[];
  const { version } = JSON.parse(read(ROOT, 'package.json')) as { version: string };

  it('the image and the changes are those of the released version', () => {
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
    const { image } = parse(read(CHART, 'values.yaml')) as { image: { repository: string } };
    assert.deepEqual(
      annotation<{ image: string }>('images').map((one) => one.image),
      [`${image.repository}:${version}`],
    );
    const changes = annotation<{ kind: string; description: string }>('changes');
    assert.ok(changes.length > 0);
    for (const { kind, description } of changes) {
      assert.ok(['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'].includes(kind), kind);
      assert.ok(description.length > 10);
    }
  });

  it('every resource kind of the chart is named, in each version', () => {
    const shipped = readdirSync(join(CHART, 'files'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => parseAllDocuments(read(CHART, 'files', file)).map((one) => one.toJS()))
      .filter((one) => one?.kind === 'CustomResourceDefinition')
      .flatMap(({ metadata, spec }) =>
        spec.versions.map((one: { name: string }) => `${spec.names.kind} ${one.name} ${metadata.name}`),
      );
    const named = annotation<{ kind: string; version: string; name: string }>('crds').map(
      (one) => `${one.kind} ${one.version} ${one.name}`,
    );
    assert.deepEqual(named.sort(), shipped.sort());
  });

  it('links lead to files of the repository', () => {
    const documents = parseAllDocuments(read(ROOT, 'catalog-info.yaml')).map((one) => one.toJS() as Entity);
    const links = [
      ...annotation<{ url: string }>('links'),
      ...documents.flatMap(({ metadata }) => metadata.links ?? []),
    ].map(({ url }) => url);
    assert.ok(links.length > 2);
    for (const url of links) {
      assert.ok(url.startsWith(OWN_FILES), url);
      assert.ok(existsSync(join(ROOT, url.slice(OWN_FILES.length))), url);
    }
  });

  it('entries of the catalogue refer to one another', () => {
    const documents = parseAllDocuments(read(ROOT, 'catalog-info.yaml')).map((one) => one.toJS() as Entity);
    const names = new Set(documents.map(({ kind, metadata }) => `${kind.toLowerCase()} ${metadata.name}`));
    assert.equal(names.size, documents.length);
    for (const { spec } of documents) {
      if (spec.system !== undefined) assert.ok(names.has(`system ${spec.system}`));
      for (const api of spec.providesApis ?? []) assert.ok(names.has(`api ${api}`), api);
      for (const one of spec.dependsOn ?? []) assert.ok(names.has(one.replace(':default/', ' ')), one);
      if (spec.definition !== undefined) assert.match(spec.definition.$text, /\/v1\/(openapi|asyncapi)\.json$/);
    }
  });
});
