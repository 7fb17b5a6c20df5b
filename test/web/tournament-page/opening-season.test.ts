import assert from 'node:assert/strict';
import { openingSeason } from '../../../src/web/tournament-page/read-tournament-page.ts';

const season = (season_label: string, start_date: string, end_date: string, is_current = false) => ({
  season_label,
  start_date,
  end_date,
  is_current,
});
const [NEXT, LAST] = [
  season('2026', '2026-06-11', '2026-07-19'),
  season('2022', '2022-11-20', '2022-12-18', true),
] as const;
const EARLIER = season('2018', '2018-06-14', '2018-07-15');

describe('the season on which the page of a tournament opens', () => {
  const open = (today: string, seasons = [NEXT, LAST, EARLIER]) => openingSeason(seasons, today)?.season_label;

  it('is the nearer one between two editions of a cup', () => {
    assert.equal(open('2022-12-19'), '2022');
    assert.equal(open('2024-09-01'), '2022');
    assert.equal(open('2024-10-01'), '2026');
    assert.equal(open('2026-06-10'), '2026');
  });

  it('is the current one while it is played, and if no later one is known', () => {
    assert.equal(open('2022-12-01'), '2022');
    assert.equal(open('2026-03-15', [LAST, EARLIER]), '2022');
    assert.equal(open('2026-03-15', []), undefined);
    const far = season('2030', '2030-06-08', '2030-07-21');
    assert.equal(open('2026-03-15', [far, NEXT, LAST]), '2026', 'the first of the later ones');
  });
});
