/** Feeds a small catalogue that has every kind of row an export may contain. */
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import type { Fed } from '../catalogue/feeding.ts';

type Match = MatchUpdateInput['match'];

/** A team whose name a spreadsheet would run as a formula. */
export const FORMULA = '=cmd()';
/** A text that is unchanged only if quotes, commas, line breaks and alphabets are all handled correctly. */
export const AWKWARD = 'Æsir "The" Жук, 字';
/** Labels of League's seasons. Each has one match. */
export const LABELS = ['2021/22', '2022/23', '2023/24'];

const match = (id: string, label: string, over: Partial<Match> = {}): Match => ({
  id,
  sport: 'football',
  tournament: { name: 'League', country: 'GB-ENG' },
  season: { label },
  home: { name: FORMULA, country: 'GB-ENG' },
  away: { name: AWKWARD, country: 'GB-ENG' },
  scheduled_start: `${label.slice(0, 4)}-08-12T14:00:00Z`,
  status: 'finished',
  status_detail: 'ended',
  score: { home: 2, away: 0 },
  ...over,
});

/**
 * Feeds League with three matches, of which one has incidents, line-ups and odds, and a tennis tournament with a match
 * to come.
 */
export async function feedExported(fed: Fed): Promise<void> {
  await fed.matches(
    ...LABELS.slice(0, 2).map((label, index) => match(`e${index}`, label)),
    match('e2', LABELS[2]!, {
      incidents: [
        {
          kind: 'goal',
          side: 'home',
          minute: 12,
          period: '1H',
          player: { name: AWKWARD },
          payload: { goal_type: 'regular' },
        },
        { kind: 'goal', side: 'home', minute: 80, period: '2H', payload: { goal_type: 'own_goal' } },
      ],
      lineups: [
        { side: 'home', player: { name: 'Ann Able' }, position: 'GK', shirt_number: '1', is_substitute: false },
        { side: 'away', player: { name: 'Bea Best' }, is_substitute: true },
      ],
      odds: [
        { market_name: '1X2', choice_name: '1', decimal_value: 1.85, bookmaker: 'B' },
        { market_name: 'Handicap', choice_name: '-1.5', decimal_value: 3.2, bookmaker: 'B' },
      ],
    }),
    {
      ...match('e3', '2024', { status: 'scheduled', status_detail: 'not_started' }),
      sport: 'tennis',
      tournament: { name: 'Open', country: 'FR' },
      score: undefined,
    } as Match,
  );
}
