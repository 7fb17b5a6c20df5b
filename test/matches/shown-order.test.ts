/** Tests the order in which cards, sync and the match page show line-ups and shoot-out kicks. */
import assert from 'node:assert/strict';
import type { Blocks, Incident } from '../../src/wire/match.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { shownCard } from '../support/shown-card.ts';

type Side = 'home' | 'away';
type Lineups = NonNullable<MatchFields['lineups']>;
type Shown = Required<Pick<Blocks, 'incidents' | 'lineups'>>;

describe('the order in blocks', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  /** Returns the card, after checking that all readers get the same one. */
  const shown = async (fields: MatchFields): Promise<Shown> => {
    bench.nextMatch();
    return (await shownCard(bench, await bench.accept(fields))) as unknown as Shown;
  };

  const man = (side: Side, name: string, position?: string, shirt_number?: string, is_substitute = false) =>
    ({ side, player: { name }, position, shirt_number, is_substitute }) as Lineups[number];
  const namesOf = async (...lineups: Lineups) =>
    (await shown({ lineups })).lineups.map(({ player_name }) => player_name).join(' ');

  describe('for line-ups', () => {
    it('is by line and then shirt number, with substitutes last and the home side first', async () => {
      const names = await namesOf(
        man('away', 'a9', 'FW', '9'),
        man('home', 'h16', 'MF', '16', true),
        man('home', 'h12', 'GK', '12', true),
        man('home', 'h10', 'FW', '10'),
        man('home', 'h8', 'MF', '8'),
        man('home', 'h23', 'DF', '23'),
        man('home', 'h5', 'DF', '5'),
        man('home', 'h20', 'GK', '20'),
        man('away', 'a1', 'GK', '1'),
      );
      assert.equal(names, 'h20 h5 h23 h8 h10 h12 h16 a1 a9');
    });

    it('recognizes the sources’ position abbreviations and words', async () => {
      const positions = ['Forward', 'SS', 'LW', 'MD', 'Midfielder', 'RM', 'LWB', 'SW', 'D', 'Goalkeeper'];
      const names = await namesOf(...positions.map((position) => man('home', position, position)));
      assert.equal(names, 'Goalkeeper LWB SW D MD Midfielder RM Forward SS LW');
    });

    it('follows the source if a position is missing or unknown, except that sides and substitutes are separated', async () => {
      const names = await namesOf(
        man('home', 'left', undefined, '11'),
        man('home', 'back', 'DF', '2'),
        man('home', 'bench', 'GK', '12', true),
        man('home', 'keeper', 'GK', '1'),
        man('away', 'centre', 'C', '15'),
        man('away', 'guard', 'G', '7'),
      );
      assert.equal(names, 'left back keeper bench centre guard');
      assert.equal(await namesOf(man('away', 'x', undefined, '9'), man('home', 'y', undefined, '1')), 'x y');
    });

    it('does not change if an update is repeated, or if an earlier release stored line-ups in the source’s order', async () => {
      const lineups = [
        man('away', 'a', 'FW', '9'),
        man('home', 'bench', 'DF', '14', true),
        man('home', 'ten', 'FW', '10'),
        man('home', 'nine', 'FW', '9'),
        man('home', 'none', 'FW'),
        man('home', 'keeper', 'GK', '1'),
      ];
      bench.nextMatch();
      const id = await bench.accept({ lineups });
      assert.equal((await bench.feed(bench.update({ lineups })))[0]!.outcome, 'unchanged');
      const names = async () => (await bench.card(id)).lineups!.map(({ player_name }) => player_name).join(' ');
      const now = await names();
      assert.equal(now, 'keeper nine ten none bench a');
      await bench.db.pool.query(
        `UPDATE match_block SET source = NULL, json = (SELECT json_agg(e.entry ORDER BY e.nth DESC)::text
           FROM json_array_elements(json::json) WITH ORDINALITY e (entry, nth)) WHERE match_id = $1 AND block = 'lineups'`,
        [id],
      );
      assert.equal(await names(), now);
    });
  });

  describe('for shoot-out kicks', () => {
    type Kick = NonNullable<MatchFields['incidents']>[number];
    /** @param kick side, whether it was scored, and order, such as `h+1` */
    const kick = (kick: string, index: number): Kick => ({
      id: `${index}`,
      minute: null,
      minute_plus: null,
      period: 'PEN',
      kind: 'penalty_shootout',
      side: kick[0] === 'h' ? 'home' : 'away',
      player: { name: kick },
      payload: { scored: kick[1] === '+', ...(kick[2] && { order: Number(kick.slice(2)) }) },
    });
    const text = (incidents: Incident[]) =>
      incidents.map(({ kind, player_name }) => (kind === 'penalty_shootout' ? player_name : kind)).join(' ');
    const taken = async (kicks: string) => text((await shown({ incidents: kicks.split(' ').map(kick) })).incidents);

    it('follows the kick numbers if they count both sides’ kicks together', async () => {
      assert.equal(await taken('h+1 h-3 a+2 a+4'), 'h+1 a+2 h-3 a+4');
    });

    it('alternates if the numbers count each side’s kicks separately, and begins with the side that has more kicks', async () => {
      assert.equal(
        await taken('h+1 h+2 h+3 h+4 a+1 a+2 a+3 a-4 a-5'),
        'a+1 h+1 a+2 h+2 a+3 h+3 a-4 h+4 a-5',
        '1990, West Germany against England',
      );
    });

    it('begins with the side for which the result stays open until the last kick', async () => {
      const final = 'h+1 a+1 h+2 a-2 h+3 a-3 h+4 a+4';
      assert.equal(await taken(final), 'a+1 h+1 a-2 h+2 a-3 h+3 a+4 h+4', '2022, Argentina against France');
      assert.equal(
        await taken('h-1 a-1 h+2 a+2 h+3 a+3 h-4 a-4 h-5 a+5'),
        'h-1 a-1 h+2 a+2 h+3 a+3 h-4 a-4 h-5 a+5',
        'both can have begun',
      );
    });

    it('follows the source for kicks without a number', async () => {
      assert.equal(await taken('h+ h+ a- a+'), 'h+ h+ a- a+');
      assert.equal(await taken('h+2 a+ a-1'), 'h+2 a+ a-1');
    });

    it('leaves the rest of the incidents in place', async () => {
      const card = { ...kick('a', 9), kind: 'card', payload: { card_type: 'yellow' } } as Kick;
      const incidents = [card, kick('a+2', 1), kick('h+1', 2), card, kick('h+3', 3)].map((one, index) => ({
        ...one,
        id: `i${index}`,
      }));
      assert.equal(text((await shown({ incidents })).incidents), 'card h+1 a+2 card h+3');
    });
  });
});
