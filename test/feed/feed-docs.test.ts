import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readConfig } from '../../src/config/config.ts';
import { precedenceVariables } from '../../src/identity/config.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { STATUS_DETAILS } from '../../src/wire/match.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { type FeedApp, startFeedApp } from '../support/feed-app.ts';
import { FEED_TOKEN } from '../support/http.ts';

const TEXT = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');

interface Fence {
  info: string;
  code: string;
}
const fences = [...TEXT.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(
  ([, info, code]): Fence => ({ info: info!, code: code! }),
);
const fenced = (info: string) => fences.filter((fence) => fence.info === info).map(({ code }) => code);

/** Returns the names of a schema's fields at any depth. Records and open objects have none. */
function fieldsOf(schema: z.core.JSONSchema._JSONSchema, names = new Set<string>()): Set<string> {
  if (typeof schema !== 'object') return names;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    names.add(name);
    fieldsOf(member, names);
  }
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...Object.values(schema.$defs ?? {})];
  for (const part of parts.flat()) if (part !== undefined) fieldsOf(part as z.core.JSONSchema._JSONSchema, names);
  return names;
}

describe('the feed documentation', () => {
  it('has only examples that are valid updates', () => {
    const examples = fenced('json');
    assert.ok(examples.length >= 5);
    for (const example of examples) {
      const parsed = feedUpdate.safeParse(JSON.parse(example));
      assert.ok(parsed.success, `${parsed.error && z.prettifyError(parsed.error)}\n${example}`);
    }
    const kinds = examples.map((example) => JSON.parse(example).kind);
    assert.deepEqual(new Set(kinds), new Set(['match', 'participant', 'tournament', 'venue']));
    for (const reply of fenced('json reply')) JSON.parse(reply);
  });

  it('has a valid example configuration', () => {
    const [example] = fenced('yaml');
    assert.equal(readConfig({ PRECEDENCE: example }, precedenceVariables).precedence.isLive('acme'), true);
  });

  it('names every schema field and every status', () => {
    const schema = z.toJSONSchema(feedUpdate, { io: 'input', unrepresentable: 'any' });
    const words = new Set(TEXT.match(/\w+/g));
    const missing = [...fieldsOf(schema), ...Object.keys(STATUS_DETAILS)].filter((name) => !words.has(name));
    assert.deepEqual(missing, []);
    assert.ok(fieldsOf(schema).size > 100);
  });

  it('has only links that lead to an existing heading', () => {
    const anchors = [...TEXT.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, anchor] of TEXT.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(anchors.includes(anchor!), anchor);
  });

  describe('commands', () => {
    let bench: FeedBench;
    let service: FeedApp;
    before(async () => {
      bench = await openFeedBench();
      bench.now = Date.parse('2024-05-19T14:00:00Z');
      service = await startFeedApp(bench);
    });
    after(async () => {
      await service.close();
      await bench.db.drop();
    });

    it('work as they are written', async () => {
      const answers: object[] = [];
      for (const command of fenced('sh')) {
        const env = { ...process.env, BASE: service.app.url, FEED_TOKEN };
        const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
        answers.push(JSON.parse(stdout));
      }
      const { rows } = await bench.db.pool.query('SELECT id FROM match');
      assert.deepEqual(answers, [
        { accepted: 1, unchanged: 0, rejected: [] },
        { accepted: 2, unchanged: 0, rejected: [] },
        { match_id: rows[0].id },
      ]);
    });

    it('accept the examples in sequence', async () => {
      bench.now = Date.parse('2024-05-19T16:00:00Z');
      for (const example of fenced('json')) {
        const { status, json } = await service.post(example, { 'Content-Type': 'application/json' });
        assert.deepEqual([status, json], [200, { accepted: 1, unchanged: 0, rejected: [] }], example);
      }
    });
  });
});
