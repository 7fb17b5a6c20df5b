/**
 * Compares the knock-out rounds of World Cups and Champions Leagues with their sources, which this test parses
 * independently.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type Bracket, seasonBracket } from '../../../src/competitions/bracket/season-bracket.ts';
import { findSeason } from '../../../src/competitions/queries.ts';
import { EntityCache } from '../../../src/identity/entities.ts';
import { fjelstul } from '../../../src/importers/fjelstul/fjelstul.ts';
import { footballTxt } from '../../../src/importers/football-txt/football-txt.ts';
import type { Importer } from '../../../src/importers/importer.ts';
import { BUILT_IN_NAMES, names } from '../../../src/importers/names/names.ts';
import { openfootballClubs } from '../../../src/importers/openfootball/clubs.ts';
import { openfootballJson } from '../../../src/importers/openfootball/openfootball-json.ts';
import { runImport } from '../../../src/importers/run.ts';
import { tournaments } from '../../../src/importers/tournaments/tournaments.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

type Pair = readonly [number, number];
interface SourceMatch {
  round: string;
  home: number;
  away: number;
  score: Pair | null;
  extraTime: boolean;
  kicks: Pair | null;
}

const DATA = fileURLToPath(new URL('../../../../shared/datasets', import.meta.url));
const OPENFOOTBALL = `${DATA}/openfootball`;
const NOW = Date.parse('2026-06-15T00:00:00Z');
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
const text = (path: string) => gunzipSync(readFileSync(path)).toString();
const turned = ([home, away]: Pair, turn: boolean): string => (turn ? `${away}:${home}` : `${home}:${away}`);

/**
 * Returns the expected text for a tie, with the winner and how the tie was decided. Scores have the goals of `first` in
 * front.
 */
function expectedOf(
  matches: readonly SourceMatch[],
  legs: boolean,
  first: number,
): { winner: number | null; result: string | null } {
  if (matches.some(({ score }) => score === null)) return { winner: null, result: null };
  const last = matches.at(-1)!;
  const second = last.home === first ? last.away : last.home;
  const ends = ({ extraTime, kicks, home }: SourceMatch) =>
    `${extraTime ? ' after extra time' : ''}${kicks ? `, ${turned(kicks, home !== first)} on penalties` : ''}`;
  const goals = (list: readonly SourceMatch[]): Pair => [
    list.reduce((sum, { home, score }) => sum + score![home === first ? 0 : 1], 0),
    list.reduce((sum, { home, score }) => sum + score![home === first ? 1 : 0], 0),
  ];
  const [own, other] = goals(legs ? matches : [last]);
  const kicks: Pair = last.kicks ? (last.home === first ? last.kicks : [last.kicks[1], last.kicks[0]]) : [0, 0];
  const ahead = own - other || kicks[0] - kicks[1];
  const each = matches.map((one) => `${turned(one.score!, one.home !== first)}${ends(one)}`);
  const result = legs
    ? `${own}:${other} on aggregate${ends(last)}`
    : each.length > 1
      ? `${each.join('; ')} in the replay`
      : each[0]!;
  return { winner: ahead > 0 ? first : ahead < 0 ? second : null, result };
}

describe('brackets from the sources', function () {
  this.timeout(300_000);
  let db: TestDatabase | undefined;
  before(async function () {
    if (!existsSync(DATA)) {
      console.warn(`      SKIPPED: ${DATA} is not there`);
      this.skip();
    }
    db = await createTestDatabase();
    const deps = {
      pool: db.pool,
      clock: { now: () => Date.now() },
      changes: { publish: () => {} },
      entities: new EntityCache(),
    };
    const load = (importer: Importer, path: string) => runImport(deps, importer, path, { progress: false });
    await load(tournaments, '');
    await load(names, BUILT_IN_NAMES);
    await load(openfootballClubs, `${OPENFOOTBALL}/clubs`);
    await load(openfootballJson, `${OPENFOOTBALL}/football.json/2024-25/uefa.cl.json.gz`);
    await load(openfootballJson, `${OPENFOOTBALL}/worldcup.json`);
    await load(footballTxt, `${OPENFOOTBALL}/champions-league`);
    await load(fjelstul, `${DATA}/fjelstul-worldcup`);
  });
  after(() => db?.drop());

  const national = async (name: string, gender: string) => {
    const { rows } = await db!.pool.query<{ participant_id: number }>(
      `SELECT DISTINCT a.participant_id FROM participant_alias a JOIN participant p ON p.id = a.participant_id
       WHERE a.name = $1 AND p.gender = $2 AND p.key LIKE '%|national team %'`,
      [name, gender],
    );
    assert.equal(rows.length, 1, `${name}: ${rows.length} teams`);
    return rows[0]!.participant_id;
  };
  const bracketOf = async (tournament: string, label: string): Promise<Bracket> => {
    const { rows } = await db!.pool.query<{ id: number; season: number }>(
      `SELECT t.id, s.id AS season FROM tournament t JOIN season s ON s.tournament_id = t.id WHERE t.name = $1 AND s.season_label = $2`,
      [tournament, label],
    );
    return seasonBracket(db!.pool, (await findSeason(db!.pool, rows[0]!.id, rows[0]!.season, '2026-06-15'))!, NOW);
  };

  /** Asserts that the rounds are in the expected order, and that each has the same ties, winners and results. */
  function assertSame(
    { tournament, season_label, rounds }: Bracket,
    matches: readonly SourceMatch[],
    legs: (round: string) => boolean,
  ) {
    const where = `${tournament} ${season_label}`;
    assert.deepEqual(
      rounds.map(({ name }) => name),
      [...new Set(matches.map(({ round }) => round))],
      where,
    );
    for (const { name, matchups } of rounds) {
      const pairOf = (sides: readonly (number | null)[]) => [...sides].sort().join();
      const ties = groupBy(
        matches.filter(({ round }) => round === name),
        ({ home, away }) => pairOf([home, away]),
      );
      assert.equal(matchups.length, ties.size, `${where}, ${name}`);
      for (const { teams, winner_id, result, finished, event_ids } of matchups) {
        const ids = teams.map(({ participant_id }) => participant_id);
        const tie = ties.get(pairOf(ids));
        assert.ok(tie, `${where}, ${name}: ${teams.map((team) => team.name).join(' v ')} is not in the source`);
        const expected = expectedOf(tie, legs(name), ids[0]!);
        const about = `${where}, ${name}: ${teams.map((team) => team.name).join(' v ')}`;
        assert.deepEqual({ winner: winner_id, result }, expected, about);
        assert.equal(finished, expected.result !== null, about);
        assert.equal(event_ids.length, tie.length, about);
      }
    }
  }

  it('all men’s and women’s World Cups from 1930 to 2022 have correct brackets', async () => {
    const ROUNDS: Record<string, string> = {
      'round of 16': 'Round of 16',
      'quarter-finals': 'Quarter-finals',
      'quarter-final': 'Quarter-finals',
      'semi-finals': 'Semi-finals',
      'semi-final': 'Semi-finals',
      'third-place match': 'Third place',
      final: 'Final',
    };
    const rows = parse(text(`${DATA}/fjelstul-worldcup/matches.csv.gz`), { columns: true }) as Record<string, string>[];
    const cups = groupBy(
      rows.filter((row) => row.knockout_stage === '1'),
      (row) => row.tournament_name!,
    );
    assert.equal(cups.size, 21 + 8);
    for (const [cup, played] of cups) {
      const women = cup.includes('Women');
      const matches: SourceMatch[] = [];
      const order = Object.values(ROUNDS);
      for (const row of played) {
        const { home_team_name: home, away_team_name: away, stage_name: stage } = row;
        const gender = women ? 'women' : 'men';
        const penalties: Pair = [Number(row.home_team_score_penalties), Number(row.away_team_score_penalties)];
        matches.push({
          round: ROUNDS[stage!]!,
          home: await national(home!, gender),
          away: await national(away!, gender),
          score: [Number(row.home_team_score), Number(row.away_team_score)],
          extraTime: row.extra_time === '1',
          kicks: row.penalty_shootout === '1' ? penalties : null,
        });
      }
      matches.sort((a, b) => order.indexOf(a.round) - order.indexOf(b.round));
      assertSame(
        await bracketOf(women ? "FIFA Women's World Cup" : 'FIFA World Cup', cup.slice(0, 4)),
        matches,
        () => false,
      );
    }
    const { rounds, reason } = await bracketOf('FIFA World Cup', '1950');
    assert.deepEqual([rounds.length, reason], [0, 'no_knockout'], 'a final round of four');
  });

  it('the 2026 World Cup has a bracket', async () => {
    const ROUNDS: Record<string, string> = {
      'Quarter-final': 'Quarter-finals',
      'Semi-final': 'Semi-finals',
      'Match for third place': 'Third place',
    };
    const file = JSON.parse(text(`${OPENFOOTBALL}/worldcup.json/2026/worldcup.json.gz`)) as {
      matches: { round: string; team1: string; team2: string; score?: Record<'ft' | 'et' | 'p', Pair | undefined> }[];
    };
    const matches: SourceMatch[] = [];
    for (const { round, team1, team2, score } of file.matches) {
      if (round.startsWith('Matchday')) continue;
      matches.push({
        round: ROUNDS[round] ?? round,
        home: await national(team1, 'men'),
        away: await national(team2, 'men'),
        score: score?.et ?? score?.ft ?? null,
        extraTime: score?.et !== undefined,
        kicks: score?.p ?? null,
      });
    }
    assert.equal(matches.length, 32);
    assertSame(await bracketOf('FIFA World Cup', '2026'), matches, () => false);
  });

  it('the Champions Leagues from 2023 to 2026 have correct brackets', async () => {
    const { rows } = await db!.pool.query<{ name: string; participant_id: number }>(
      `SELECT a.name, a.participant_id FROM participant_alias a JOIN participant p ON p.id = a.participant_id WHERE p.type = 'team' AND EXISTS (
         SELECT FROM match m JOIN tournament t ON t.id = m.tournament_id
         WHERE t.name = 'UEFA Champions League' AND p.id IN (m.home_id, m.away_id))`,
    );
    const ids = new Map(rows.map(({ name, participant_id }) => [name, participant_id]));
    const idOf = (name: string) => {
      const id = ids.get(name);
      assert.ok(id, `${name} is not stored`);
      return id;
    };
    const ROUNDS: Record<string, string> = { Quarterfinals: 'Quarter-finals', Semifinals: 'Semi-finals' };
    const pair = (written: string | undefined): Pair | null =>
      written ? (written.split('-').map(Number) as unknown as Pair) : null;
    for (const season of ['2023-24', '2024-25', '2025-26']) {
      const matches: SourceMatch[] = [];
      for (const part of text(`${OPENFOOTBALL}/champions-league/${season}/cl.txt.gz`).split('» ').slice(1)) {
        const [title, ...lines] = part.split(/\r?\n/);
        if (!/^(Finals|Playoffs), /.test(title!)) continue;
        const round = title!.startsWith('Playoffs') ? 'Play-offs' : title!.replace('Finals, ', '').trim();
        for (const line of lines) {
          const found = /^(?:\s+\d\d\.\d\d)?\s+(\S.*?) \(\w{3}\)\s+v (\S.*?) \(\w{3}\)(.*)$/.exec(line);
          if (!found) continue;
          const scores = /^\s+(?:(\d+-\d+) pen\. )?(\d+-\d+)( a\.e\.t\.)?/.exec(found[3]!);
          matches.push({
            round: ROUNDS[round] ?? round,
            home: idOf(found[1]!),
            away: idOf(found[2]!),
            score: pair(scores?.[2]),
            extraTime: scores?.[3] !== undefined,
            kicks: pair(scores?.[1]),
          });
        }
      }
      assert.equal(matches.length, season === '2023-24' ? 29 : 45);
      const label = season.replace('-', '/');
      assertSame(await bracketOf('UEFA Champions League', label), matches, (round) => round !== 'Final');
    }
  });
});
