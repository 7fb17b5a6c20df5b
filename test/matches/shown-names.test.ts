/** Tests the names that cards, sync and the match page show for linked players. */
import assert from 'node:assert/strict';
import { linkPlayers } from '../../src/apply/player-links/link-players.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { shownCard } from '../support/shown-card.ts';

type Lineups = NonNullable<MatchFields['lineups']>;

describe('linked players’ names', () => {
  let bench: FeedBench;
  beforeEach(async () => {
    bench = await openFeedBench();
  });
  afterEach(() => bench.db.drop());

  const person = async (name: string, birth_date: string) => {
    await bench.feed({
      schema: 1,
      kind: 'participant',
      provider: 'people',
      observed_at: '2024-01-01T00:00:00Z',
      participant: { type: 'player', sport: 'football', name, birth_date },
    });
  };
  const starts = (side: 'home' | 'away', name: string): Lineups[number] => ({
    side,
    player: { name },
    is_substitute: false,
  });
  /** Returns the texts in a card, after checking that all readers get the same ones. */
  const shown = async (fields: MatchFields) => {
    bench.nextMatch();
    const id = await bench.accept(fields);
    await linkPlayers(bench.deps);
    return { id, card: await shownCard(bench, id) };
  };

  it('are full in every field in every block, while the stored blocks keep the source’s spelling', async () => {
    await person('Alexander Isak', '1999-09-21');
    await person('Anthony "Flash" Gordon', '2001-02-24');
    const fields: MatchFields = {
      lineups: [starts('home', 'Isak A.'), starts('home', 'Gordon A.'), starts('home', 'A. Nobody')],
      incidents: [
        { kind: 'goal', side: 'home', minute: 3, player: { name: 'Isak A.' }, assist: { name: 'Gordon A.' }, payload: { goal_type: 'regular', note: 'as Isak A.' } },
        { kind: 'subst', side: 'home', minute: 70, payload: { player_in: 'Gordon A.', player_out: 'Isak A.' } },
      ],
    }; // biome-ignore format: a table
    const { id, card } = await shown(fields);
    assert.deepEqual(
      card.lineups!.map(({ player_name }) => player_name),
      ['Alexander Isak', 'Anthony "Flash" Gordon', 'A. Nobody'],
    );
    const [goal, change] = card.incidents!;
    assert.deepEqual([goal!.player_name, goal!.assist_name], ['Alexander Isak', 'Anthony "Flash" Gordon']);
    assert.equal(goal!.payload.note, 'as Isak A.');
    assert.deepEqual(
      [change!.payload.player_in, change!.payload.player_out],
      ['Anthony "Flash" Gordon', 'Alexander Isak'],
    );
    const stored = await bench.db.pool.query("SELECT json FROM match_block WHERE match_id = $1 AND block = 'lineups'", [
      id,
    ]);
    assert.match(stored.rows[0].json, /"Isak A\."/);
    await bench.events();
    const [again] = await bench.feed(bench.update(fields));
    assert.equal(again!.outcome, 'unchanged');
    assert.deepEqual(await bench.events(), []);
  });

  it('stay as the source writes them if a name fits two players in the match, or is already full', async () => {
    await person('Jacob Murphy', '1995-02-24');
    await person('Salomón Rondón', '1989-09-16');
    const { card } = await shown({
      lineups: [starts('home', 'Murphy J.'), starts('away', 'Murphy J.'), starts('away', 'Salomon Rondon')],
    });
    assert.deepEqual(
      card.lineups!.map(({ player_name }) => player_name),
      ['Murphy J.', 'Murphy J.', 'Salomon Rondon'],
    );
  });
});
