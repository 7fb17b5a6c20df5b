/**
 * Tests play-offs and Final Fours in the Euroleague, from the round names in its results: "Game 1", "Semifinal",
 * "Final".
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { Bracket } from '../../../src/competitions/bracket/season-bracket.ts';
import { routes } from '../../../src/competitions/routes.ts';
import { type Fed, startFed } from '../../catalogue/feeding.ts';

type Game = Record<
  | 'season'
  | 'phase'
  | 'round_name'
  | 'team_code_home'
  | 'team_code_away'
  | 'points_home'
  | 'points_away'
  | 'date'
  | 'game_code',
  string
>;

const FILE = fileURLToPath(new URL('../../../../shared/datasets/euroleague/gameresults.csv.gz', import.meta.url));
const CHAMPIONS = 'PAN BAR TEL TEL CSK PAN CSK PAN BAR PAN OLY OLY TEL MAD CSK ULK MAD CSK'.split(' ');
const FIRST_SEASON = 2001;
/**
 * The results for this season lack the semi-finals, so nothing distinguishes the final from the match for third place.
 */
const WITHOUT_SEMI_FINALS = 2005;

/** Adds a word, because PAN alone would mean Panama. */
const nameOf = (code: string) => `Club ${code}`;

/** The source's dates have no year, such as "May 3 20:30 CET". */
function startOf({ date, season }: Game): string {
  const [month, day, time] = date.split(' ');
  return new Date(`${month} ${day} ${Number(season) + 1} ${time} GMT+0100`).toISOString();
}

describe('Euroleague brackets', function () {
  this.timeout(120_000);
  let fed: Fed;
  let games: Game[];
  before(async function () {
    if (!existsSync(FILE)) {
      console.warn(`      SKIPPED: ${FILE} is not there`);
      this.skip();
    }
    const rows = parse(gunzipSync(readFileSync(FILE)), { columns: true }) as Game[];
    games = rows.filter(({ phase }) => phase === 'PO' || phase === 'FF');
    fed = await startFed(routes, '2024-06-15T12:00:00Z');
    await fed.matches(
      ...games.map((game) => ({
        id: `${game.season}-${game.game_code}`,
        sport: 'basketball' as const,
        tournament: { name: 'Euroleague', country: 'INT' },
        season: { label: `${game.season}/${String(Number(game.season) + 1).slice(2)}` },
        home: { name: nameOf(game.team_code_home), country: 'INT' },
        away: { name: nameOf(game.team_code_away), country: 'INT' },
        scheduled_start: startOf(game),
        round_name: game.round_name,
        status: 'finished' as const,
        status_detail: 'ended' as const,
        score: { home: Number(game.points_home), away: Number(game.points_away) },
      })),
    );
  });
  after(() => fed?.close());

  const bracketOf = async (season: number) => {
    const { rows } = await fed.db.pool.query<{ id: number }>('SELECT id FROM season WHERE season_label LIKE $1', [
      `${season}/%`,
    ]);
    const { json } = await fed.app.ask<Bracket>(
      `/v1/tournament/${await fed.tournamentId('Euroleague')}/bracket?season=${rows[0]!.id}`,
    );
    return json.rounds;
  };
  const won = (season: number, phase: string) => {
    const wins = new Map<string, number>();
    for (const game of games) {
      if (game.season !== String(season) || game.phase !== phase) continue;
      const [home, away] = [nameOf(game.team_code_home), nameOf(game.team_code_away)];
      const ahead = Number(game.points_home) > Number(game.points_away);
      wins.set(home, (wins.get(home) ?? 0) + (ahead ? 1 : 0));
      wins.set(away, (wins.get(away) ?? 0) + (ahead ? 0 : 1));
    }
    return wins;
  };

  it('show the play-offs as series whose winners play the Final Four', async () => {
    for (let season = 2004; season < FIRST_SEASON + CHAMPIONS.length; season += 1) {
      const [playOffs, semis] = await bracketOf(season);
      assert.equal(playOffs!.name, 'Play-offs', String(season));
      assert.equal(playOffs!.matchups.length, 4, String(season));
      const wins = won(season, 'PO');
      for (const { teams, home_score, away_score, result, finished } of playOffs!.matchups) {
        const scores = teams.map(({ name }) => String(wins.get(name!)));
        assert.deepEqual(
          [finished, home_score, away_score],
          [true, ...scores],
          `${season} ${teams.map(({ name }) => name)}`,
        );
        assert.equal(result, `${scores.join(':')} in the series`);
      }
      const through = playOffs!.matchups.map(({ winner_id }) => winner_id).sort();
      assert.deepEqual(
        semis!.matchups.flatMap(({ teams }) => teams.map(({ participant_id }) => participant_id)).sort(),
        through,
      );
    }
  });

  it('show two semi-finals, a final with a champion and a third-place match in each Final Four', async () => {
    for (const [index, champion] of CHAMPIONS.entries()) {
      const season = FIRST_SEASON + index;
      if (season === WITHOUT_SEMI_FINALS) continue;
      const rounds = (await bracketOf(season)).filter(({ name }) => name !== 'Play-offs');
      const played = games.filter((game) => game.season === String(season) && game.phase === 'FF').length;
      const names = played === 3 ? ['Semi-finals', 'Final'] : ['Semi-finals', 'Third place', 'Final'];
      assert.deepEqual(
        rounds.map(({ name }) => name),
        names,
        String(season),
      );
      assert.deepEqual(
        rounds.map(({ matchups }) => matchups.length),
        played === 3 ? [2, 1] : [2, 1, 1],
        String(season),
      );
      const [final] = rounds.at(-1)!.matchups;
      const winner = final!.teams.find(({ participant_id }) => participant_id === final!.winner_id);
      assert.equal(winner?.name, nameOf(champion), String(season));
    }
  });

  it('show two finals if the two matches cannot be told apart', async () => {
    const rounds = await bracketOf(WITHOUT_SEMI_FINALS);
    assert.deepEqual(
      rounds.map(({ name, matchups }) => [name, matchups.length]),
      [
        ['Play-offs', 4],
        ['Final', 2],
      ],
    );
  });
});
