import assert from 'node:assert/strict';
import fc from 'fast-check';
import { leagueCounts } from '../../src/analytics/league-counts.ts';
import type { PlayedMatch } from '../../src/analytics/sample.ts';
import { findTrends } from '../../src/analytics/trends.ts';
import { finalState, recordingStates } from '../../src/demo/recordings/states.ts';
import { winProbability } from '../../src/demo/recordings/win-probability.ts';
import { CLUBS, generateSquad } from '../../src/demo/sample/clubs.ts';
import { type Fixture, LEAGUE } from '../../src/demo/sample/fixture.ts';
import { generateMatch } from '../../src/demo/sample/generate.ts';
import { findFixture, fixtureId, pairings, ROUNDS } from '../../src/demo/sample/league.ts';
import { PLAYED_ROUNDS, sampleUpdates } from '../../src/demo/sample/sample.ts';
import { feedUpdate, matchUpdate } from '../../src/wire/feed-update.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const fixture = (seed: number): Fixture => ({
  id: `seed-${seed}`,
  home: CLUBS[seed % CLUBS.length]!,
  away: CLUBS[(seed + 5) % CLUBS.length]!,
  round: 1,
  season: '2026/27',
  kickOff: '2026-11-21T15:00:00Z',
});

describe('a generated match', () => {
  it('a match is the same for the same seed, and different for another', () => {
    assert.deepEqual(generateMatch(fixture(7)), generateMatch(fixture(7)));
    assert.notDeepEqual(generateMatch(fixture(7)).timeline, generateMatch({ ...fixture(7), id: 'other' }).timeline);
  });

  it('every seed gives a whole match of valid updates, with players who are on the pitch', () => {
    fc.assert(
      fc.property(fc.nat(100_000), (seed) => {
        const recording = generateMatch(fixture(seed));
        const states = recordingStates(recording).map(({ update }) => matchUpdate.parse(update).match);
        const last = states.at(-1)!;
        assert.equal(last.status_detail, 'ended');
        assert.ok(
          states.every(
            (match, index) =>
              index === 0 || (match.incidents?.length ?? 0) >= (states[index - 1]!.incidents?.length ?? 0),
          ),
        );
        const on = new Map(
          (['home', 'away'] as const).map((side) => [
            side,
            new Set(recording.sheets[side].eleven.map(([, , name]) => name)),
          ]),
        );
        for (const incident of last.incidents!) {
          const pitch = incident.side && on.get(incident.side);
          if (!pitch) continue;
          if (incident.kind === 'subst') {
            assert.ok(pitch.delete(incident.payload.player_out as string), 'who goes off was on');
            pitch.add(incident.payload.player_in as string);
          } else if (incident.kind === 'goal' || incident.kind === 'card') {
            assert.ok(pitch.has(incident.player!.name), `${incident.kind} by ${incident.player!.name}`);
            if (incident.assist)
              assert.ok(pitch.has(incident.assist.name) && incident.assist.name !== incident.player!.name);
          }
          if (incident.payload.card_type === 'red' || incident.payload.card_type === 'second_yellow')
            pitch.delete(incident.player!.name);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('generated matches have as many goals as real ones', () => {
    const goals = Array.from({ length: 300 }, (_, seed) => {
      const { score } = finalState(generateMatch(fixture(seed))).match;
      return score!.home + score!.away;
    });
    const mean = goals.reduce((sum, one) => sum + one, 0) / goals.length;
    assert.ok(mean > 2.2 && mean < 3.2, `${mean} goals a match`);
  });
});

describe('the demo league', () => {
  it('each pairing is played once at each venue, with one match a round for each club', () => {
    const all = pairings();
    assert.equal(all.length, CLUBS.length * (CLUBS.length - 1));
    assert.equal(new Set(all.map(({ home, away }) => `${home.id} ${away.id}`)).size, all.length);
    for (let round = 1; round <= ROUNDS; round++) {
      const clubs = all.filter((one) => one.round === round).flatMap(({ home, away }) => [home.id, away.id]);
      assert.equal(new Set(clubs).size, CLUBS.length);
    }
  });

  it('a fixture is found again by its id', () => {
    for (const pairing of pairings()) {
      const id = fixtureId('2026/27', pairing);
      assert.deepEqual(findFixture(id, 'then'), { id, ...pairing, season: '2026/27', kickOff: 'then' });
    }
    assert.equal(findFixture('cup-final-1', 'then'), undefined);
  });

  it('each player is one person', () => {
    const people = CLUBS.flatMap((club) => [...generateSquad(club).eleven, ...generateSquad(club).bench]);
    // Identity distinguishes players by birth date, initial and last name.
    const keys = people.map(([, , name, born]) => `${born} ${name[0]} ${name.split(' ').at(-1)}`);
    assert.equal(new Set(keys).size, people.length);
  });
});

describe('the sample catalogue', () => {
  it('the sample is valid, the same for the same time, and generated in less than a second', () => {
    const begun = process.cpuUsage();
    const updates = sampleUpdates(NOW);
    assert.ok(process.cpuUsage(begun).user < 1_000_000, 'microseconds of CPU: a busy machine takes no part in it');
    for (const update of updates) feedUpdate.parse(update);
    assert.deepEqual(updates, sampleUpdates(NOW));
  });

  it('clubs have trends, in any season', () => {
    for (let year = 0; year < 8; year += 1) {
      const matches = sampleUpdates(NOW + year * 366 * 24 * 3_600_000).flatMap((update) =>
        update.kind === 'match' && update.match.tournament!.name === LEAGUE.name && update.match.status === 'finished'
          ? [update.match]
          : [],
      );
      const clubs = CLUBS.map(({ name }) => name);
      const played = matches.map(({ home, away, score, scheduled_start }, id) => ({
        id,
        start: Date.parse(scheduled_start!) / 1_000,
        home_id: clubs.indexOf(home!.name),
        away_id: clubs.indexOf(away!.name),
        home_score: score!.home!,
        away_score: score!.away!,
        winner: score!.home! > score!.away! ? 'home' : score!.home! < score!.away! ? 'away' : 'draw',
      })) satisfies PlayedMatch[];
      const season = played.slice(-(PLAYED_ROUNDS * CLUBS.length) / 2);
      const trends = clubs.map((_, sideId) => {
        const matches = season.filter(({ home_id, away_id }) => home_id === sideId || away_id === sideId);
        return findTrends({ sport: 'football', sideId, venues: ['overall'], matches, league: leagueCounts(played) });
      });
      assert.ok(trends.filter(({ length }) => length > 0).length >= 1, `${year} years later`);
    }
  });

  it('the sample has past results and future fixtures on any day', () => {
    for (let day = 0; day < 7; day++) {
      const now = NOW + day * 24 * 3_600_000;
      const matches = sampleUpdates(now).flatMap((update) => (update.kind === 'match' ? [update.match] : []));
      const finished = matches.filter((match) => match.status === 'finished');
      const [current, ...former] = [...new Set(matches.map(({ season }) => season!.label))].sort().reverse();
      assert.equal(former.length, 2);
      assert.equal(
        finished.filter(({ season }) => season!.label === current).length,
        (PLAYED_ROUNDS * CLUBS.length) / 2,
      );
      for (const label of former) {
        const starts = finished.flatMap((match) =>
          match.season!.label === label ? Date.parse(match.scheduled_start!) : [],
        );
        assert.equal(starts.length, CLUBS.length * (CLUBS.length - 1));
        assert.ok(
          Math.max(...starts) <
            Math.min(
              ...matches.flatMap((match) => (match.season!.label > label ? Date.parse(match.scheduled_start!) : [])),
            ),
        );
      }
      for (const match of matches) {
        const start = Date.parse(match.scheduled_start!);
        assert.ok(
          match.status === 'finished' ? start + 2 * 3_600_000 < now : start > now,
          `${match.scheduled_start} ${match.status}`,
        );
      }
      const newest = Math.max(...finished.map((match) => Date.parse(match.scheduled_start!)));
      assert.ok(now - newest < 8 * 24 * 3_600_000, 'the newest results are of the last week');
    }
  });

  it('the tournaments of the sample are marked as demo, and clubs have names in both languages', () => {
    const updates = sampleUpdates(NOW);
    for (const update of updates) {
      if (update.kind === 'tournament') assert.ok(update.tournament.demo && update.tournament.name_ru);
      if (update.kind === 'participant') assert.match(update.participant.name_ru!, /^[А-Яа-яё -]+$/);
      if (update.kind === 'venue') assert.ok(update.venue.latitude && update.venue.longitude);
    }
  });
});

describe('the win probability', () => {
  it('a level match at its end is a certain draw, and the probabilities sum to 100', () => {
    assert.deepEqual(winProbability(0, 0, 0), { homeWin: 0, draw: 100, awayWin: 0 });
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 5 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (lead, home, away) => {
          const { homeWin, draw, awayWin } = winProbability(lead, home, away);
          assert.ok(Math.abs(homeWin + draw + awayWin - 100) < 0.11);
        },
      ),
    );
  });

  it('the probabilities agree with a manual calculation', () => {
    // Means 1 and 0: no goal has probability 1/e.
    assert.deepEqual(winProbability(0, 1, 0), { homeWin: 63.2, draw: 36.8, awayWin: 0 });
  });
});
