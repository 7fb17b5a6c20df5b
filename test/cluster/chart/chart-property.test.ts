/**
 * Checks that the API server accepts everything that the values schema and the templates allow. It tries random values,
 * one at a time.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/http/openapi-schemas.ts';
import { CHART, listOf, MINIMAL, render, workloads } from '../../support/chart.ts';
import { chartNamespace } from '../../support/chart-namespace.ts';
import { fromSchema } from '../../support/from-schema.ts';
import type { Resource } from '../../support/kube-api.ts';

const NAMESPACE = 'chart-property';
/** Number of runs for each value. RUNS=… sets a higher number. */
const RUNS = Number(process.env.RUNS ?? 1);
/**
 * Kubernetes fields that the schema does not check, because the API server does, and fields that concern more than one
 * release.
 */
const OPEN = [
  'extraVolumes',
  'extraVolumeMounts',
  'extraContainers',
  'extraInitContainers',
  'extraEgress',
  'extraIngress',
  'relabelings',
  'metricRelabelings',
  'extraObjects',
  // Whether this works depends on the cluster's configuration.
  'ipFamilyPolicy',
  'ipFamilies',
  'plans',
  'global',
];

type Schema = JsonObject & { $defs: JsonObject; properties: JsonObject };

/**
 * Returns the schema without the conditions that random values cannot meet. Helm would refuse values that violate them.
 */
function readSchema(): Schema {
  const text = readFileSync(`${CHART}/values.schema.json`, 'utf8');
  return JSON.parse(text, (key, value) => {
    if (['not', 'if', 'then', 'else', 'allOf', 'dependentSchemas'].includes(key)) return undefined;
    if (key === 'propertyNames') return { type: 'string', ...value };
    if (key === 'oneOf' && value.every((one: object) => !('type' in one))) return undefined;
    // Left empty, since only the API server checks that these addresses lie within the network.
    if (key === 'except') return { const: [] };
    return key === 'drop' ? { const: ['ALL'] } : value;
  });
}

/**
 * Returns the paths of all single values. Sections are expanded. All roles have the same schema, so only one role is
 * included.
 */
function pathsOf(schema: Schema): [path: string[], schema: JsonObject][] {
  const resolved = (one: JsonObject) =>
    typeof one.$ref === 'string' ? (schema.$defs[one.$ref.split('/').at(-1)!] as JsonObject) : one;
  const walk = (path: string[], given: JsonObject): [string[], JsonObject][] => {
    const { type, properties, additionalProperties } = resolved(given);
    if (OPEN.includes(path.at(-1)!)) return [];
    if (type !== 'object' || properties === undefined || additionalProperties !== false || path.length > 2)
      return [[path, given]];
    return Object.entries(properties as JsonObject).flatMap(([name, one]) => walk([...path, name], one as JsonObject));
  };
  const { roles: _, ...others } = schema.properties;
  const role = schema.$defs.role as JsonObject;
  return [
    ...Object.entries(others).flatMap(([name, one]) => walk([name], one as JsonObject)),
    ...walk(['roles', 'stream'], role),
  ];
}

/** Returns values that contain this value, and all values that it requires. */
const valuesWith = (path: string[], value: unknown): Record<string, unknown> => ({
  ...(['ingress', 'httpRoute'].includes(path[0]!) && { config: { trustedProxies: ['10.244.0.0/16'] } }),
  ...valuesAt(path, value),
});

function valuesAt(path: string[], value: unknown): Record<string, unknown> {
  const [name, ...rest] = path as [string, ...string[]];
  const inner = rest.length === 0 ? value : valuesAt(rest, value);
  const isSwitch = ['networkPolicy', 'podMonitor', 'prometheusRule', 'dashboard', 'ingress', 'httpRoute'].includes(
    name,
  );
  const parentRefs = name === 'httpRoute' && { parentRefs: [{ name: 'public' }] };
  return { [name]: isSwitch && rest[0] !== 'enabled' ? { enabled: true, ...parentRefs, ...(inner as object) } : inner };
}

describe('random values', function () {
  this.timeout(600_000);
  const server = chartNamespace(NAMESPACE);

  const dryRun = (items: Resource[]) =>
    server.kube.kubectl(['apply', '--server-side', '--validate=strict', '--dry-run=server', '-f', '-'], listOf(items));
  const roleOf = ({ metadata }: Resource) => metadata.labels['app.kubernetes.io/component'];
  const isExample = (one: Resource) => ['stream', 'dispatcher', 'migrate'].includes(roleOf(one));
  /**
   * Returns a release's objects, and a pod from each template. If a value affects all roles in the same way, only some
   * templates are included.
   */
  function objectsOf(values: string, resources: Resource[]): Resource[] {
    const isForAll = values.startsWith('{"defaults"');
    const pods = workloads(resources)
      .filter(isExample)
      .map(({ spec: { template } }) => {
        // Leaves these out, since the service accounts and priority classes do not exist on this server.
        const { serviceAccountName: _, priorityClassName: __, ...spec } = template.spec;
        const name = `pod-${spec.containers[0].name}`;
        return { apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name }, spec };
      });
    const objects = resources.filter(
      (one) => !['CustomResourceDefinition', 'Pod'].includes(one.kind) && (!isForAll || isExample(one)),
    );
    return [...objects, ...pods].map((one) => ({ ...one, metadata: { ...one.metadata, namespace: NAMESPACE } }));
  }

  interface Made {
    values: string;
    object: Resource;
  }
  /**
   * Finds the objects that the server refuses. It needs a request for each, because the error for a list does not
   * always name the object.
   */
  async function refusedOf(made: Made[]): Promise<string[]> {
    try {
      await dryRun(made.map(({ object }) => object));
      return [];
    } catch (error) {
      if (made.length === 1) return [`${made[0]!.values}: ${(error as Error).message}`];
      const middle = Math.ceil(made.length / 2);
      return [...(await refusedOf(made.slice(0, middle))), ...(await refusedOf(made.slice(middle)))];
    }
  }

  it('produce objects that the API server accepts, or are refused with a message', async () => {
    const schema = readSchema();
    const drawn = pathsOf(schema).flatMap(([path, one]) =>
      fc.sample(fromSchema(one, schema), RUNS).map((value) => JSON.stringify(valuesWith(path, value))),
    );
    const taken = new Map<string, Made>();
    let accepted = 0;
    const left = [...new Set(drawn)];
    async function renderNext(): Promise<void> {
      for (let values = left.pop(); values !== undefined; values = left.pop()) {
        let resources: Resource[];
        try {
          resources = await render(MINIMAL, JSON.parse(values));
        } catch (error) {
          assert.match((error as { stderr: string }).stderr, /specifications of the schema|execution error/, values);
          continue;
        }
        accepted += 1;
        for (const object of objectsOf(values, resources)) taken.set(JSON.stringify(object), { values, object });
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, renderNext));
    assert.ok(accepted > 50, `${accepted} values were accepted`);
    assert.deepEqual(await refusedOf([...taken.values()]), []);
  });
});
