/** Cutting and shortening replies for a model: whatever the reply, the result is within its bound and is JSON. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fit } from '../../src/agents/fit.ts';
import { shortForm } from '../../src/agents/short-form.ts';

describe('replies for a model', () => {
  it('are within the bound, whatever they contain', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(json, fc.integer({ min: 2, max: 300 }), (given, most) => {
        const copy = JSON.stringify(given);
        const { value, cuts } = fit(given, most);
        const text = JSON.stringify(value);
        assert.ok(text.length <= most, text);
        // What fits is unchanged, and what is cut is said.
        assert.equal(cuts.length === 0, text === copy);
        assert.equal(JSON.stringify(given), copy);
      }),
    );
  });

  it('of several long lists, each keeps some items', () => {
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

  it('leave out what is empty, pictures and second languages, but not the lists that were asked for', () => {
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
