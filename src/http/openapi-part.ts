/** Cuts the operations with certain tags out of the OpenAPI document, with the components that they use. */
import { invalidParameter } from './errors.ts';
import type { Json, JsonObject, OpenApiDocument } from './openapi-schemas.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tagsIn = (operation: Json): string[] => (isObject(operation) ? (operation.tags as string[]) : []);

/** Leaves out each operation that `isWanted` refuses, and each path that has no operation left. */
function selectOperations(items: JsonObject, isWanted: (operation: Json) => boolean): JsonObject {
  const kept = Object.entries(items).map(([path, item]): [string, [string, Json][]] => [
    path,
    Object.entries(item as JsonObject).filter(([, operation]) => isWanted(operation)),
  ]);
  return Object.fromEntries(
    kept.flatMap(([path, item]) => (item.length > 0 ? [[path, Object.fromEntries(item)]] : [])),
  );
}

/** Adds the components to which a value refers, and those to which they refer, as `section/name`. */
function collectReferences(value: Json, components: JsonObject, found: Set<string>): void {
  for (const [, section = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
    const key = `${section}/${name}`;
    if (found.has(key)) continue;
    found.add(key);
    collectReferences((components[section] as JsonObject)[name]!, components, found);
  }
}

/** Adds the names of the security schemes that the operations accept. */
function collectSecurity(items: JsonObject, found: Set<string>): void {
  for (const item of Object.values(items))
    for (const operation of Object.values(item as JsonObject))
      for (const scheme of (operation as JsonObject).security as JsonObject[])
        for (const name of Object.keys(scheme)) found.add(`securitySchemes/${name}`);
}

/**
 * @param tags names of tags, in upper or lower case
 * @throws {Problem} invalid_parameter if no operation has a tag with one of the names
 */
export function documentPart(document: OpenApiDocument, tags: readonly string[]): OpenApiDocument {
  const { paths, webhooks = {}, components, ...rest } = document;
  const all = [paths, webhooks as JsonObject].flatMap((items) =>
    Object.values(items).flatMap((item) => Object.values(item as JsonObject).flatMap(tagsIn)),
  );
  const known = new Map(all.map((tag) => [tag.toLowerCase(), tag]));
  if (!tags.every((tag) => known.has(tag.toLowerCase())))
    throw invalidParameter('tags', 'unknown_value', `must be of ${[...known.values()].sort().join(', ')}`);
  const wanted = new Set(tags.map((tag) => known.get(tag.toLowerCase())!));
  const isWanted = (operation: Json) => tagsIn(operation).some((tag) => wanted.has(tag));
  const keptPaths = selectOperations(paths, isWanted);
  const keptWebhooks = selectOperations(webhooks as JsonObject, isWanted);
  const used = new Set<string>();
  collectReferences([keptPaths, keptWebhooks], components, used);
  collectSecurity(keptPaths, used);
  const sections = Object.entries(components).map(([section, entries]): [string, JsonObject] => [
    section,
    Object.fromEntries(Object.entries(entries as JsonObject).filter(([name]) => used.has(`${section}/${name}`))),
  ]);
  return {
    ...rest,
    paths: keptPaths,
    ...(Object.keys(keptWebhooks).length > 0 && { webhooks: keptWebhooks }),
    components: Object.fromEntries(sections),
  };
}
