/** Complete histories of football matches, for random tests. */
import fc from 'fast-check';
import type { MatchFields } from './feed.ts';

type Incident = NonNullable<MatchFields['incidents']>[number];

export type Happening =
  | 'goal home'
  | 'goal away'
  | 'cancelled goal'
  | 'card'
  | 'statistics'
  | 'minute'
  | 'break'
  | 'odds';

/** Returns the true state of a match after each happening, from before the start to the end. */
export function truthOf(happenings: readonly Happening[]): MatchFields[] {
  const incidents: Incident[] = [];
  let shots = 0;
  let detail: 'in_play' | 'break' = 'in_play';
  const states: MatchFields[] = [{ status: 'scheduled' }];
  const lineups = ['Ann', 'Bea'].map((name) => ({ side: 'home' as const, player: { name }, is_substitute: false }));
  states.push({ status: 'scheduled', lineup_confirmed: true, lineups });
  const score = () => ({
    home: incidents.filter(({ kind, side }) => kind === 'goal' && side === 'home').length,
    away: incidents.filter(({ kind, side }) => kind === 'goal' && side === 'away').length,
  });
  const push = (status: 'live' | 'finished', minute: number) =>
    states.push({
      status,
      status_detail: status === 'live' ? detail : 'ended',
      ...(status === 'live' && { minute }),
      score: score(),
      period_scores: [{ period: '1H', ...score() }],
      incidents: incidents.map((one) => ({ ...one })),
      statistics: [
        {
          period: 'ALL',
          group_name: null,
          stat_name: 'Shots',
          home_value: shots,
          away_value: 0,
          home_text: null,
          away_text: null,
        },
      ],
      odds: [{ market_name: 'FT', choice_name: '1', decimal_value: 2 + shots / 10 }],
    });
  push('live', 0);
  for (const [index, happening] of happenings.entries()) {
    // Happenings are three minutes apart, so that every provider reports each as a separate incident.
    const minute = 3 * (index + 1);
    const add = (kind: string, side: 'home' | 'away') =>
      incidents.push({ kind, side, minute, player: { name: `Player ${index}` }, payload: { n: index } });
    if (happening === 'goal home') add('goal', 'home');
    else if (happening === 'goal away') add('goal', 'away');
    else if (happening === 'card') add('card', 'away');
    else if (happening === 'cancelled goal') {
      const at = incidents.findLastIndex(({ kind }) => kind === 'goal');
      if (at !== -1) incidents.splice(at, 1);
    } else if (happening === 'statistics' || happening === 'odds') shots += 1;
    else if (happening === 'break') detail = detail === 'break' ? 'in_play' : 'break';
    push('live', minute);
  }
  push('finished', 0);
  return states;
}

export const HAPPENINGS: Happening[] = [
  'goal home',
  'goal away',
  'cancelled goal',
  'card',
  'statistics',
  'minute',
  'break',
  'odds',
];
/** Fields that a provider may omit from its updates. */
export const PARTS: (keyof MatchFields)[] = [
  'status',
  'status_detail',
  'minute',
  'score',
  'period_scores',
  'incidents',
  'statistics',
];
export const happenings = (from: readonly Happening[]) =>
  fc.array(fc.constantFrom(...from), { minLength: 2, maxLength: 9 });
