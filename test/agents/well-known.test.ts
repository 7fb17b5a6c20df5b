/** Tests the files that agents and other programs read before they use the service. */
import assert from 'node:assert/strict';
import { readRoleConfig } from '../../src/main.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type AgentService, PLANS, startAgentService } from './agent-service.ts';

const DAY_MS = 86_400_000;

describe('files at well-known addresses', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let service: AgentService;
  before(async () => {
    db = await createTestDatabase();
    service = await startAgentService(db);
  });
  after(async () => {
    await service?.stop();
    await db?.drop();
  });

  it('describe the service', async () => {
    const llms = await fetch(`${service.url}/llms.txt`);
    assert.match(llms.headers.get('content-type')!, /^text\/markdown/);
    const text = await llms.text();
    assert.match(text, /^# Touchline\n\n> /);
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link]) => link!);
    assert.ok(links.length > 5);
    const catalog = await fetch(`${service.url}/.well-known/api-catalog`, { method: 'HEAD' });
    assert.equal(
      catalog.headers.get('content-type'),
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    assert.equal(
      catalog.headers.get('link'),
      `<${service.url}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
    );
    const { linkset } = (await (await fetch(`${service.url}/.well-known/api-catalog`)).json()) as {
      linkset: Record<string, unknown>[];
    };
    const hrefs = [...JSON.stringify(linkset).matchAll(/"href":"([^"]+)"/g)].map(([, href]) => href!);
    assert.ok(hrefs.includes(`${service.url}/v1/openapi.json`));
    for (const link of new Set([...links, ...hrefs])) {
      // These two links lead to the API and the protocol, not to documents.
      if (link === `${service.url}/v1` || link === `${service.url}/mcp`) continue;
      assert.equal((await fetch(link)).status, 200, link);
    }
  });

  it('name a contact for vulnerability reports only if one is configured', async () => {
    const path = '/.well-known/security.txt';
    assert.equal((await fetch(service.url + path)).status, 404);
    await service.stop();
    service = await startAgentService(db, {
      SECURITY_CONTACT: 'mailto:security@example.com, https://example.com/report',
    });
    const answer = await fetch(service.url + path);
    assert.match(answer.headers.get('content-type')!, /^text\/plain; charset=utf-8/);
    const lines = (await answer.text()).trimEnd().split('\n');
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('Expires')),
      [
        'Contact: mailto:security@example.com',
        'Contact: https://example.com/report',
        `Canonical: ${service.url}${path}`,
      ],
    );
    const expires = Date.parse(lines.find((line) => line.startsWith('Expires: '))!.slice('Expires: '.length));
    assert.ok(expires > service.clock.now() + 30 * DAY_MS && expires < service.clock.now() + 365 * DAY_MS);
    for (const contact of ['security@example.com', 'mailto:x', 'https://a\nExpires: never', ','])
      await assert.rejects(readRoleConfig({ SECURITY_CONTACT: contact, PLANS }, 'all'), /SECURITY_CONTACT/);
  });
});
