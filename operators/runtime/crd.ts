/** Builds CustomResourceDefinitions from zod schemas. */
import { z } from 'zod';
import { GROUP } from './labels.ts';

export type Json = { [key: string]: unknown };
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * Adds CEL rules, which the API server checks. Every list and text needs a limit, because the API server estimates
 * from it how costly a rule is.
 */
export const rules = (...list: { rule: string; message: string }[]) => ({ 'x-kubernetes-validations': list });

/** A rule for a field that may not change. */
export const immutable = rules({ rule: 'self == oldSelf', message: 'is immutable: create another resource' });

/** A list without repetitions. */
export const listSet = { 'x-kubernetes-list-type': 'set' };

/** Maximum length of a name in Kubernetes. */
export const NAME_CHARACTERS = 253;
/** Maximum length of a name that is also a label's value. */
const LABEL_CHARACTERS = 63;

export const secretName = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
export const secretKey = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS)
  .regex(/^[-._a-zA-Z0-9]+$/);

/** The conditions of a status. @param types the types of conditions */
export const conditionsSchema = <Type extends string>(types: readonly [Type, ...Type[]]) =>
  z
    .array(
      z.strictObject({
        type: z.enum(types),
        status: z.enum(['True', 'False', 'Unknown']),
        reason: z.string().max(64),
        message: z.string().max(1_024),
        observedGeneration: z.int().min(0),
        lastTransitionTime: z.string().max(40).meta({ format: 'date-time' }),
      }),
    )
    .max(types.length)
    .optional()
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] });

/** Converts a JSON schema to the form that the API server requires, which is structural and without certain keywords. */
function structural(schema: Json): Json {
  const { $schema: _, additionalProperties: __, anyOf, ...rest } = schema;
  if (rest['x-kubernetes-int-or-string'] === true) return { ...rest, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  if (anyOf !== undefined) throw new Error('a structural schema has no anyOf');
  if (rest.type === 'integer') return { ...rest, format: 'int64' };
  if (isJson(rest.items)) return { ...rest, items: structural(rest.items) };
  if (!isJson(rest.properties)) return rest;
  const properties = Object.entries(rest.properties).map(([name, value]) => [
    name,
    isJson(value) ? structural(value) : value,
  ]);
  return { ...rest, properties: Object.fromEntries(properties) };
}

const toStructuralSchema = (schema: z.ZodType) => structural(z.toJSONSchema(schema, { io: 'input' }));

export interface Column {
  name: string;
  type: 'string' | 'date' | 'boolean';
  jsonPath: string;
  /** 1 shows the column only with `-o wide`. */
  priority?: 1;
}

export interface Definition {
  kind: string;
  plural: string;
  shortName: string;
  description: string;
  /** The served versions, newest first. All have the same schema, so that no conversion webhook is needed. */
  versions: readonly string[];
  storedVersion: string;
  columns: readonly Column[];
  spec: z.ZodType;
  status: z.ZodType;
}

/** A column that shows whether a condition is True. */
export const conditionColumn = (type: string): Column => ({
  name: type,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=="${type}")].status`,
});

/** Returns the CustomResourceDefinition of a kind. */
export function customResource(definition: Definition): Json {
  const { kind, plural, shortName, description, versions, storedVersion, columns, spec, status } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${GROUP}`,
      // Without this annotation, Helm would delete the CRD, and all resources with it, when the release is uninstalled.
      annotations: { 'helm.sh/resource-policy': 'keep' },
    },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames: [shortName] },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === storedVersion,
        subresources: { status: {} },
        additionalPrinterColumns: [...columns, { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
        schema: {
          openAPIV3Schema: {
            description,
            type: 'object',
            required: ['spec'],
            ...rules({
              rule: `self.metadata.name.size() <= ${LABEL_CHARACTERS}`,
              message: `the name may have at most ${LABEL_CHARACTERS} characters`,
            }),
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: toStructuralSchema(spec),
              status: toStructuralSchema(status),
            },
          },
        },
      })),
    },
  };
}
