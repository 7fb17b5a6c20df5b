/**
 * Conditions on the fields of an event, such as `data.match.minute >= 80` or `data.incident.kind in goal | card`. Each is a
 * text, so that subscriptions, resources, commands and addresses of streams write it in the same way. Pure.
 */
import { z } from 'zod';
import { envelope } from '../wire/envelope.ts';
import type { LogRecord } from './event-log.ts';

type Scalar = string | number | boolean;

export interface Condition {
  /** Names of members from the envelope inwards. */
  path: readonly string[];
  operator: '=' | 'in' | '>=' | '<=' | 'exists';
  /** Several for `in`, one for the rest, and none for `exists`. */
  values: readonly Scalar[];
}

/** Thrown for a condition that cannot be used. */
export class ConditionError extends Error {}

export const MAX_CONDITIONS = 10;
export const MAX_CONDITION_CHARACTERS = 2_000;
const MAX_VALUES = 100;
const MAX_DEPTH = 8;
/** Maximum number of characters of an invalid condition that the message shows. */
const SHOWN_CHARACTERS = 60;

const FORM =
  /^(?<field>\w+(?:\.\w+)*)(?:\s*(?<compared>>=|<=|=)\s*(?<value>.+)|\s+in\s+(?<list>.+)|\s+(?<exists>exists))$/s;
/** A quoted text, or any run of characters up to a separator. */
const QUOTED = /"(?:[^"\\]|\\.)*"/;

/** Splits a text at a separator, but not within quotation marks. */
function split(text: string, separator: ',' | '|'): string[] {
  const parts = text.match(
    new RegExp(`(?:${QUOTED.source}|[^${separator}"]|")+|(?<=[${separator}]|^)(?=[${separator}]|$)`, 'g'),
  );
  return (parts ?? ['']).map((part) => part.trim());
}

/** Splits the conditions of a stream's address, which are separated by commas. */
export const splitConditions = (text: string): string[] => split(text, ',');

type Json = { [key: string]: unknown };
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

let document: Json | null = null;
/** Returns the JSON schema of an envelope. */
function schemaOfEnvelope(): Json {
  document ??= z.toJSONSchema(envelope, { io: 'output' }) as Json;
  return document;
}

/** Follows references, and leaves `null` out of a choice. */
function resolve(schema: unknown): Json {
  if (!isJson(schema)) return {};
  if (typeof schema.$ref === 'string')
    return resolve((schemaOfEnvelope().$defs as Json)[schema.$ref.split('/').at(-1)!]);
  if (!Array.isArray(schema.anyOf)) return schema;
  const choices = schema.anyOf.filter((choice) => isJson(choice) && choice.type !== 'null');
  return choices.length === 1 ? resolve(choices[0]) : {};
}

/** Returns the schema of a field. Empty if the field may have any type. @throws {ConditionError} if there is no such field */
function fieldSchema(path: readonly string[]): Json {
  let schema = resolve(schemaOfEnvelope());
  for (const name of path) {
    if (schema.type === undefined) return {};
    const { properties, additionalProperties } = schema;
    const known = isJson(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined && (schema.type !== 'object' || additionalProperties === false))
      throw new ConditionError(`events have no field ${path.join('.').slice(0, SHOWN_CHARACTERS)}`);
    schema = resolve(known ?? additionalProperties);
  }
  return schema;
}

const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;

/** Reads a value for a field with this schema. @throws {ConditionError} */
function readValue(text: string, field: string, { type, enum: choices }: Json): Scalar {
  const wrong = (what: string) => new ConditionError(`${field} is ${what}, not ${text.slice(0, SHOWN_CHARACTERS)}`);
  if (text === '') throw new ConditionError(`a value for ${field} is missing`);
  if (type === 'integer' || type === 'number' || (type === undefined && NUMBER.test(text))) {
    if (!NUMBER.test(text)) throw wrong('a number');
    return Number(text);
  }
  if (type === 'boolean' || (type === undefined && (text === 'true' || text === 'false'))) {
    if (text !== 'true' && text !== 'false') throw wrong('true or false');
    return text === 'true';
  }
  const value = readText(text);
  if (Array.isArray(choices) && !choices.includes(value)) throw wrong(`one of ${choices.join(', ')}`);
  return value;
}

function readText(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return z.string().parse(JSON.parse(text));
  } catch {
    throw new ConditionError(`${text.slice(0, SHOWN_CHARACTERS)} is not a text in quotation marks`);
  }
}

/** @throws {ConditionError} */
function parseCondition(text: string): Condition {
  const shown = text.slice(0, SHOWN_CHARACTERS);
  if (text.length > MAX_CONDITION_CHARACTERS)
    throw new ConditionError(`${shown}… has more than ${MAX_CONDITION_CHARACTERS} characters`);
  const { field, compared, value, list, exists } = FORM.exec(text.trim())?.groups ?? {};
  if (field === undefined)
    throw new ConditionError(`${shown || 'an empty text'} is not a field with =, in, >=, <= or exists`);
  const path = field.split('.');
  if (path.length > MAX_DEPTH) throw new ConditionError(`${shown} has more than ${MAX_DEPTH} names`);
  const schema = fieldSchema(path);
  if (exists !== undefined) return { path, operator: 'exists', values: [] };
  if (schema.type === 'object' || schema.type === 'array')
    throw new ConditionError(`${field} has no single value: use exists, or a field within it`);
  const texts = list === undefined ? [value!.trim()] : split(list, '|');
  if (texts.length > MAX_VALUES) throw new ConditionError(`${shown} has more than ${MAX_VALUES} values`);
  const values = texts.map((one) => readValue(one, field, schema));
  const operator = list === undefined ? (compared as '=' | '>=' | '<=') : 'in';
  if ((operator === '>=' || operator === '<=') && typeof values[0] !== 'number')
    throw new ConditionError(`${field} is not a number, so ${operator} cannot compare it`);
  return { path, operator, values };
}

/** @throws {ConditionError} if there are too many, or if one cannot be used */
export function parseConditions(texts: readonly string[]): Condition[] {
  if (texts.length > MAX_CONDITIONS) throw new ConditionError(`there are more than ${MAX_CONDITIONS} conditions`);
  return texts.map(parseCondition);
}

const writeValue = (value: Scalar): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

/** Returns a condition in a form that is equal for equal conditions, however they were written. */
export const writeCondition = ({ path, operator, values }: Condition): string =>
  [path.join('.'), operator, values.map(writeValue).join(' | ')].filter((part) => part !== '').join(' ');

/** The latest parsed event, because many filters are applied to an event one after the other. */
let latest: { record: object; content: unknown } | null = null;

function contentOf(record: Pick<LogRecord, 'envelope'>): unknown {
  if (latest?.record !== record) latest = { record, content: JSON.parse(record.envelope) };
  return latest.content;
}

function holds({ path, operator, values }: Condition, content: unknown): boolean {
  let value: unknown = content;
  for (const name of path) value = isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined && value !== null;
    case '>=':
      return typeof value === 'number' && value >= (values[0] as number);
    case '<=':
      return typeof value === 'number' && value <= (values[0] as number);
    default:
      return values.includes(value as Scalar);
  }
}

/** Returns whether an event meets all conditions. */
export function meetsConditions(conditions: readonly Condition[], record: Pick<LogRecord, 'envelope'>): boolean {
  if (conditions.length === 0) return true;
  const content = contentOf(record);
  return conditions.every((condition) => holds(condition, content));
}
