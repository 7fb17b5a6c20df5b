/**
 * Tests that replies for a model are cut and shortened. Whatever the reply, the result is within its limit and is valid
 * JSON.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shortForm } from '../../src/agents/omitted-members.ts';
import { fit } from '../../src/agents/reply-length.ts';

describe('replies for a model', () => {
  it('stay within the length limit, whatever they contain', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(json, fc.integer({ min: 2, max: 300 }), (given, most) => {
        const copy = JSON.stringify(given);
        const { value, cuts } = fit(given, most);
        const text = JSON.stringify(value);
        assert.ok(text.length <= most, text);
        // If nothing is cut, the value is unchanged. If something is cut, the cuts say so.
        assert.equal(cuts.length === 0, text === copy);
        assert.equal(JSON.stringify(given), copy);
      }),
    );
  });

  it('keep some items of each list if several lists are long', () => {
    const items = () => Array.from({ length: 100 }, (_, index) => ({ id: index, text: 'x'.repeat(20) }));
    const { value, cuts } = fit({ lineups: items(), incidents: items(), referee: 'M. Dravic' }, 2_000);
    const { lineups, incidents, referee } = value as { lineups: object[]; incidents: object[]; referee: string };
    assert.ok(lineups.length >= 10 && incidents.length >= 10);
    assert.equal(referee, 'M. Dravic');
    assert.deepEqual(cuts, [
      `\`lineups\` is cut to ${lineups.length} of 100 items.`,
      `\`incidents\` is cut to ${incidents.length} of 100 items.`,
    ]);
  });

  it('keep incidents, line-ups and statistics complete, and shorten momentum, commentary and the rest first', () => {
    const items = (count: number, chars: number) =>
      Array.from({ length: count }, (_, minute) => ({ minute, text: 'x'.repeat(chars) }));
    const card = {
      commentary: items(40, 100),
      incidents: items(48, 130),
      lineups: items(40, 90),
      momentum: { graphPoints: items(120, 1) },
      odds: items(20, 60),
      player_stats: items(30, 200),
      shotmap: items(35, 100),
      statistics: items(30, 60),
      referee: 'M. Dravic',
    };
    const whole = (value: unknown) =>
      Object.entries(card).flatMap(([name, given]) =>
        JSON.stringify((value as Record<string, unknown>)[name]) === JSON.stringify(given) ? [name] : [],
      );
    const short = fit(card, 16_000);
    assert.deepEqual(whole(short.value), ['incidents', 'lineups', 'statistics', 'referee']);
    assert.ok(short.members.includes('momentum') && !short.members.includes('incidents'));
    // The next list to be cut is the longest one of those that matter less.
    const shorter = fit(card, 14_000);
    assert.deepEqual(whole(shorter.value), ['incidents', 'lineups', 'referee']);
    const { momentum, statistics } = shorter.value as { momentum: { graphPoints: object[] }; statistics: object[] };
    assert.ok(momentum.graphPoints.length === 1 && statistics.length >= 10);
  });

  it('leave out empty values, pictures and second languages, but not the lists that were requested', () => {
    const reply = {
      events: [],
      total: 0,
      next_after: null,
      club: {
        id: 3,
        name_i18n: { en: 'Ajax', ru: 'Аякс' },
        image_url: '/v1/participant/3/image',
        aliases: [],
        extra: {},
      },
      name: 'Final',
      name_i18n: { en: 'Final', ru: 'Финал' },
      top: false,
      minutes: 0,
    };
    assert.deepEqual(shortForm(reply), {
      events: [],
      total: 0,
      club: { id: 3, name: 'Ajax' },
      name: 'Final',
      top: false,
      minutes: 0,
    });
  });
});
