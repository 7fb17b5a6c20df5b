/** The text of /llms.txt, a short guide to the service for models, in Markdown. */
export const llmsText = (baseUrl: string): string => `# Touchline

> Sports data: matches, live scores, teams, players, tournaments, standings, and statistics and models computed from history, over REST, \
streams, webhooks and the Model Context Protocol.

Every request for data needs an API key in the header \`X-API-Key\`. People get one at ${baseUrl}/account. \
A match is called an event in paths. Times are UTC. Errors are \`application/problem+json\` with a stable \`code\`.

## API

- [OpenAPI document](${baseUrl}/v1/openapi.json): every route with its parameters, replies and errors
- [Reference](${baseUrl}/docs): the same for people
- [Model Context Protocol](${baseUrl}/mcp): the routes that read data as tools; the key is sent as \
\`Authorization: Bearer\` or in \`X-API-Key\`
- [API catalogue](${baseUrl}/.well-known/api-catalog): these addresses for programs

## Guides

- [Quick start](${baseUrl}/docs/guides/quick-start): from a key to the first request
- [Streaming](${baseUrl}/docs/guides/streaming): live events over SSE and WebSocket
- [Webhooks](${baseUrl}/docs/guides/webhooks): signed events by HTTP
- [Agents](${baseUrl}/docs/guides/agents): the tools, their arguments and results
- [Limits and plans](${baseUrl}/docs/guides/limits): what a key may ask, and the headers that say so

## Optional

- [Leagues](${baseUrl}/docs/leagues.html): which tournaments have which data
- [Models](${baseUrl}/docs/models): the models and their measured scores
`;
