/** Tests that kube-score and kubeconform find no faults in the chart's objects. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { customResourceDefinition } from '../../../operators/webhook-subscription/crd.ts';
import { CI_VALUES, chartCrds, dispatcherTemplate, EVERYTHING, MINIMAL, render } from '../../support/chart.ts';
import { needKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';
import { judgePrograms, whyNoJudges } from '../../support/kube-binaries.ts';
import { exampleResource } from '../../support/webhook-example.ts';

const LINT = new URL('../../support/kube-lint/', import.meta.url);
/** Version of the schemas, and of the control plane that tests run on. */
const VERSION = '1.34.4';
const OUTPUT_BYTES = 1e8;

/** A fault that kube-score reports. */
interface Finding {
  check: string;
  comment: string;
  object: string;
}
type Exception = Omit<Finding, 'object'> & { reason: string };

/**
 * Runs a program on these objects.
 * @returns standard output, whatever the exit code
 */
function judge(program: 'kube-score' | 'kubeconform', args: string[], resources: Resource[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(judgePrograms()[program], args, { maxBuffer: OUTPUT_BYTES }, (_, stdout, stderr) => {
      if (stdout === '') reject(new Error(stderr));
      else resolve(stdout);
    });
    child.stdin!.end(resources.map((one) => JSON.stringify(one)).join('\n---\n'));
  });
}

/** Returns a release's objects, and the Deployment that the operator makes from its template. */
async function objectsOf(file: string, values = {}): Promise<Resource[]> {
  const resources = await render(file, values);
  return [...resources, dispatcherTemplate(resources)]
    .filter((one) => one !== undefined)
    .map((one) => ({ ...one, metadata: { namespace: 'sports', ...one.metadata } }));
}

async function criticalFindings(resources: Resource[]): Promise<Finding[]> {
  const output = await judge('kube-score', ['score', '--kubernetes-version', 'v1.34', '-o', 'json', '-'], resources);
  const objects: Resource[] = JSON.parse(output);
  assert.equal(objects.length > 15, true);
  const CRITICAL = 1;
  return objects.flatMap(({ object_name: object, checks }) =>
    checks
      .filter(({ grade, skipped }: Resource) => grade === CRITICAL && !skipped)
      .flatMap(({ check, comments }: Resource) =>
        comments.map(({ summary }: Resource) => ({ check: check.id, comment: summary, object })),
      ),
  );
}

/** Returns the JSON schema for a built-in Kubernetes kind. It refuses all members that it does not list. */
function closed(schema: Resource): Resource {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  // Leaves out an empty `required`, which JSON Schema draft 4 does not allow; kubeconform reads draft 4.
  const entries = Object.entries(schema).filter(([name, value]) => name !== 'required' || (value as []).length > 0);
  const inner = Object.fromEntries(entries.map(([name, value]) => [name, closed(value)]));
  if (schema['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] };
  return schema.type === 'object' && schema.properties && !schema.additionalProperties
    ? { ...inner, additionalProperties: false }
    : inner;
}

/**
 * Writes a schema file for each kind.
 * @returns the folder
 */
function writeSchemas(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-schemas-'));
  const write = (kind: string, group: string, version: string, schema: object) =>
    writeFileSync(
      join(folder, `${[kind, group.split('.')[0], version].filter(Boolean).join('-')}.json`.toLowerCase()),
      JSON.stringify(schema),
    );
  const { definitions } = JSON.parse(readFileSync(new URL('kubernetes.json', LINT), 'utf8'));
  for (const [name, schema] of Object.entries<Resource>(definitions))
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? [])
      write(kind, group, version, { $ref: `#/definitions/${name}`, definitions });
  for (const { spec } of [...chartCrds(), customResourceDefinition()] as Resource[]) {
    const [{ name, schema }] = spec.versions;
    const top = closed(schema.openAPIV3Schema);
    const properties = { apiVersion: {}, kind: {}, ...top.properties, metadata: { type: 'object' } };
    write(spec.names.kind, spec.group, name, { ...top, properties });
  }
  return folder;
}

describe('the chart, checked by external tools,', function () {
  this.timeout(60_000);
  const exceptions: Exception[] = parse(readFileSync(new URL('exceptions.yaml', LINT), 'utf8'));
  let schemas: string;
  before(function () {
    // The programs may have to be built first, which takes minutes.
    this.timeout(1_800_000);
    needKube(this);
    const reason = whyNoJudges();
    if (reason !== null) {
      console.log(`      SKIPPED, no kube-score: ${reason}`);
      this.skip();
    }
    judgePrograms();
    schemas = writeSchemas();
  });
  after(() => rmSync(schemas, { recursive: true, force: true }));

  const isException = ({ check, comment }: Finding) =>
    exceptions.some((one) => one.check === check && comment.includes(one.comment));

  it('has no critical finding from kube-score, with the defaults or every option on, except documented exceptions', async () => {
    const findings = await criticalFindings(await objectsOf(MINIMAL));
    // Values that turn on what this file turns off, as it would be for OpenShift.
    const on = {
      podSecurity: { runAsUser: 10_001, runAsGroup: 10_001 },
      roles: { relay: { podDisruptionBudget: { enabled: true } } },
    };
    findings.push(...(await criticalFindings(await objectsOf(EVERYTHING, on))));
    assert.deepEqual(
      findings
        .filter((one) => !isException(one))
        .map(({ object, check, comment }) => `${object}: ${check}: ${comment}`),
      [],
    );
    for (const { check, comment, reason } of exceptions) {
      assert.ok(reason.length > 50, check);
      assert.ok(
        findings.some((one) => one.check === check && one.comment.includes(comment)),
        `${check} is not needed`,
      );
    }
  });

  const conform = (resources: Resource[]) => {
    const location = `${schemas}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
    const args = [
      '-strict',
      '-output',
      'json',
      '-summary',
      '-kubernetes-version',
      VERSION,
      '-schema-location',
      location,
    ];
    return judge('kubeconform', [...args, '-'], resources).then((text) => JSON.parse(text) as Resource);
  };

  it('is checked against vendored schemas from the control plane’s version', () => {
    const { comment } = JSON.parse(readFileSync(new URL('kubernetes.json', LINT), 'utf8'));
    assert.match(comment, new RegExp(`^Kubernetes v${VERSION.replaceAll('.', '\\.')}:`));
    assert.match(
      readFileSync(new URL('../kube/go.mod', LINT), 'utf8'),
      new RegExp(`k8s\\.io/kubernetes v${VERSION.replaceAll('.', '\\.')}`),
    );
  });

  for (const file of CI_VALUES)
    it(`is accepted by kubeconform with ${file.split('/').at(-1)}`, async () => {
      const resources = await objectsOf(file);
      const { resources: faults, summary } = await conform(resources);
      assert.deepEqual(faults, []);
      assert.deepEqual(summary, { valid: resources.length, invalid: 0, errors: 0, skipped: 0 });
    });

  it('has a custom resource that kubeconform accepts, and kubeconform refuses unknown fields and wrong types', async () => {
    const subscription = parse(exampleResource('https://hooks.example.com', 'a@example.com'));
    assert.deepEqual((await conform([subscription])).resources, []);
    const resources = await objectsOf(EVERYTHING);
    const one = (kind: string) => structuredClone(resources.find((resource) => resource.kind === kind)!);
    const [deployment, rule, route] = ['Deployment', 'PrometheusRule', 'HTTPRoute'].map(one) as [
      Resource,
      Resource,
      Resource,
    ];
    deployment.spec.template.spec.containers[0].imagePolicy = 'Always';
    rule.spec.groups[0].rules[0].severity = 'page';
    route.spec.rules[0].backendRefs[0].port = 'http';
    const { summary } = await conform([deployment, rule, route]);
    assert.deepEqual(summary, { valid: 0, invalid: 3, errors: 0, skipped: 0 });
  });
});
