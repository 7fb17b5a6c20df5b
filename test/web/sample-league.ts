/** Feeds a league and a cup with everything that tournament, team and player pages show. */
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import type { Harness } from './site.ts';

type Match = Partial<MatchUpdateInput['match']>;

export const LEAGUE = { name: 'Premier League', name_ru: 'Английская Премьер-лига', country: 'GB-ENG' };
const CUP = { name: 'FIFA World Cup', name_ru: 'Чемпионат мира', country: 'INT' };
const CLUBS = ['Arsenal', 'Chelsea', 'Everton', 'Fulham'] as const;
const NAMES_RU: Record<string, string> = { Arsenal: 'Арсенал', Chelsea: 'Челси', Everton: 'Эвертон', Fulham: 'Фулхэм' };
export const STAR = { name: 'Bukayo Saka', birth_date: '2001-09-05', country: 'GB-ENG' };
const KEEPER = { name: 'David Raya', birth_date: '1995-09-15', country: 'ES' };

const club = (name: string, country = 'GB-ENG') => ({
  name,
  country,
  ...(NAMES_RU[name] !== undefined && { name_ru: NAMES_RU[name] }),
});
const goal = (minute: number) => ({
  kind: 'goal',
  side: 'home' as const,
  minute,
  period: minute > 45 ? '2H' : '1H',
  player: STAR,
  payload: { goal_type: 'regular' },
});
const lineups = [
  { side: 'home' as const, player: KEEPER, position: 'GK', shirt_number: '22', is_substitute: false },
  { side: 'home' as const, player: STAR, position: 'RW', shirt_number: '7', is_substitute: false },
];

/** The pairs in a single round robin, by round. */
const ROUNDS = [
  [
    [0, 1],
    [2, 3],
  ],
  [
    [0, 2],
    [1, 3],
  ],
  [
    [0, 3],
    [1, 2],
  ],
] as const;

/** @param now ms since 1970; the last round is still to come */
export async function feedLeague(harness: Harness, now: number): Promise<void> {
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
  const played = (home: number, away: number): Match => ({
    status: 'finished',
    status_detail: 'ended',
    score: { home: home === 0 ? 2 : 1, away: away === 3 ? 1 : 0 },
  });
  for (const [label, shift] of [
    ['2023/24', -400],
    ['2024/25', 0],
  ] as const) {
    for (const [index, pairs] of ROUNDS.entries()) {
      for (const [home, away] of pairs) {
        const days = shift + (index - 2) * 7 + 1;
        const arsenal = home === 0 ? { lineups, incidents: [goal(12), goal(80)] } : {};
        await harness.apply(`${label}-${home}-${away}`, {
          tournament: LEAGUE,
          season: { label },
          round_num: index + 1,
          round_name: `Matchday ${index + 1}`,
          home: club(CLUBS[home]),
          away: club(CLUBS[away]),
          scheduled_start: at(days),
          ...(days < 0 && { ...played(home, away), ...arsenal }),
        });
      }
    }
  }
  const tie = (id: string, round_name: string, home: string, away: string, days: number, more: Match) =>
    harness.apply(id, {
      tournament: CUP,
      season: { label: '2022' },
      round_name,
      home: club(home, 'INT'),
      away: club(away, 'INT'),
      scheduled_start: at(days),
      status: 'finished',
      status_detail: 'ended',
      ...more,
    });
  await tie('s1', 'Semi-finals', 'Argentina', 'Croatia', -700, { score: { home: 3, away: 0 } });
  await tie('s2', 'Semi-finals', 'France', 'Morocco', -699, { score: { home: 2, away: 0 } });
  await tie('t', 'Third place', 'Croatia', 'Morocco', -697, { score: { home: 2, away: 1 } });
  await tie('f', 'Final', 'Argentina', 'France', -696, {
    score: { home: 3, away: 3 },
    status_detail: 'after_penalties',
    period_scores: [
      { period: '1H', home: 2, away: 0 },
      { period: '2H', home: 0, away: 2 },
      { period: 'ET', home: 1, away: 1 },
      { period: 'PEN', home: 4, away: 2 },
    ],
  });
}
