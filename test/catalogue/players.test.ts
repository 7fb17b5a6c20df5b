import assert from 'node:assert/strict';
import { linkPlayers } from '../../src/apply/player-links/link-players.ts';
import type { ParticipantDetail } from '../../src/catalogue/queries.ts';
import { routes } from '../../src/catalogue/routes.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from './feeding.ts';

type Incident = NonNullable<MatchUpdateInput['match']['incidents']>[number];
interface Listed {
  total: number;
  events: { id: number; result: string | null; player?: Record<string, unknown> }[];
}

const KICKER = { name: 'Karl Kicker', birth_date: '2000-01-01' };
const BENCH = { name: 'Ben Bench', birth_date: '2001-01-01' };

describe('a player over REST', () => {
  let fed: Fed;
  let serial = 0;
  before(async () => {
    fed = await startFed(routes);
  });
  after(() => fed.close());

  const match = (over: Partial<MatchUpdateInput['match']>): MatchUpdateInput['match'] => ({
    id: `p${++serial}`,
    sport: 'football',
    tournament: { name: 'League', country: 'GB-ENG' },
    season: { label: '2023/24' },
    home: { name: 'Rowan', country: 'GB-ENG' },
    away: { name: 'Cedar', country: 'GB-ENG' },
    scheduled_start: `2023-${String(serial).padStart(2, '0')}-01T15:00:00Z`,
    status: 'finished',
    status_detail: 'ended',
    score: { home: 1, away: 0 },
    ...over,
  });
  const incident = (
    kind: string,
    player: Incident['player'],
    minute: number,
    payload: object = {},
    over: object = {},
  ): Incident => ({
    kind,
    side: 'home',
    player,
    minute,
    period: minute > 45 ? '2H' : '1H',
    payload: { ...payload },
    ...over,
  });
  const ask = async <T>(path: string) => {
    const { status, json } = await fed.app.ask<T>(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
    return json;
  };
  const part = {
    side: 'home',
    appeared: true,
    started: true,
    minutes: 90,
    goals: 0,
    penalties: 0,
    own_goals: 0,
    assists: 0,
    yellow_cards: 0,
    red_cards: 0,
  };

  it("shows the player's contributions in each match", async () => {
    const starts = (player: typeof KICKER, is_substitute = false) => ({ side: 'home' as const, player, is_substitute });
    await fed.matches(
      match({
        lineups: [starts(KICKER), starts(BENCH, true)],
        incidents: [
          incident('goal', KICKER, 10, { goal_type: 'penalty' }),
          incident('card', KICKER, 20, { card_type: 'yellow' }),
          incident('subst', BENCH, 60, { player_in: 'Ben Bench', player_out: 'Karl Kicker' }),
          incident('goal', KICKER, 70, { goal_type: 'own_goal' }, { side: 'away' }),
        ],
      }),
      match({ lineups: [starts(KICKER)], incidents: [incident('card', KICKER, 30, { card_type: 'second_yellow' })] }),
      // The match has extra time and a shoot-out. A kick in the shoot-out does not count as a goal.
      match({
        status_detail: 'after_penalties',
        lineups: [starts(KICKER)],
        incidents: [
          incident('penalty_shootout', KICKER, 120, { scored: true }),
          incident('card', { name: 'Otto Other' }, 100, { card_type: 'yellow' }),
        ],
      }),
      // Without a line-up, only the incidents say who played.
      match({ incidents: [incident('goal', KICKER, 5, { goal_type: 'regular' }, { assist: BENCH })] }),
      match({ lineups: [starts(BENCH, true)], incidents: [incident('card', BENCH, 50, { card_type: 'red' })] }),
    );
    const kicker = await fed.participantId('Karl Kicker');
    const { total, events } = await ask<Listed>(`/v1/participant/${kicker}/events`);
    assert.equal(total, 4);
    assert.deepEqual(
      events.map(({ player }) => player),
      [
        { ...part, started: null, minutes: null, goals: 1 },
        { ...part, minutes: 120 },
        { ...part, minutes: 30, red_cards: 1 },
        { ...part, minutes: 60, goals: 1, penalties: 1, own_goals: 1, yellow_cards: 1 },
      ],
    );
    const bench = await fed.participantId('Ben Bench');
    assert.deepEqual(
      (await ask<Listed>(`/v1/participant/${bench}/events`)).events.map(({ player }) => player),
      [
        { ...part, appeared: false, started: false, minutes: null, red_cards: 1 },
        { ...part, started: null, minutes: null, assists: 1 },
        { ...part, started: false, minutes: 30 },
      ],
    );
    const team = await fed.participantId('Rowan');
    assert.ok((await ask<Listed>(`/v1/participant/${team}/events`)).events.every((one) => !('player' in one)));
  });

  it('lists by season the clubs that the player played for, newest first, without national teams', async () => {
    const mover = { name: 'Max Mover', birth_date: '1999-01-01' };
    const lineups = [{ side: 'home' as const, player: mover, is_substitute: false }];
    const goal = incident('goal', mover, 10, { goal_type: 'regular' });
    const booked = incident('card', BENCH, 10, { card_type: 'yellow' });
    await fed.matches(
      match({
        scheduled_start: '2022-09-01T15:00:00Z',
        season: { label: '2022/23' },
        lineups,
        incidents: [goal, booked],
      }),
      match({
        scheduled_start: '2022-10-01T15:00:00Z',
        season: { label: '2022/23' },
        lineups,
        incidents: [],
        score: { home: 0, away: 1 },
      }),
      // No source says who scored.
      match({
        scheduled_start: '2023-09-01T15:00:00Z',
        home: { name: 'Larch', country: 'GB-ENG' },
        lineups,
        incidents: [booked],
        score: { home: 2, away: 0 },
      }),
      match({
        scheduled_start: '2023-10-01T15:00:00Z',
        home: { name: 'Wales', country: 'INT' },
        away: { name: 'Malta', country: 'INT' },
        tournament: { name: 'Friendlies', country: 'INT' },
        season: { label: '2023' },
        lineups,
      }),
    );
    const id = await fed.participantId('Max Mover');
    const { extra } = await ask<ParticipantDetail>(`/v1/participant/${id}`);
    const club = (
      season: string,
      team_id: number,
      team_name: string,
      matches: number | null,
      goals: number | null,
    ) => ({
      season,
      team_id,
      team_name,
      team_name_ru: null,
      matches,
      goals,
    });
    const [larch, rowan] = [await fed.participantId('Larch'), await fed.participantId('Rowan')];
    assert.deepEqual(extra.clubs, [club('2023/24', larch, 'Larch', 1, null), club('2022/23', rowan, 'Rowan', 2, 1)]);
    assert.ok(!('clubs' in (await ask<ParticipantDetail>(`/v1/participant/${rowan}`)).extra));
    // Without line-ups, nobody knows whether the player appeared. With starters only it is unknown too, since others may have come on.
    await fed.matches(
      match({
        scheduled_start: '2023-11-01T15:00:00Z',
        home: { name: 'Larch', country: 'GB-ENG' },
        lineups,
      }),
      match({
        scheduled_start: '2022-11-01T15:00:00Z',
        season: { label: '2022/23' },
        score: { home: 1, away: 0 },
        incidents: [incident('goal', { name: 'Other' }, 10, { goal_type: 'own' })],
      }),
    );
    const again = (await ask<ParticipantDetail>(`/v1/participant/${id}`)).extra.clubs;
    assert.deepEqual(again, [club('2023/24', larch, 'Larch', null, null), club('2022/23', rowan, 'Rowan', null, 1)]);
  });

  it('has an id for a club from a squad list if exactly one club in the country has that name', async () => {
    await fed.participants(
      { type: 'team', sport: 'football', name: 'Liverpool', country: 'GB-ENG' },
      { type: 'team', sport: 'football', name: 'Liverpool', country: 'UY' },
      { type: 'team', sport: 'football', name: 'Ajax', country: 'NL' },
      { type: 'team', sport: 'basketball', name: 'Porto', country: 'PT' },
    );
    const { rows } = await fed.db.pool.query<{ id: number; country: string }>(
      "SELECT id, country FROM participant WHERE name = 'Liverpool' ORDER BY id",
    );
    const clubId = async (extra: Record<string, unknown>) => {
      await fed.participants({ type: 'player', sport: 'football', name: 'Sam Squad', birth_date: '1999-02-01', extra });
      return (await ask<ParticipantDetail>(`/v1/participant/${await fed.participantId('Sam Squad')}`)).extra.club_id;
    };
    assert.equal(await clubId({ club: 'AFC Ajax' }), null);
    assert.equal(await clubId({ club: 'Ajax FC' }), await fed.participantId('Ajax'));
    assert.equal(await clubId({ club: 'Liverpool FC' }), null);
    for (const { id, country } of rows) assert.equal(await clubId({ club: 'Liverpool FC', club_country: country }), id);
    assert.equal(await clubId({ club: 'Liverpool FC', club_country: 'RU' }), null);
    assert.equal(await clubId({ club: 'Porto', club_country: 'PT' }), null);
    assert.equal(await clubId({ club: 7, club_country: null }), null);
  });

  it('is found everywhere by the id that a name had before it was linked to the player', async () => {
    await fed.matches(match({ incidents: [incident('goal', { name: 'Late P.' }, 10, { goal_type: 'regular' })] }));
    const deps = { pool: fed.db.pool, clock: { now: () => fed.now }, changes: { publish: () => undefined } };
    await linkPlayers(deps);
    const former = await fed.participantId('Late P.');
    assert.equal((await ask<Listed>(`/v1/participant/${former}/events`)).total, 1);
    await fed.participants({
      type: 'player',
      sport: 'football',
      name: 'Paul Late',
      birth_date: '1999-01-01',
      country: 'GB-ENG',
    });
    await linkPlayers(deps);
    const person = await fed.participantId('Paul Late');
    for (const id of [former, person]) {
      assert.equal((await ask<ParticipantDetail>(`/v1/participant/${id}`)).id, person);
      const { total, events } = await ask<Listed>(`/v1/participant/${id}/events`);
      assert.deepEqual([total, events[0]!.player!.goals], [1, 1]);
      assert.equal((await fed.app.ask(`/v1/participant/${id}/image`)).status, 200);
    }
    const { json } = await fed.app.ask<{ participants: { id: number }[] }>('/v1/participants/search?q=late');
    assert.deepEqual(
      json.participants.map(({ id }) => id),
      [person],
    );
  });
});
