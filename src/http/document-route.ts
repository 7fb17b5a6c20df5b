/** A route for a JSON document about the service. Replies differ only in the service's address that they contain. */
import type { JsonObject } from './openapi-schemas.ts';
import type { RouteValue } from './route.ts';
import { type StaticFile, staticFile } from './static-file.ts';

const MAX_AGE_SECONDS = 3_600;
const MAX_CACHED_DOCUMENTS = 10;

/** @param write called when a client first requests the document at an address */
export function documentRoute(
  path: string,
  summary: string,
  write: (baseUrl: string) => JsonObject | Promise<JsonObject>,
): RouteValue<unknown> {
  const documents = new Map<string, StaticFile>();
  return {
    method: 'GET',
    path,
    summary,
    tag: 'Service',
    access: 'public',
    cost: 0,
    cache: { maxAge: MAX_AGE_SECONDS },
    response: { contentType: 'application/json; charset=utf-8' },
    handler: ({ baseUrl }) => {
      let document = documents.get(baseUrl);
      if (document === undefined) {
        document = staticFile(async () => Buffer.from(JSON.stringify(await write(baseUrl))));
        if (documents.size >= MAX_CACHED_DOCUMENTS) documents.clear();
        documents.set(baseUrl, document);
      }
      return document();
    },
  };
}
