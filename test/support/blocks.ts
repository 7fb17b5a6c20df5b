/**
 * Every block of a match detail, as a provider sends it and as the card shows it. Player ids are filled in if they are
 * known.
 */
import type { MatchFields } from './feed.ts';

const WEATHER = {
  stadium: 'The Ground',
  city: 'Town',
  temperature_c: 11.5,
  feels_like_c: -1,
  conditions: 'Light rain',
  conditions_i18n: { en: 'Light rain', ru: 'Небольшой дождь' },
  wind_speed_ms: 3.4,
  wind_gusts_ms: null,
  precipitation_mm: 0.2,
  precipitation_prob_pct: 60,
  humidity_pct: 81,
  cloud_cover_pct: 90,
  weather_code: 61,
  is_forecast: true,
  observed_hour_utc: '2024-05-01T14:00',
};

const STATISTIC = {
  period: 'ALL',
  group_name: 'Attack',
  stat_name: 'Shots',
  home_value: 12,
  away_value: 7.5,
  home_text: '12',
  away_text: null,
};
const MISSING = {
  side: 'home' as const,
  player_name: 'Crock',
  position: 'D',
  type: 'injury',
  status: 'out',
  reason_text: 'Knee',
};
const BEST = { side: 'away' as const, rating: 8.7, player_name: 'Star', position: null };
const HIGHLIGHT = { title: 'Goals', url: 'https://example.com/v/1', thumbnail: 'https://example.com/v/1.jpg' };
const POSITIONS = { home: [{ player_name: 'Keeper', x: 5, y: 50 }], away: [{ player_name: 'Wing', x: 70.5, y: 12 }] };
const COMMENT = {
  minute: 12,
  text: 'Гол!',
  text_en: 'Goal!',
  type: 'goal',
  side: 'home' as const,
  player_name: 'Striker',
};

const SHARED = {
  statistics: [STATISTIC],
  coaches: [{ side: 'home' as const, coach_name: 'Boss', coach_name_ru: 'Босс' }],
  missing_players: [MISSING],
  momentum: { graphPoints: [{ minute: 1, value: -100 }] },
  best_players: [BEST],
  win_probability: { homeWin: 50.5, draw: 25, awayWin: 24.5 },
  votes: { vote: { vote1: 10, voteX: 3, vote2: 7 } },
  highlights: [HIGHLIGHT],
  average_positions: POSITIONS,
  tv_channels: { GB: [12, 7], 'GB-ENG': [1] },
  commentary: [COMMENT],
};

/** All blocks that football has. */
export const FOOTBALL_GIVEN = {
  ...SHARED,
  incidents: [
    {
      id: 'i1',
      minute: 12,
      minute_plus: 1,
      period: '1H',
      kind: 'goal',
      side: 'home',
      player: { id: 'p9', name: 'Striker' },
      assist: { name: 'Winger' },
      payload: { goal_type: 'regular', score: { home: 1, away: 0 }, z: 1, a: { '2': [1, 'two', null, true] } },
    },
  ],
  lineups: [
    {
      side: 'home',
      formation: '4-4-2',
      player: { id: 'p9', name: 'Striker' },
      position: 'F',
      shirt_number: '9',
      is_substitute: false,
      stats: { rating: 7.1 },
    },
  ],
  player_stats: [{ player: { id: 'p9', name: 'Striker' }, side: 'home', position: 'F', stats: { touches: 44 } }],
  shotmap: [
    {
      player: { id: 'p9', name: 'Striker' },
      side: 'home',
      minute: 12,
      xg: 0.37,
      shotType: 'goal',
      situation: 'assisted',
      bodyPart: 'head',
      x: 91.5,
      y: 48,
    },
  ],
  odds: [
    {
      market_name: 'Full time',
      market_group: '1X2',
      choice_name: '1',
      decimal_value: 2.5,
      opening_decimal: 2.25,
      bookmaker: 'Bookie',
      winning: true,
    },
  ],
  weather: WEATHER,
} satisfies MatchFields;

/** As shown if no player of the match has the name. */
const unlinked = <T>(entry: T) => ({ ...entry, player_participant_id: null });

/**
 * @param striker our id for the player whom the provider calls p9
 * @param coach our id for the coach
 */
export const footballShown = (striker: number, coach: number) => ({
  ...SHARED,
  coaches: [{ ...SHARED.coaches[0]!, coach_id: coach }],
  missing_players: [unlinked(MISSING)],
  best_players: [unlinked(BEST)],
  average_positions: { home: POSITIONS.home.map(unlinked), away: POSITIONS.away.map(unlinked) },
  commentary: [{ ...COMMENT, player_participant_id: striker }],
  incidents: [
    {
      id: 1,
      minute: 12,
      minute_plus: 1,
      period: '1H',
      kind: 'goal',
      side: 'home',
      player_name: 'Striker',
      player_participant_id: striker,
      assist_name: 'Winger',
      assist_participant_id: null,
      payload: FOOTBALL_GIVEN.incidents[0]!.payload,
    },
  ],
  lineups: [
    {
      side: 'home',
      formation: '4-4-2',
      player_participant_id: striker,
      player_name: 'Striker',
      position: 'F',
      shirt_number: '9',
      is_substitute: false,
      stats: { rating: 7.1 },
    },
  ],
  player_stats: [
    { participant_id: striker, player_name: 'Striker', side: 'home', position: 'F', stats: { touches: 44 } },
  ],
  shotmap: [
    {
      player: { id: striker, name: 'Striker' },
      side: 'home',
      minute: 12,
      xg: 0.37,
      shotType: 'goal',
      situation: 'assisted',
      bodyPart: 'head',
      x: 91.5,
      y: 48,
    },
  ],
  odds: [
    {
      market_name: 'Full time',
      market_group: '1X2',
      choice_name: '1',
      fractional_value: '3/2',
      opening_value: '5/4',
      decimal_value: 2.5,
      opening_decimal: 2.25,
      bookmaker: 'Bookie',
      movement: null,
      winning: true,
    },
  ],
  weather: WEATHER,
});

/** Blocks that football does not have. */
export const TENNIS_GIVEN = {
  points_history: [{ tab: 'Set 1', points: [{ home: '15', away: 'A' }] }],
} satisfies MatchFields;
export const CRICKET_GIVEN = {
  innings: [
    {
      period: 'I1',
      batting: 'home',
      runs: 158,
      wickets: 4,
      overs: '17.2',
      balls_per_over: 6,
      all_out: false,
      declared: false,
      forfeited: false,
      max_overs: '20',
      target: { runs: 188, overs: '20', method: 'D/L' },
      extras: { byes: 1, leg_byes: 0, wides: 2, no_balls: 0, penalty: 5 },
      batters: [
        {
          player_name: 'A',
          runs: 61,
          balls: 40,
          fours: 6,
          sixes: 2,
          dismissal: { kind: 'caught', bowler_name: 'B', fielder_names: ['C'] },
        },
      ],
      bowlers: [{ player_name: 'B', overs: '3.2', maidens: 0, runs: 28, wickets: 2, wides: 1, no_balls: 0 }],
      fall_of_wickets: [{ wicket: 1, runs: 44, overs: '5.3', player_name: 'A' }],
      by_over: [{ runs: 9, wickets: 0 }],
    },
  ],
} satisfies MatchFields;
export const MMA_GIVEN = { fight: { method: 'KO/TKO', finish_round: 2 } } satisfies MatchFields;
