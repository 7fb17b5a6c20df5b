import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { PlayedMatch } from '../../src/analytics/samples/match-samples.ts';
import { leagueCounts } from '../../src/analytics/trends/league-counts.ts';
import { findTrends } from '../../src/analytics/trends/trends.ts';
import {
  currentSeason,
  findFixture,
  fixturesToPlay,
  LEAGUE,
  nextSeason,
  PLAYED_ROUNDS,
  sampleUpdates,
} from '../../src/demo/invented-league.ts';
import { demoFile } from '../../src/demo/recording.ts';
import { feedUpdate, type MatchUpdate, matchUpdate } from '../../src/wire/feed-update.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const CLUBS = 12;
const ROUNDS = 22;

type Match = MatchUpdate['match'];
const season = async (): Promise<Match[]> =>
  (await fixturesToPlay('2026/27', NOW, 0)).map((update) => matchUpdate.parse(update).match);
const recordedStates = async (id: string): Promise<Match[]> =>
  (await findFixture(id))!.recording.map(({ update }) => matchUpdate.parse(update).match);

describe('the demo league’s recorded matches', () => {
  let all: Match[];
  let finals: Match[];
  before(async () => {
    all = await season();
    finals = [];
    for (const { id } of all) finals.push((await findFixture(id))!.recording.at(-1)!.update.match as Match);
  });

  it('include each pairing once at each venue, with one match per round for each club', () => {
    assert.equal(all.length, CLUBS * (CLUBS - 1));
    assert.equal(new Set(all.map(({ home, away }) => `${home!.id} ${away!.id}`)).size, all.length);
    for (let round = 1; round <= ROUNDS; round++) {
      const clubs = all.filter((one) => one.round_num === round).flatMap(({ home, away }) => [home!.id, away!.id]);
      assert.equal(new Set(clubs).size, CLUBS);
    }
  });

  it('belong to one fixture each, and every fixture in any season has a recorded match', async () => {
    const names = readdirSync(demoFile('league')).map((file) => file.replace('.ndjson.gz', ''));
    assert.deepEqual(names.sort(), all.map(({ id }) => id.replace('league-2026-27-', '')).sort());
    const later = matchUpdate.parse((await fixturesToPlay('2030/31', NOW, 0))[0]).match;
    const fixture = (await findFixture(later.id))!;
    assert.deepEqual([later.season!.label, fixture.season], ['2030/31', '2030/31']);
    const [listed] = fixture.recording;
    assert.deepEqual([listed!.update.match.home, listed!.update.match.round_num], [all[0]!.home, all[0]!.round_num]);
    assert.equal(await findFixture('cup-final-1'), undefined);
    assert.equal(await findFixture('league-2026-27-r1-../../plans'), undefined);
  });

  it('are complete, with valid updates, and only with players who are on the pitch', async () => {
    for (const { id } of all.filter((_, index) => index % 6 === 0)) {
      const states = await recordedStates(id);
      assert.equal(states.at(-1)!.status_detail, 'ended');
      for (const [index, match] of states.entries())
        assert.ok(index === 0 || (match.incidents?.length ?? 0) >= (states[index - 1]!.incidents?.length ?? 0));
    }
    for (const match of finals) {
      const on = new Map(
        (['home', 'away'] as const).map((side) => [
          side,
          new Set(match.lineups!.flatMap((row) => (row.side === side && !row.is_substitute ? row.player.name : []))),
        ]),
      );
      for (const incident of match.incidents!) {
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
    }
  });

  it('have as many goals as real matches', () => {
    const mean = finals.reduce((sum, { score }) => sum + score!.home! + score!.away!, 0) / finals.length;
    assert.ok(mean > 2.2 && mean < 3.2, `${mean} goals a match`);
  });

  it('refer to the same person wherever a player appears', () => {
    const people = new Map(
      finals.flatMap(({ home, away, lineups }) =>
        lineups!.map(({ side, player }) => [
          `${(side === 'home' ? home : away)!.name} ${player.name} ${player.birth_date}`,
          player,
        ]),
      ),
    );
    assert.equal(people.size, CLUBS * 18);
    // Identity tells players apart by birth date, initial and last name.
    const keys = [...people.values()].map(
      ({ name, birth_date }) => `${birth_date} ${name[0]} ${name.split(' ').at(-1)}`,
    );
    assert.equal(new Set(keys).size, people.size);
  });

  it('are played in successive seasons that begin in July', () => {
    assert.equal(currentSeason(Date.parse('2026-06-30T23:59:59Z')), '2025/26');
    assert.equal(currentSeason(Date.parse('2026-07-01T00:00:00Z')), '2026/27');
    assert.equal(nextSeason('2098/99'), '2099/00');
  });
});

describe('the sample catalogue', () => {
  it('is valid, and two catalogues made for the same time are equal', async () => {
    const updates = await sampleUpdates(NOW);
    assert.equal(updates.length, 422);
    for (const update of updates) feedUpdate.parse(update);
    assert.deepEqual(updates, await sampleUpdates(NOW));
  });

  it('has clubs with trends, in any season', async () => {
    for (let year = 0; year < 8; year += 1) {
      const matches = (await sampleUpdates(NOW + year * 366 * 24 * 3_600_000)).flatMap((update) =>
        update.kind === 'match' && update.match.tournament!.name === LEAGUE && update.match.status === 'finished'
          ? [update.match]
          : [],
      );
      const clubs = [...new Set(matches.map(({ home }) => home!.name))];
      assert.equal(clubs.length, CLUBS);
      const played = matches.map(({ home, away, score, scheduled_start }, id) => ({
        id,
        start: Date.parse(scheduled_start!) / 1_000,
        home_id: clubs.indexOf(home!.name),
        away_id: clubs.indexOf(away!.name),
        home_score: score!.home!,
        away_score: score!.away!,
        winner: score!.home! > score!.away! ? 'home' : score!.home! < score!.away! ? 'away' : 'draw',
      })) satisfies PlayedMatch[];
      const season = played.slice(-(PLAYED_ROUNDS * CLUBS) / 2);
      const trends = clubs.map((_, sideId) => {
        const matches = season.filter(({ home_id, away_id }) => home_id === sideId || away_id === sideId);
        return findTrends({ sport: 'football', sideId, venues: ['overall'], matches, league: leagueCounts(played) });
      });
      assert.ok(trends.filter(({ length }) => length > 0).length >= 1, `${year} years later`);
    }
  });

  it('has past results and future fixtures on any day', async () => {
    for (let day = 0; day < 7; day++) {
      const now = NOW + day * 24 * 3_600_000;
      const matches = (await sampleUpdates(now)).flatMap((update) => (update.kind === 'match' ? [update.match] : []));
      const finished = matches.filter((match) => match.status === 'finished');
      const [current, ...former] = [...new Set(matches.map(({ season }) => season!.label))].sort().reverse();
      assert.equal(former.length, 2);
      assert.equal(finished.filter(({ season }) => season!.label === current).length, (PLAYED_ROUNDS * CLUBS) / 2);
      for (const label of former) {
        const starts = finished.flatMap((match) =>
          match.season!.label === label ? Date.parse(match.scheduled_start!) : [],
        );
        assert.equal(starts.length, CLUBS * (CLUBS - 1));
        assert.ok(
          Math.max(...starts) <
            Math.min(
              ...matches.flatMap((match) => (match.season!.label > label ? Date.parse(match.scheduled_start!) : [])),
            ),
        );
      }
      for (const match of matches) {
        const start = Date.parse(match.scheduled_start!);
        assert.ok(match.id.startsWith(`league-${match.season!.label.replace('/', '-')}-r`), match.id);
        assert.ok(
          match.status === 'finished' ? start + 2 * 3_600_000 < now : start > now,
          `${match.scheduled_start} ${match.status}`,
        );
      }
      const newest = Math.max(...finished.map((match) => Date.parse(match.scheduled_start!)));
      assert.ok(now - newest < 8 * 24 * 3_600_000, 'the newest results are of the last week');
    }
  });

  it('has tournaments that are marked as demo, and clubs with names in both languages', async () => {
    for (const update of await sampleUpdates(NOW)) {
      if (update.kind === 'tournament') assert.ok(update.tournament.demo && update.tournament.name_ru);
      if (update.kind === 'participant') assert.match(update.participant.name_ru!, /^[А-Яа-яё -]+$/);
      if (update.kind === 'venue') assert.ok(update.venue.latitude && update.venue.longitude);
    }
  });
});
