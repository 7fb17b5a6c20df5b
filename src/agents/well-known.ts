/** Files at well-known addresses. Programs read them to learn about the service before they use it. */
import { Problem, type RouteValue } from '../http/index.ts';
import { DAY_MS } from '../wire/time.ts';
import { type AgentDeps, route } from './deps.ts';
import { llmsText } from './llms-text.ts';

const MAX_AGE_SECONDS = 3_600;
/**
 * RFC 9116 advises less than a year. The date is computed for each request, so the file never expires while the service
 * runs.
 */
const EXPIRES_AFTER_DAYS = 180;

const file = {
  method: 'GET',
  tag: 'Service',
  access: 'public',
  cost: 0,
  cache: { maxAge: MAX_AGE_SECONDS },
  undocumented: true,
} as const;
const TEXT = { contentType: 'text/plain; charset=utf-8' };

const llms = route({
  ...file,
  path: '/llms.txt',
  summary: 'What the service is, and where its documents are, for a model',
  response: { contentType: 'text/markdown; charset=utf-8' },
  handler: ({ baseUrl }) => ({ body: llmsText(baseUrl) }),
});

const LINKSET = 'application/linkset+json';
/** Defined by RFC 9727. */
const API_CATALOG = 'https://www.rfc-editor.org/info/rfc9727';

const apiCatalog = route({
  ...file,
  path: '/.well-known/api-catalog',
  summary: 'The addresses of the APIs and of their descriptions (RFC 9727)',
  response: { contentType: `${LINKSET}; profile="${API_CATALOG}"` },
  handler: ({ baseUrl }) => {
    const at = (path: string, type: string) => ({ href: `${baseUrl}${path}`, type });
    const docs = [at('/docs', 'text/html'), at('/llms.txt', 'text/markdown')];
    return {
      headers: { Link: `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"; type="${LINKSET}"` },
      body: {
        linkset: [
          {
            anchor: `${baseUrl}/.well-known/api-catalog`,
            item: [{ href: `${baseUrl}/v1` }, { href: `${baseUrl}/mcp` }],
          },
          {
            anchor: `${baseUrl}/v1`,
            'service-desc': [at('/v1/openapi.json', 'application/json')],
            'service-doc': docs,
          },
          {
            anchor: `${baseUrl}/mcp`,
            'service-doc': docs,
            'service-meta': [at('/.well-known/oauth-protected-resource/mcp', 'application/json')],
          },
        ],
      },
    };
  },
});

const securityText = route({
  ...file,
  path: '/.well-known/security.txt',
  summary: 'Contacts for reports of weaknesses (RFC 9116)',
  response: TEXT,
  errors: ['not_found'],
  handler: ({ baseUrl }, { config, clock }) => {
    const { securityContact } = config;
    if (securityContact === undefined) throw new Problem('not_found', 'This installation names no contact.');
    const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    const expires = new Date(today + EXPIRES_AFTER_DAYS * DAY_MS).toISOString();
    const lines = [
      ...securityContact.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires}`,
      `Canonical: ${baseUrl}/.well-known/security.txt`,
    ];
    return { body: `${lines.join('\n')}\n` };
  },
});

/** Defined by RFC 9728. */
export const MCP_METADATA = '/.well-known/oauth-protected-resource/mcp';

/**
 * Describes how requests are authorized. A key is a bearer token that an account creates, so no authorization server is
 * named, and a client asks the user for a key.
 */
const protectedResource = (path: string, resourcePath: string, more: object = {}) =>
  route({
    ...file,
    path,
    summary: 'How a request to the Model Context Protocol is authorized (RFC 9728)',
    response: { contentType: 'application/json' },
    handler: ({ baseUrl }) => ({
      body: {
        resource: `${baseUrl}${resourcePath}`,
        resource_name: 'Touchline sports data',
        ...more,
        resource_documentation: `${baseUrl}/docs/guides/agents`,
      },
    }),
  });

export const wellKnown: RouteValue<AgentDeps>[] = [
  llms,
  apiCatalog,
  securityText,
  protectedResource(MCP_METADATA, '/mcp', { bearer_methods_supported: ['header'] }),
  // No bearer method is listed, because REST takes keys in a header of its own.
  protectedResource('/.well-known/oauth-protected-resource', ''),
];
