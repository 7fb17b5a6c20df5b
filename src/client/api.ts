/** The types of the REST API, generated from its OpenAPI document by `make generated`. Do not edit. */

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: 'bad_request' | 'key_missing' | 'key_invalid' | 'key_expired' | 'key_revoked' | 'plan_required' | 'origin_not_allowed' | 'key_not_permitted' | 'csrf_failed' | 'role_not_permitted' | 'address_unverified' | 'sign_in_required' | 'not_found' | 'method_not_allowed' | 'conflict' | 'cursor_expired' | 'payload_too_large' | 'unsupported_media_type' | 'invalid_parameter' | 'invalid_cursor' | 'cursor_filter_mismatch' | 'rate_limited' | 'quota_exceeded' | 'too_many_connections' | 'internal' | 'unavailable';
  request_id: string;
  errors?: {
    parameter: string;
    code: string;
    detail: string;
  }[];
  oldest_cursor?: number;
  sync?: string;
}

export interface Sport {
  id: number;
  slug: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
}

export interface Country {
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  iso: string;
  name: string;
  name_ru: string | null;
  /** Number of tournaments */
  leagues: number;
  /** Slugs of sports with a tournament */
  sports: string[];
}

export interface Tournament {
  id: number;
  name: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  sport: string;
  gender: 'men' | 'women' | 'mixed';
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string;
  /** Number of matches */
  events: number;
  /** Level within the country, 1 the highest */
  tier: number | null;
  /** Measured every night, and at the latest five minutes after a change, like `events`; null if not measured yet */
  coverage: Coverage | null;
}

export interface Coverage {
  /** full: incidents, statistics and line-ups are full; partial: some details; results: no details; none: no match is over */
  depth: 'full' | 'partial' | 'results' | 'none';
  /** Number of matches that are over and can have details */
  matches: number;
  measured_at: string;
  /** Has an entry for each block that the sport can have, for `weather`, and for `results` (among the matches that should have a result by now) */
  blocks: Record<string, BlockCoverage>;
}

export interface BlockCoverage {
  /** full: `full_pct` is at least 95; none: no match has the block */
  level: 'full' | 'partial' | 'none';
  /** Percentage of the matches since `since` that have the block, among those that are over */
  pct: number;
  /** Percentage of the same matches in which the block is `full` in `meta.completeness` */
  full_pct: number;
  /** Day of the first match with the block, in the first season in which at least half of the matches have it. Without such a season, in the first season in which any match has it */
  since: string | null;
}

export interface TournamentDetail {
  id: number;
  name: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  sport: string;
  gender: 'men' | 'women' | 'mixed';
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string;
  /** Number of matches */
  events: number;
  /** Level within the country, 1 the highest */
  tier: number | null;
  /** Measured every night, and at the latest five minutes after a change, like `events`; null if not measured yet */
  coverage: Coverage | null;
  current_season: Season | null;
  /** Ids at each provider; only with `external_ids=true` */
  external_ids?: Record<string, string[]>;
}

export interface Season {
  id: number;
  season_label: string;
  start_date: string | null;
  end_date: string | null;
  /** At most one season of a tournament is current: the one that includes today, or else the most recent */
  is_current: boolean;
}

export interface Participant {
  id: number;
  type: 'team' | 'player' | 'referee' | 'coach';
  sport: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string | null;
  gender: 'men' | 'women' | 'mixed';
  /** Players only */
  birth_date: string | null;
  image_url: string;
  /** Stadium, position, height and more, if known. For a player, `club` is the club in a squad list, and `club_id` is its id (null unless exactly one club of the catalogue has the name). `clubs` has the clubs of a player from line-ups and incidents, newest first, with season, team_id, team_name, team_name_ru, matches (null if line-ups or substitutions are not known) and goals (null if the scorers of a match are unknown) */
  extra: Record<string, unknown>;
}

export interface FoundParticipant {
  id: number;
  type: 'team' | 'player' | 'referee' | 'coach';
  sport: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string | null;
  gender: 'men' | 'women' | 'mixed';
  /** Players only */
  birth_date: string | null;
  image_url: string;
  /** Stadium, position, height and more, if known. For a player, `club` is the club in a squad list, and `club_id` is its id (null unless exactly one club of the catalogue has the name). `clubs` has the clubs of a player from line-ups and incidents, newest first, with season, team_id, team_name, team_name_ru, matches (null if line-ups or substitutions are not known) and goals (null if the scorers of a match are unknown) */
  extra: Record<string, unknown>;
  /** Other names by which search finds it, including former ones */
  aliases: ({
    name: string;
    locale: 'en' | 'ru';
  })[];
  relevance: number;
}

export interface SearchHit {
  type: 'team' | 'player' | 'referee' | 'coach' | 'tournament';
  id: number;
  name_i18n: {
    en: string;
    ru?: string;
  };
  sport: string;
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string | null;
  gender: 'men' | 'women' | 'mixed';
  /** Null for tournaments */
  image_url: string | null;
  relevance: number;
}

export interface ExternalId {
  provider: string;
  external_id: string;
  id: number;
}

export interface ParticipantDetail {
  id: number;
  type: 'team' | 'player' | 'referee' | 'coach';
  sport: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string | null;
  gender: 'men' | 'women' | 'mixed';
  /** Players only */
  birth_date: string | null;
  image_url: string;
  /** Stadium, position, height and more, if known. For a player, `club` is the club in a squad list, and `club_id` is its id (null unless exactly one club of the catalogue has the name). `clubs` has the clubs of a player from line-ups and incidents, newest first, with season, team_id, team_name, team_name_ru, matches (null if line-ups or substitutions are not known) and goals (null if the scorers of a match are unknown) */
  extra: Record<string, unknown>;
  /** Ids at each provider; only with `external_ids=true` */
  external_ids?: Record<string, string[]>;
  /** Other names by which search finds it, including former ones */
  aliases: ({
    name: string;
    locale: 'en' | 'ru';
  })[];
  /** Names valid on certain days, oldest first; on other days `name_i18n` applies. Matches show the names of their day (UTC). Tables and top scorers show the names of the last match */
  former_names: ({
    name: string;
    name_ru: string | null;
    /** First day; null if open */
    from: string | null;
    /** Last day; null if open */
    to: string | null;
  })[];
}

export interface ParticipantMatch {
  id: number;
  scheduled_start: string;
  time_tbd: boolean;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
  minute: number | null;
  round_num: number | null;
  round_name: string | null;
  tournament: string;
  tournament_id: number;
  season_id: number;
  sport: string;
  venue: string | null;
  importance: number;
  lineup_confirmed: boolean | null;
  finalized: boolean;
  updated_at: string;
  extra: {
    period_scores: {
      period: string;
      home: number;
      away: number;
      innings?: InningsState;
    }[];
    season: string;
    round: string | null;
    start_time: string | null;
    /** The side that won the shoot-out, if a source has the winner without the score */
    shootout_winner?: 'home' | 'away';
    /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
    winner?: 'home' | 'away' | 'draw';
    [member: string]: unknown;
  };
  weather: {
    stadium: string | null;
    city: string | null;
    temperature_c: number | null;
    feels_like_c: number | null;
    conditions: string | null;
    conditions_i18n?: {
      en: string;
      ru?: string;
    };
    wind_speed_ms: number | null;
    wind_gusts_ms: number | null;
    precipitation_mm: number | null;
    precipitation_prob_pct: number | null;
    humidity_pct: number | null;
    cloud_cover_pct: number | null;
    weather_code: number | null;
    is_forecast: boolean;
    observed_hour_utc: string;
  } | null;
  participants: ({
    participant_id: number;
    /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
    name: string;
    name_ru: string | null;
    side: 'home' | 'away';
    score: number | null;
    image_url: string;
  })[];
  season_label?: string;
  venue_city?: string | null;
  venue_capacity?: number | null;
  referee?: string | null;
  attendance?: number | null;
  /** As in `/v1/venue/{id}` */
  venue_id?: number | null;
  /** As in `/v1/referee/{id}`; of several referees, the first */
  referee_id?: number | null;
  /** All referees of the match, in the order of `referee` */
  referee_ids?: number[];
  meta?: MatchMeta;
  incidents?: Incident[];
  statistics?: Statistic[];
  lineups?: LineupEntry[];
  player_stats?: PlayerStats[];
  coaches?: MatchCoach[];
  missing_players?: MatchMissingPlayer[];
  shotmap?: Shot[];
  momentum?: Momentum;
  odds?: OddsEntry[];
  best_players?: BestPlayer[];
  win_probability?: {
    homeWin: number;
    draw: number | null;
    awayWin: number;
  };
  votes?: Votes;
  highlights?: Highlight[];
  average_positions?: AveragePositions;
  tv_channels?: Record<string, number[]>;
  points_history?: PointsHistory[];
  innings?: Innings[];
  fight?: Fight;
  commentary?: CommentaryEntry[];
  /** Result for the participant, including a shoot-out; null before the end of the match and for abandoned and cancelled matches */
  result: 'W' | 'D' | 'L' | null;
  score_for: number | null;
  score_against: number | null;
  /** Only for a player in a team sport: what the player did in the match */
  player?: PlayerPart;
}

/** State of an innings, with which `158/4 (17.2)` can be written. In cricket only */
export interface InningsState {
  batting: 'home' | 'away';
  wickets: number;
  overs: string;
  declared?: boolean;
}

export interface MatchMeta {
  last_detail_at: string | null;
  /** For each block that the sport can have: `none` if it has no data, `full` if it has all data of a whole match, otherwise `partial`. `lineups` is full if both sides have all starters, and the line-ups are official or the match is over. In a sport without a fixed number of starters it is full if the line-ups are official. `coaches` is full if both sides have one. Other blocks are full only after the end of the match, if they meet a condition. `incidents`: the goals, points or sets among them add up to the score; `statistics`: both sides have each figure; `player_stats`, `average_positions`: both sides have all starters; `shotmap`, `best_players`: both sides have entries; `momentum`: the curve reaches the end of regular time. */
  completeness: Record<string, 'full' | 'partial' | 'none'>;
  sources: string[];
}

export interface Incident {
  id: number;
  minute: number | null;
  minute_plus: number | null;
  period: string | null;
  kind: string;
  side: 'home' | 'away' | null;
  player_name: string | null;
  player_participant_id: number | null;
  assist_name: string | null;
  assist_participant_id: number | null;
  /** Members by kind, as `/v1/reference/incident-kinds` lists them. In a card, `role: "coach"` says that the card was shown to a coach or other staff: `player_name` is the name of that person, and `player_participant_id` is null */
  payload: Record<string, unknown>;
}

export interface Statistic {
  period: string;
  group_name: string | null;
  stat_name: string;
  home_value: number | null;
  away_value: number | null;
  home_text: string | null;
  away_text: string | null;
}

export interface LineupEntry {
  side: 'home' | 'away';
  formation: string | null;
  player_participant_id: number | null;
  player_name: string;
  position: string | null;
  shirt_number: string | null;
  is_substitute: boolean;
  stats: Record<string, unknown>;
}

export interface PlayerStats {
  participant_id: number | null;
  player_name: string;
  side: 'home' | 'away';
  position: string | null;
  stats: Record<string, unknown>;
}

export interface MatchCoach {
  side: 'home' | 'away';
  coach_name: string;
  coach_name_ru: string | null;
  /** As in `/v1/coach/{id}`; null for a name without a letter */
  coach_id: number | null;
}

export interface MatchMissingPlayer {
  side: 'home' | 'away';
  player_name: string;
  position: string | null;
  type: string;
  status: string | null;
  reason_text: string | null;
  /** The player of the match who has exactly this name; null if there is none, or more than one */
  player_participant_id: number | null;
}

export interface Shot {
  player: {
    id: number | null;
    name: string;
  };
  side: 'home' | 'away';
  minute: number | null;
  xg: number | null;
  shotType: string;
  situation: string | null;
  bodyPart: string | null;
  x: number | null;
  y: number | null;
}

export interface Momentum {
  graphPoints: {
    minute: number;
    value: number;
  }[];
}

export interface OddsEntry {
  market_name: string;
  market_group: string | null;
  choice_name: string;
  fractional_value: string;
  opening_value: string | null;
  decimal_value: number;
  opening_decimal: number | null;
  bookmaker: string | null;
  movement: 'up' | 'down' | null;
  winning: boolean | null;
}

export interface BestPlayer {
  side: 'home' | 'away';
  rating: number | null;
  player_name: string;
  position: string | null;
  /** The player of the match who has exactly this name; null if there is none, or more than one */
  player_participant_id: number | null;
}

export interface Votes {
  vote: {
    vote1: number;
    voteX: number | null;
    vote2: number;
  };
}

export interface Highlight {
  title: string;
  url: string;
  thumbnail: string | null;
}

export interface AveragePositions {
  home: ({
    player_name: string;
    x: number;
    y: number;
    /** The player of the match who has exactly this name; null if there is none, or more than one */
    player_participant_id: number | null;
  })[];
  away: ({
    player_name: string;
    x: number;
    y: number;
    /** The player of the match who has exactly this name; null if there is none, or more than one */
    player_participant_id: number | null;
  })[];
}

export interface PointsHistory {
  tab: string;
  points: {
    home: string;
    away: string;
  }[];
}

export interface Innings {
  /** `I1`, `I2` and so on; `SO1`, `SO2` for the innings of super overs */
  period: string;
  batting: 'home' | 'away';
  runs: number;
  wickets: number;
  overs: string;
  balls_per_over: number;
  all_out: boolean;
  declared: boolean;
  forfeited: boolean;
  /** To which the innings was limited */
  max_overs: string | null;
  target: {
    runs: number;
    overs: string | null;
    /** Such as D/L, if the target was revised */
    method: string | null;
  } | null;
  extras: {
    byes: number;
    leg_byes: number;
    wides: number;
    no_balls: number;
    penalty: number;
  };
  batters: ({
    player_name: string;
    runs: number;
    balls: number | null;
    fours: number | null;
    sixes: number | null;
    /** Null for a player who is not out */
    dismissal: {
      /** caught, bowled, lbw, run_out, stumped, retired_hurt and so on */
      kind: string;
      bowler_name: string | null;
      fielder_names: string[];
    } | null;
  })[];
  bowlers: ({
    player_name: string;
    overs: string;
    maidens: number | null;
    runs: number;
    wickets: number;
    wides: number | null;
    no_balls: number | null;
  })[];
  fall_of_wickets: ({
    wicket: number;
    runs: number;
    overs: string | null;
    player_name: string;
  })[];
  /** Runs and wickets in each over, and its deliveries if a source tells each of them */
  by_over: {
    runs: number;
    wickets: number;
    deliveries?: Delivery[];
  }[];
}

export interface Delivery {
  /** Off the bat and extras */
  runs: number;
  /** Absent for none */
  wickets?: number;
  /** Set if it does not count as a ball of the over */
  extra?: 'wide' | 'no_ball';
}

export interface Fight {
  method: string;
  finish_round: number | null;
}

export interface CommentaryEntry {
  minute: number | null;
  text: string;
  text_en: string | null;
  type: string | null;
  side: 'home' | 'away' | null;
  player_name: string | null;
  /** The player of the match who has exactly this name; null if there is none, or more than one */
  player_participant_id: number | null;
}

export interface PlayerPart {
  side: 'home' | 'away';
  /** False if the player was carded but is not known to have played */
  appeared: boolean;
  /** null if unknown */
  started: boolean | null;
  /** Minutes played, without added time; null before the end of the match, and if unknown */
  minutes: number | null;
  /** Without own goals and shoot-outs */
  goals: number;
  /** Goals from penalties */
  penalties: number;
  own_goals: number;
  assists: number;
  /** In football a second yellow card counts only as a red card */
  yellow_cards: number;
  /** Straight red cards and second yellow cards */
  red_cards: number;
}

export interface JsonSchema {
  $schema?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  const?: string | number | boolean | null;
  enum?: (string | number | boolean | null)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

export interface ResolveRequest {
  rows: RowToResolve[];
}

export interface RowToResolve {
  type: 'team' | 'player' | 'tournament';
  /** Goes with `external_id` */
  provider?: string;
  external_id?: string;
  /** Needed without an id. With an id, it is used if the id is not known */
  name?: string;
  sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
  gender?: 'men' | 'women' | 'mixed';
  country?: string;
  /** For players */
  birth_date?: string;
  /** For players: the name of a club for which the player has played */
  club?: string;
}

export interface ResolveReply {
  /** Rows in the request */
  count: number;
  /** Rows with an id of ours */
  resolved: number;
  /** In the request's order */
  rows: Resolution[];
}

export interface Resolution {
  type: 'team' | 'player' | 'tournament';
  /** Our id. Null if nothing fits, or if several do */
  id: number | null;
  /** The name of what was found */
  name: string | null;
  /** certain: an id, a name with a birth date, or a name in a country for a team or tournament; probable: a name with other support; possible: a name alone, so it may be a namesake. Null without an id of ours */
  confidence: 'certain' | 'probable' | 'possible' | null;
  /** external_id: the id is known; birth_date_and_name: one player has the name and the birth date; name_and_country: the name is that of one entity in the country; name_and_club: the name is that of one player who has played for the club; name: the name is that of one entity; nothing else supports it; several: several entities fit, or claim the id; unknown_provider: nothing of this type has an id of the provider; unknown_id: the provider is known, but the id is not; unknown_name: nothing has the name; contradiction: what has the name has another country or birth date */
  reason: 'external_id' | 'birth_date_and_name' | 'name_and_country' | 'name_and_club' | 'name' | 'several' | 'unknown_provider' | 'unknown_id' | 'unknown_name' | 'contradiction';
  /** All that fit, if there are several: at most 10, by id. For a contradiction, all that have the name */
  candidates: ResolveCandidate[];
}

export interface ResolveCandidate {
  id: number;
  name: string;
  sport: string;
  gender: string;
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string | null;
  birth_date: string | null;
}

export interface Match {
  id: number;
  scheduled_start: string;
  time_tbd: boolean;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
  minute: number | null;
  round_num: number | null;
  round_name: string | null;
  tournament: string;
  tournament_id: number;
  season_id: number;
  sport: string;
  venue: string | null;
  importance: number;
  lineup_confirmed: boolean | null;
  finalized: boolean;
  updated_at: string;
  extra: {
    period_scores: {
      period: string;
      home: number;
      away: number;
      innings?: InningsState;
    }[];
    season: string;
    round: string | null;
    start_time: string | null;
    /** The side that won the shoot-out, if a source has the winner without the score */
    shootout_winner?: 'home' | 'away';
    /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
    winner?: 'home' | 'away' | 'draw';
    [member: string]: unknown;
  };
  weather: {
    stadium: string | null;
    city: string | null;
    temperature_c: number | null;
    feels_like_c: number | null;
    conditions: string | null;
    conditions_i18n?: {
      en: string;
      ru?: string;
    };
    wind_speed_ms: number | null;
    wind_gusts_ms: number | null;
    precipitation_mm: number | null;
    precipitation_prob_pct: number | null;
    humidity_pct: number | null;
    cloud_cover_pct: number | null;
    weather_code: number | null;
    is_forecast: boolean;
    observed_hour_utc: string;
  } | null;
  participants: ({
    participant_id: number;
    /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
    name: string;
    name_ru: string | null;
    side: 'home' | 'away';
    score: number | null;
    image_url: string;
  })[];
  season_label?: string;
  venue_city?: string | null;
  venue_capacity?: number | null;
  referee?: string | null;
  attendance?: number | null;
  /** As in `/v1/venue/{id}` */
  venue_id?: number | null;
  /** As in `/v1/referee/{id}`; of several referees, the first */
  referee_id?: number | null;
  /** All referees of the match, in the order of `referee` */
  referee_ids?: number[];
  meta?: MatchMeta;
  incidents?: Incident[];
  statistics?: Statistic[];
  lineups?: LineupEntry[];
  player_stats?: PlayerStats[];
  coaches?: MatchCoach[];
  missing_players?: MatchMissingPlayer[];
  shotmap?: Shot[];
  momentum?: Momentum;
  odds?: OddsEntry[];
  best_players?: BestPlayer[];
  win_probability?: {
    homeWin: number;
    draw: number | null;
    awayWin: number;
  };
  votes?: Votes;
  highlights?: Highlight[];
  average_positions?: AveragePositions;
  tv_channels?: Record<string, number[]>;
  points_history?: PointsHistory[];
  innings?: Innings[];
  fight?: Fight;
  commentary?: CommentaryEntry[];
}

export interface MatchDetail {
  id: number;
  scheduled_start: string;
  time_tbd: boolean;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
  minute: number | null;
  round_num: number | null;
  round_name: string | null;
  tournament: string;
  tournament_id: number;
  season_id: number;
  sport: string;
  venue: string | null;
  importance: number;
  lineup_confirmed: boolean | null;
  finalized: boolean;
  updated_at: string;
  extra: {
    period_scores: {
      period: string;
      home: number;
      away: number;
      innings?: InningsState;
    }[];
    season: string;
    round: string | null;
    start_time: string | null;
    /** The side that won the shoot-out, if a source has the winner without the score */
    shootout_winner?: 'home' | 'away';
    /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
    winner?: 'home' | 'away' | 'draw';
    [member: string]: unknown;
  };
  weather: {
    stadium: string | null;
    city: string | null;
    temperature_c: number | null;
    feels_like_c: number | null;
    conditions: string | null;
    conditions_i18n?: {
      en: string;
      ru?: string;
    };
    wind_speed_ms: number | null;
    wind_gusts_ms: number | null;
    precipitation_mm: number | null;
    precipitation_prob_pct: number | null;
    humidity_pct: number | null;
    cloud_cover_pct: number | null;
    weather_code: number | null;
    is_forecast: boolean;
    observed_hour_utc: string;
  } | null;
  participants: ({
    participant_id: number;
    /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
    name: string;
    name_ru: string | null;
    side: 'home' | 'away';
    score: number | null;
    image_url: string;
  })[];
  /** Ids at each provider; only with `external_ids=true` */
  external_ids?: Record<string, string[]>;
  season_label: string;
  venue_city: string | null;
  venue_capacity: number | null;
  referee: string | null;
  attendance: number | null;
  /** As in `/v1/venue/{id}` */
  venue_id: number | null;
  /** As in `/v1/referee/{id}`; of several referees, the first */
  referee_id: number | null;
  /** All referees of the match, in the order of `referee` */
  referee_ids: number[];
  meta: MatchMeta;
  incidents?: Incident[];
  statistics?: Statistic[];
  lineups?: LineupEntry[];
  player_stats?: PlayerStats[];
  coaches?: MatchCoach[];
  missing_players?: MatchMissingPlayer[];
  shotmap?: Shot[];
  momentum?: Momentum;
  odds?: OddsEntry[];
  best_players?: BestPlayer[];
  win_probability?: {
    homeWin: number;
    draw: number | null;
    awayWin: number;
  };
  votes?: Votes;
  highlights?: Highlight[];
  average_positions?: AveragePositions;
  tv_channels?: Record<string, number[]>;
  points_history?: PointsHistory[];
  innings?: Innings[];
  fight?: Fight;
  commentary?: CommentaryEntry[];
}

export interface DeletedMatch {
  id: number;
  /** moved: the match no longer passes the filters */
  reason: 'deleted' | 'merged' | 'moved';
  merged_into: number | null;
}

export interface HeadToHead {
  team_a: {
    id: number;
    name: string;
    name_ru: string | null;
  };
  team_b: {
    id: number;
    name: string;
    name_ru: string | null;
  };
  /** All meetings */
  total: number;
  /** Meetings that count */
  matches: number;
  team_a_wins: number;
  draws: number;
  team_b_wins: number;
  team_a_goals: number;
  team_b_goals: number;
  /** Items in this page */
  count: number;
  events: Match[];
}

export interface Standings {
  tournament_id: number;
  tournament: string;
  season_id: number | null;
  /** Null for a tournament without seasons */
  season_label: string | null;
  standing_type: 'total' | 'home' | 'away' | 'form';
  /** Values of `grouping` for this season, the default first; empty if the season has no conferences */
  groupings: ('division' | 'conference' | 'wild_card' | 'overall')[];
  table: StandingsRow[];
  /** False if the table is known to lack results, for one of three reasons. A match that was not postponed has no result a day after its start. The season is over (its last match began more than 120 days ago), but lacks matches that nearly all its sides or pairings have, or the groups after its split. The sources of the season are known to be incomplete. Matches to come do not count as missing */
  complete: boolean;
  /** Why the list is empty. no_table: the season has no table; not_begun: no match that counts had a result by then */
  reason?: 'no_table' | 'not_begun';
}

export interface StandingsRow {
  /** Within the group, if there are groups */
  position: number;
  participant_id: number;
  /** Name on the day of the side's last match in the season */
  name: string;
  name_ru: string | null;
  /** Null if the season has one table, and for the regular season of a divided league. If no source names the groups but the fixtures prove them, a number (`1`, or `2.1` for the first group of the second stage), in the order of the groups' first names */
  group: string | null;
  played: number;
  wins: number;
  draws: number;
  losses: number;
  /** Part of `wins`: after overtime, extra time or a shoot-out, or in the deciding set */
  overtime_wins: number;
  /** Part of `losses` */
  overtime_losses: number;
  /** Share of matches won, with three decimals; a draw is half a win unless the rules say otherwise. Null before the first match */
  win_percentage: number | null;
  /** Matches behind the leader, in halves; in the grouping `wild_card` behind the last place that leads to the play-offs (below 0: ahead of it). Null unless the table is ordered by `win_percentage` */
  games_behind: number | null;
  scores_for: number;
  scores_against: number;
  goal_difference: number;
  /** Points won in all sets, where they decide between level sides, as in volleyball. Null in other sports */
  set_points_for: number | null;
  /** Points lost in all sets, as in `set_points_for` */
  set_points_against: number | null;
  /** Part of `points`, for tries or a narrow defeat. Null if the rules have none */
  bonus_points: number | null;
  /** Part of `played`: abandoned matches. Null if the rules give no points for them */
  no_results: number | null;
  /** In cricket: runs per over scored less conceded, with three decimals. Null in other sports */
  net_run_rate: number | null;
  points: number;
  /** Points that the organizer has deducted, already subtracted from `points`; below 0 if points were added. Only in `total` */
  points_deducted: number;
  /** Outcomes of the row's last five matches, newest on the left */
  form: string;
  /** What the place leads to, by the rules of the season. Null if the place leads to nothing, if the rules are not known, and in tables other than `total` */
  zone: 'champions_league' | 'europa_league' | 'conference_league' | 'promotion' | 'promotion_play_off' | 'next_round' | 'play_off' | 'play_in' | 'relegation_play_off' | 'relegation' | null;
  /** Only with `date` or `round`: places gained since the previous day with matches, or since the previous round; below 0: places lost. Null if the side had no place then */
  movement?: number | null;
}

export interface StandingsHistory {
  tournament_id: number;
  tournament: string;
  season_id: number | null;
  season_label: string | null;
  groupings: ('division' | 'conference' | 'wild_card' | 'overall')[];
  /** Rounds with at least one result, in the order of play. If most matches of the season have no round: weeks from Monday to Sunday, or days in a season of less than eight weeks (UTC), both without number and name */
  steps: StandingsStep[];
  rows: StandingsHistoryRow[];
  /** Why the list is empty. no_table: the season has no table; not_begun: no match that counts had a result by then */
  reason?: 'no_table' | 'not_begun';
}

export interface StandingsStep {
  round_num: number | null;
  round_name: string | null;
  /** Day (UTC) of the last match that has been played in it */
  last_day: string;
}

export interface StandingsHistoryRow {
  participant_id: number;
  name: string;
  name_ru: string | null;
  group: string | null;
  /** Place after each of the `steps`; null while the side had none */
  positions: (number | null)[];
  /** Points after each of the `steps` */
  points: (number | null)[];
}

export interface Scorers {
  tournament_id: number;
  season_id: number | null;
  count: number;
  scorers: Scorer[];
  /** Why the list is empty: no match has a result, or no source names the scorers */
  reason?: 'no_results' | 'no_scorers';
  /** Only with an empty list: a value for `season`, the id of the latest season that has scorers */
  latest_season_with_scorers?: number | null;
}

export interface Scorer {
  /** Shared by players with the same number of goals */
  rank: number;
  /** Null for a player known only by name */
  participant_id: number | null;
  player_name: string;
  player_name_ru: string | null;
  team_id: number;
  /** Name on the day of the player's last match */
  team_name: string;
  team_name_ru: string | null;
  /** Goals; points in basketball, rugby and other sports that count points */
  goals: number;
  assists: number | null;
  /** Goals from penalties */
  penalties: number | null;
  /** Matches played; null if the line-ups or substitutions of some matches are not known */
  matches: number | null;
}

export interface Bracket {
  tournament_id: number;
  tournament: string;
  season_id: number | null;
  season_label: string | null;
  /** In playing order, the final last */
  rounds: BracketRound[];
  /** Only with empty `rounds`. no_rounds: no source names the rounds of this season, and its matches do not show them; no_knockout: none of its rounds is known to be a knock-out round, or there is none yet */
  reason?: 'no_rounds' | 'no_knockout';
}

export interface BracketRound {
  name: string;
  matchups: BracketMatchup[];
}

export interface BracketMatchup {
  /** Whether the tie is decided */
  finished: boolean;
  /** How the tie was decided, with extra time, penalties, replays and aggregates: `3:3 after extra time, 4:2 on penalties`; `5:4 on aggregate`; `1:1 after extra time; 1:0 in the replay`; `3:2 in the series`. Null before the end, and if no match tells how the tie was decided */
  result: string | null;
  /** Score of the first team: in the deciding match, in both legs together, or games won in a series; without shoot-outs */
  home_score: string | null;
  /** The second team's score */
  away_score: string | null;
  /** The host of the first match comes first */
  teams: BracketTeam[];
  /** The team that advances or wins the cup, according to the matches. If they do not tell, according to the teams in a later round; null if these do not tell either */
  winner_id: number | null;
  /** All matches between the two, oldest first, including abandoned ones */
  event_ids: number[];
  legs: BracketLeg[];
}

export interface BracketTeam {
  participant_id: number | null;
  /** Name on the day of the side's last match in the season; null if the side is not known yet */
  name: string | null;
  name_ru: string | null;
  /** A national team's FIFA code, or a club's code at a provider */
  code: string | null;
  /** True if the side skipped the previous round, although other sides in this round had to play it. A play-in is not counted */
  bye: boolean;
}

/** The first and the second team's score, whichever was the host */
export interface BracketLeg {
  /** Null for a leg that must exist but is unknown */
  event_id: number | null;
  home_score: number | null;
  away_score: number | null;
}

export interface Rounds {
  tournament_id: number;
  season_id: number | null;
  season_label: string | null;
  count: number;
  rounds: Round[];
  /** Only with an empty list: no source names the rounds of this season */
  reason?: 'no_rounds';
}

export interface Round {
  round_num: number | null;
  round_name: string | null;
  matches: number;
  /** Matches that are over, cancelled ones included */
  finished: number;
  first_start: string;
  last_start: string;
  /** True for the round of the next match that is live or to come, or for the last round if there is no such match. Exactly one round is current */
  is_current: boolean;
}

export interface Statistics {
  participant_id: number;
  count: number;
  statistics: SeasonStatistics[];
  /** Only for a player in cricket: the figures of all seasons in the list. Null if one is unknown */
  career?: CricketFigures | null;
  /** Only with an empty list: no finished match of the participant is known in the requested seasons */
  reason?: 'no_results';
}

export interface SeasonStatistics {
  season_id: number;
  season_label: string;
  tournament_id: number;
  tournament: string;
  team_id: number;
  /** Name on the day of the last counted match */
  team_name: string;
  team_name_ru: string | null;
  /** Matches in which the player appeared: null unless all line-ups and substitutions are known */
  matches: number | null;
  /** Null unless all line-ups are known; players only */
  starts: number | null;
  /** Without added time; null like `matches`, and in sports in which players come and go */
  minutes: number | null;
  /** Goals; points in sports that count points, such as basketball and rugby. Null unless the scorers of all goals or points of the team in the season are known */
  goals: number | null;
  /** Null like `goals`, and if no match of the season has an assist */
  assists: number | null;
  /** Null in sports without cards, and unless a source reports the cards of every match. In football a second yellow card counts only as a red card. For a team, the cards in the match statistics count, if there are any */
  yellow_cards: number | null;
  /** Straight red cards and second yellow cards; null like `yellow_cards` */
  red_cards: number | null;
  /** Matches without a goal against; null in sports that do not count them. For a goalkeeper, only matches played from start to end; null for other players. Null like `matches` */
  clean_sheets: number | null;
  /** Teams only, like `draws`, `losses` and `goals_against` */
  wins: number | null;
  draws: number | null;
  losses: number | null;
  goals_against: number | null;
  /** Goals from penalties; null like `assists` */
  penalties: number | null;
  /** Null like `goals` */
  own_goals: number | null;
  /** Only for a player in cricket. Null unless a source gives the figures of players in every match */
  cricket?: CricketFigures | null;
}

/** Figures of a cricketer, without super overs */
export interface CricketFigures {
  /** In which the player batted */
  innings: number;
  not_outs: number;
  runs: number;
  /** In an innings; `113*` is 113 not out */
  highest_score: string | null;
  /** Runs divided by the number of times out; null if never out */
  batting_average: number | null;
  balls_faced: number;
  /** Runs per 100 balls faced */
  strike_rate: number | null;
  /** Innings with 100 runs or more */
  hundreds: number;
  /** Innings with 50 to 99 runs */
  fifties: number;
  fours: number;
  sixes: number;
  balls_bowled: number;
  maidens: number;
  runs_conceded: number;
  wickets: number;
  /** In an innings; `5/17` is 5 wickets for 17 runs */
  best_bowling: string | null;
  /** Runs conceded per wicket */
  bowling_average: number | null;
  /** Runs conceded per over of six balls */
  economy: number | null;
  catches: number;
  stumpings: number;
  run_outs: number;
}

export interface Squad {
  participant_id: number;
  /** Null if none of the team's players are known */
  season_label: string | null;
  /** Seasons in which players are known, newest first */
  season_labels: string[];
  /** Competitions of the season in which players are known, newest first */
  competitions: SquadCompetition[];
  count: number;
  squad: SquadPlayer[];
  /** Only with an empty list: no finished match that the plan includes names players of the team */
  reason?: 'no_players';
}

export interface SquadCompetition {
  season_id: number;
  tournament_id: number;
  tournament: string;
  /** Whether a source has the list of players that the team has entered */
  is_listed: boolean;
  /** Whether players and figures of this competition are in `squad` */
  is_counted: boolean;
}

export interface SquadPlayer {
  /** Null for a player known only by name */
  participant_id: number | null;
  player_name: string;
  player_name_ru: string | null;
  birth_date: string | null;
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string | null;
  /** From the list of players, otherwise the most frequent number */
  shirt_number: string | null;
  /** From the list of players, otherwise the most frequent position; as sources write it */
  position: string | null;
  /** Matches in which the player appeared: null unless all line-ups and substitutions are known */
  matches: number | null;
  /** Null unless all line-ups are known; players only */
  starts: number | null;
  /** Without added time; null like `matches`, and in sports in which players come and go */
  minutes: number | null;
  /** Goals; points in sports that count points, such as basketball and rugby. Null unless the scorers of all goals or points of the team in the season are known */
  goals: number | null;
  /** Null like `goals`, and if no match of the season has an assist */
  assists: number | null;
  /** Null in sports without cards, and unless a source reports the cards of every match. In football a second yellow card counts only as a red card. For a team, the cards in the match statistics count, if there are any */
  yellow_cards: number | null;
  /** Straight red cards and second yellow cards; null like `yellow_cards` */
  red_cards: number | null;
  /** Matches without a goal against; null in sports that do not count them. For a goalkeeper, only matches played from start to end; null for other players. Null like `matches` */
  clean_sheets: number | null;
}

export interface Missing {
  participant_id: number;
  /** The cards that were read, one for a team; without one, it is not known who is missing */
  cards: {
    event_id: number;
    team_id: number;
    scheduled_start: string;
    updated_at: string;
  }[];
  count: number;
  missing: MissingPlayer[];
}

export interface MissingPlayer {
  event_id: number;
  team_id: number;
  /** Null unless exactly one of the team's players has the name */
  player_participant_id: number | null;
  player_name: string;
  position: string | null;
  type: string;
  status: string | null;
  reason_text: string | null;
}

export interface TournamentMissing {
  tournament_id: number;
  season_id: number | null;
  season_label: string | null;
  /** The cards that were read, one for a team; without one, it is not known who is missing */
  cards: {
    event_id: number;
    team_id: number;
    scheduled_start: string;
    updated_at: string;
  }[];
  count: number;
  missing: MissingPlayer[];
}

export interface Leaders {
  tournament_id: number;
  season_id: number | null;
  season_label: string | null;
  stat: string;
  count: number;
  leaders: Leader[];
  /** Why the list is empty: no match has a result, no source tells the figure, or the figure is 0 for all players */
  reason?: 'no_results' | 'unknown';
  /** Only with an empty list: a value for `season`, the id of the latest season that has leaders by `stat`. Null if there is none, or if the three latest candidates lack figures */
  latest_season_with_leaders?: number | null;
}

export interface Leader {
  /** Shared by players with the same value */
  rank: number;
  /** Null for a player known only by name */
  participant_id: number | null;
  player_name: string;
  player_name_ru: string | null;
  team_id: number;
  /** Name on the day of the last counted match */
  team_name: string;
  team_name_ru: string | null;
  value: number;
  /** For `highest_score` and `best_bowling`: the value as cricket writes it, `113*` or `5/17` */
  value_text?: string;
  /** Matches played; null unless all line-ups and substitutions are known */
  matches: number | null;
}

export interface Rankings {
  kind: 'fifa' | 'uefa_clubs' | 'uefa_countries' | 'atp_singles' | 'atp_doubles' | 'atp_singles_race' | 'atp_doubles_race' | 'wta_singles' | 'wta_doubles' | 'wta_singles_race' | 'wta_doubles_race' | 'elo_national_teams' | 'elo_clubs' | 'elo_american_football' | 'elo_basketball' | 'elo_baseball' | 'elo_rugby' | 'elo_ice_hockey' | 'elo_aussie_rules' | 'elo_cricket' | 'elo_volleyball';
  /** Null if no ranking was published by that day */
  published_at: string | null;
  /** The ranking that `movement` refers to */
  previous_published_at: string | null;
  /** Items in this page */
  count: number;
  /** Items in all pages */
  total: number;
  rankings: RankingEntry[];
  /** Why there is no ranking. not_imported: the operator of this service has imported no ranking of this kind. not_computed: the ratings have not been computed, or no team has enough matches for them. published_later: the first ranking is newer than `date` */
  reason?: 'not_imported' | 'not_computed' | 'published_later';
  /** Only with `published_later`: the earliest value of `date` that gives a ranking */
  first_published_at?: string;
}

export interface RankingEntry {
  /** Equal for participants that are level */
  rank: number;
  participant: {
    id: number;
    /** On the ranking's day */
    name: string;
    name_ru: string | null;
    country: string | null;
  };
  /** Null if the source does not publish them */
  points: number | null;
  /** Places gained (above 0) or lost since the previous ranking; null for a new entry and in the first ranking */
  movement: number | null;
}

export interface Ratings {
  participant_id: number;
  /** Null if the participant has no rating */
  kind: 'fifa' | 'uefa_clubs' | 'uefa_countries' | 'atp_singles' | 'atp_doubles' | 'atp_singles_race' | 'atp_doubles_race' | 'wta_singles' | 'wta_doubles' | 'wta_singles_race' | 'wta_doubles_race' | 'elo_national_teams' | 'elo_clubs' | 'elo_american_football' | 'elo_basketball' | 'elo_baseball' | 'elo_rugby' | 'elo_ice_hockey' | 'elo_aussie_rules' | 'elo_cricket' | 'elo_volleyball' | null;
  count: number;
  ratings: RatingEntry[];
}

export interface RatingEntry {
  /** Last day whose results count */
  date: string;
  points: number;
  rank: number;
}

export interface Transfers {
  participant_id: number;
  type: 'player' | 'team';
  /** Items in this page */
  count: number;
  /** Items in all pages */
  total: number;
  transfers: Transfer[];
}

export interface Transfer {
  /** For a derived move: `seen_on` if the transfer window is known, otherwise null */
  date: string | null;
  /** `day`: a source lists the day of the move. The rest are for derived moves. `window`: line-ups show the move, which fell into a transfer window after the last appearance for the former club; `season`: only goals or cards without line-ups show the move, which may be months earlier; `unknown`: the player had not appeared for a club for more than a season */
  date_precision: 'day' | 'window' | 'season' | 'unknown';
  /** For a derived move: day of the first appearance for the new club, to which the player moved before or on that day */
  seen_on: string | null;
  /** For a derived move: season of the first appearance for the new club */
  season: string | null;
  type: 'transfer' | 'loan' | 'loan_return' | 'other';
  player_id: number;
  player_name: string;
  player_name_ru: string | null;
  /** Null for a club that is not in the catalogue */
  from_team_id: number | null;
  /** The name of the club on that day; null if there is no club, or if it is unknown */
  from_team: string | null;
  from_team_ru: string | null;
  to_team_id: number | null;
  to_team: string | null;
  to_team_ru: string | null;
  /** A loan's agreed last day */
  loan_until: string | null;
  /** 0 if free; null if unknown */
  fee: number | null;
  /** ISO 4217 */
  fee_currency: string | null;
  /** True if no source lists this move, but the player appears for a different club */
  derived: boolean;
}

export interface Venue {
  id: number;
  name: string;
  city: string | null;
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string;
  /** Number of spectators; null if no source has it */
  capacity: number | null;
  /** Number of matches, including those to come */
  events: number;
}

export interface VenueDetail {
  id: number;
  name: string;
  city: string | null;
  /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
  country: string;
  /** Number of spectators; null if no source has it */
  capacity: number | null;
  /** Number of matches, including those to come */
  events: number;
  /** Other names, such as a names with a sponsor */
  aliases: string[];
  /** Degrees north */
  latitude: number | null;
  /** Degrees east */
  longitude: number | null;
  /** A name of the IANA database */
  timezone: string | null;
  first_match: string | null;
  /** May be to come */
  last_match: string | null;
  /** The 20 teams with the most home matches here. A match does not count on neutral ground, or if a national team plays abroad */
  tenants: Tenant[];
  /** The last ten finished matches, newest first */
  last_events: ({
    id: number;
    scheduled_start: string;
    time_tbd: boolean;
    status: 'scheduled' | 'live' | 'finished';
    status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
    minute: number | null;
    round_num: number | null;
    round_name: string | null;
    tournament: string;
    tournament_id: number;
    season_id: number;
    sport: string;
    venue: string | null;
    importance: number;
    lineup_confirmed: boolean | null;
    finalized: boolean;
    updated_at: string;
    extra: {
      period_scores: {
        period: string;
        home: number;
        away: number;
        innings?: InningsState;
      }[];
      season: string;
      round: string | null;
      start_time: string | null;
      /** The side that won the shoot-out, if a source has the winner without the score */
      shootout_winner?: 'home' | 'away';
      /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
      winner?: 'home' | 'away' | 'draw';
      [member: string]: unknown;
    };
    weather: {
      stadium: string | null;
      city: string | null;
      temperature_c: number | null;
      feels_like_c: number | null;
      conditions: string | null;
      conditions_i18n?: {
        en: string;
        ru?: string;
      };
      wind_speed_ms: number | null;
      wind_gusts_ms: number | null;
      precipitation_mm: number | null;
      precipitation_prob_pct: number | null;
      humidity_pct: number | null;
      cloud_cover_pct: number | null;
      weather_code: number | null;
      is_forecast: boolean;
      observed_hour_utc: string;
    } | null;
    participants: ({
      participant_id: number;
      /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
      name: string;
      name_ru: string | null;
      side: 'home' | 'away';
      score: number | null;
      image_url: string;
    })[];
  })[];
  /** The next ten matches that are not finished, soonest first */
  next_events: ({
    id: number;
    scheduled_start: string;
    time_tbd: boolean;
    status: 'scheduled' | 'live' | 'finished';
    status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
    minute: number | null;
    round_num: number | null;
    round_name: string | null;
    tournament: string;
    tournament_id: number;
    season_id: number;
    sport: string;
    venue: string | null;
    importance: number;
    lineup_confirmed: boolean | null;
    finalized: boolean;
    updated_at: string;
    extra: {
      period_scores: {
        period: string;
        home: number;
        away: number;
        innings?: InningsState;
      }[];
      season: string;
      round: string | null;
      start_time: string | null;
      /** The side that won the shoot-out, if a source has the winner without the score */
      shootout_winner?: 'home' | 'away';
      /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
      winner?: 'home' | 'away' | 'draw';
      [member: string]: unknown;
    };
    weather: {
      stadium: string | null;
      city: string | null;
      temperature_c: number | null;
      feels_like_c: number | null;
      conditions: string | null;
      conditions_i18n?: {
        en: string;
        ru?: string;
      };
      wind_speed_ms: number | null;
      wind_gusts_ms: number | null;
      precipitation_mm: number | null;
      precipitation_prob_pct: number | null;
      humidity_pct: number | null;
      cloud_cover_pct: number | null;
      weather_code: number | null;
      is_forecast: boolean;
      observed_hour_utc: string;
    } | null;
    participants: ({
      participant_id: number;
      /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
      name: string;
      name_ru: string | null;
      side: 'home' | 'away';
      score: number | null;
      image_url: string;
    })[];
  })[];
}

export interface Tenant {
  team_id: number;
  team_name: string;
  team_name_ru: string | null;
  sport: string;
  /** Home matches of the team at this venue, including those to come */
  matches: number;
  first_match: string;
  last_match: string;
}

export interface Staff {
  id: number;
  sport: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  /** The country of the competitions; null for international ones. For a person who has played, the nationality */
  country: string | null;
  /** Number of matches, including those to come */
  events: number;
}

export interface RefereeDetail {
  id: number;
  sport: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  /** The country of the competitions; null for international ones. For a person who has played, the nationality */
  country: string | null;
  /** The roles that the person has had in the catalogue: `player`, `coach`, `referee`. One person has one id in all roles */
  roles: ('team' | 'player' | 'referee' | 'coach')[];
  /** Other spellings by which search finds the person */
  aliases: string[];
  former_names: ({
    name: string;
    name_ru: string | null;
    from: string | null;
    to: string | null;
  })[];
  /** Number of matches, including those to come */
  events: number;
  /** Finished matches */
  matches: number;
  /** Of these, the matches whose cards a source reports */
  matches_with_cards: number;
  /** In the matches of `matches_with_cards`, as the match statistics or else the incidents count them */
  yellow_cards: number;
  /** Straight red cards and second yellow cards */
  red_cards: number;
  /** `yellow_cards` / `matches_with_cards`; null without such a match */
  yellow_cards_per_match: number | null;
  red_cards_per_match: number | null;
  /** The matches whose incidents a source reports in full, with or without a penalty */
  matches_with_penalties: number;
  /** Penalties in play, scored or not, in the matches of `matches_with_penalties` */
  penalties: number;
  penalties_per_match: number | null;
  /** By season and tournament, newest first */
  seasons: RefereeSeason[];
  /** The last ten finished matches, newest first */
  last_events: ({
    id: number;
    scheduled_start: string;
    time_tbd: boolean;
    status: 'scheduled' | 'live' | 'finished';
    status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
    minute: number | null;
    round_num: number | null;
    round_name: string | null;
    tournament: string;
    tournament_id: number;
    season_id: number;
    sport: string;
    venue: string | null;
    importance: number;
    lineup_confirmed: boolean | null;
    finalized: boolean;
    updated_at: string;
    extra: {
      period_scores: {
        period: string;
        home: number;
        away: number;
        innings?: InningsState;
      }[];
      season: string;
      round: string | null;
      start_time: string | null;
      /** The side that won the shoot-out, if a source has the winner without the score */
      shootout_winner?: 'home' | 'away';
      /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
      winner?: 'home' | 'away' | 'draw';
      [member: string]: unknown;
    };
    weather: {
      stadium: string | null;
      city: string | null;
      temperature_c: number | null;
      feels_like_c: number | null;
      conditions: string | null;
      conditions_i18n?: {
        en: string;
        ru?: string;
      };
      wind_speed_ms: number | null;
      wind_gusts_ms: number | null;
      precipitation_mm: number | null;
      precipitation_prob_pct: number | null;
      humidity_pct: number | null;
      cloud_cover_pct: number | null;
      weather_code: number | null;
      is_forecast: boolean;
      observed_hour_utc: string;
    } | null;
    participants: ({
      participant_id: number;
      /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
      name: string;
      name_ru: string | null;
      side: 'home' | 'away';
      score: number | null;
      image_url: string;
    })[];
  })[];
  /** The next ten matches that are not finished, soonest first */
  next_events: ({
    id: number;
    scheduled_start: string;
    time_tbd: boolean;
    status: 'scheduled' | 'live' | 'finished';
    status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
    minute: number | null;
    round_num: number | null;
    round_name: string | null;
    tournament: string;
    tournament_id: number;
    season_id: number;
    sport: string;
    venue: string | null;
    importance: number;
    lineup_confirmed: boolean | null;
    finalized: boolean;
    updated_at: string;
    extra: {
      period_scores: {
        period: string;
        home: number;
        away: number;
        innings?: InningsState;
      }[];
      season: string;
      round: string | null;
      start_time: string | null;
      /** The side that won the shoot-out, if a source has the winner without the score */
      shootout_winner?: 'home' | 'away';
      /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
      winner?: 'home' | 'away' | 'draw';
      [member: string]: unknown;
    };
    weather: {
      stadium: string | null;
      city: string | null;
      temperature_c: number | null;
      feels_like_c: number | null;
      conditions: string | null;
      conditions_i18n?: {
        en: string;
        ru?: string;
      };
      wind_speed_ms: number | null;
      wind_gusts_ms: number | null;
      precipitation_mm: number | null;
      precipitation_prob_pct: number | null;
      humidity_pct: number | null;
      cloud_cover_pct: number | null;
      weather_code: number | null;
      is_forecast: boolean;
      observed_hour_utc: string;
    } | null;
    participants: ({
      participant_id: number;
      /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
      name: string;
      name_ru: string | null;
      side: 'home' | 'away';
      score: number | null;
      image_url: string;
    })[];
  })[];
}

export interface RefereeSeason {
  season_id: number;
  season_label: string;
  tournament_id: number;
  tournament: string;
  tournament_ru: string | null;
  /** Finished matches */
  matches: number;
  /** Of these, the matches whose cards a source reports */
  matches_with_cards: number;
  /** In the matches of `matches_with_cards`, as the match statistics or else the incidents count them */
  yellow_cards: number;
  /** Straight red cards and second yellow cards */
  red_cards: number;
  /** `yellow_cards` / `matches_with_cards`; null without such a match */
  yellow_cards_per_match: number | null;
  red_cards_per_match: number | null;
  /** The matches whose incidents a source reports in full, with or without a penalty */
  matches_with_penalties: number;
  /** Penalties in play, scored or not, in the matches of `matches_with_penalties` */
  penalties: number;
  penalties_per_match: number | null;
}

export interface CoachDetail {
  id: number;
  sport: string;
  name_i18n: {
    en: string;
    ru?: string;
  };
  /** The country of the competitions; null for international ones. For a person who has played, the nationality */
  country: string | null;
  /** The roles that the person has had in the catalogue: `player`, `coach`, `referee`. One person has one id in all roles */
  roles: ('team' | 'player' | 'referee' | 'coach')[];
  /** Other spellings by which search finds the person */
  aliases: string[];
  former_names: ({
    name: string;
    name_ru: string | null;
    from: string | null;
    to: string | null;
  })[];
  /** Number of matches, including those to come */
  events: number;
  /** Finished matches with a result */
  matches: number;
  /** In football, a match that a shoot-out decided is a draw */
  wins: number;
  draws: number;
  losses: number;
  /** Goals, or points in sports that count points */
  goals_for: number;
  goals_against: number;
  /** By season, tournament and team, newest first */
  seasons: CoachSeason[];
  /** The last ten finished matches, newest first */
  last_events: ({
    id: number;
    scheduled_start: string;
    time_tbd: boolean;
    status: 'scheduled' | 'live' | 'finished';
    status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
    minute: number | null;
    round_num: number | null;
    round_name: string | null;
    tournament: string;
    tournament_id: number;
    season_id: number;
    sport: string;
    venue: string | null;
    importance: number;
    lineup_confirmed: boolean | null;
    finalized: boolean;
    updated_at: string;
    extra: {
      period_scores: {
        period: string;
        home: number;
        away: number;
        innings?: InningsState;
      }[];
      season: string;
      round: string | null;
      start_time: string | null;
      /** The side that won the shoot-out, if a source has the winner without the score */
      shootout_winner?: 'home' | 'away';
      /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
      winner?: 'home' | 'away' | 'draw';
      [member: string]: unknown;
    };
    weather: {
      stadium: string | null;
      city: string | null;
      temperature_c: number | null;
      feels_like_c: number | null;
      conditions: string | null;
      conditions_i18n?: {
        en: string;
        ru?: string;
      };
      wind_speed_ms: number | null;
      wind_gusts_ms: number | null;
      precipitation_mm: number | null;
      precipitation_prob_pct: number | null;
      humidity_pct: number | null;
      cloud_cover_pct: number | null;
      weather_code: number | null;
      is_forecast: boolean;
      observed_hour_utc: string;
    } | null;
    participants: ({
      participant_id: number;
      /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
      name: string;
      name_ru: string | null;
      side: 'home' | 'away';
      score: number | null;
      image_url: string;
    })[];
  })[];
  /** The next ten matches that are not finished, soonest first */
  next_events: ({
    id: number;
    scheduled_start: string;
    time_tbd: boolean;
    status: 'scheduled' | 'live' | 'finished';
    status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
    minute: number | null;
    round_num: number | null;
    round_name: string | null;
    tournament: string;
    tournament_id: number;
    season_id: number;
    sport: string;
    venue: string | null;
    importance: number;
    lineup_confirmed: boolean | null;
    finalized: boolean;
    updated_at: string;
    extra: {
      period_scores: {
        period: string;
        home: number;
        away: number;
        innings?: InningsState;
      }[];
      season: string;
      round: string | null;
      start_time: string | null;
      /** The side that won the shoot-out, if a source has the winner without the score */
      shootout_winner?: 'home' | 'away';
      /** The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match */
      winner?: 'home' | 'away' | 'draw';
      [member: string]: unknown;
    };
    weather: {
      stadium: string | null;
      city: string | null;
      temperature_c: number | null;
      feels_like_c: number | null;
      conditions: string | null;
      conditions_i18n?: {
        en: string;
        ru?: string;
      };
      wind_speed_ms: number | null;
      wind_gusts_ms: number | null;
      precipitation_mm: number | null;
      precipitation_prob_pct: number | null;
      humidity_pct: number | null;
      cloud_cover_pct: number | null;
      weather_code: number | null;
      is_forecast: boolean;
      observed_hour_utc: string;
    } | null;
    participants: ({
      participant_id: number;
      /** The name on the day of the match (UTC), so that former states and clubs have their names of that time */
      name: string;
      name_ru: string | null;
      side: 'home' | 'away';
      score: number | null;
      image_url: string;
    })[];
  })[];
}

export interface CoachSeason {
  season_id: number;
  season_label: string;
  tournament_id: number;
  tournament: string;
  tournament_ru: string | null;
  team_id: number;
  /** Name on the day of the last match */
  team_name: string;
  team_name_ru: string | null;
  /** Finished matches with a result */
  matches: number;
  /** In football, a match that a shoot-out decided is a draw */
  wins: number;
  draws: number;
  losses: number;
  /** Goals, or points in sports that count points */
  goals_for: number;
  goals_against: number;
}

export interface Analytics {
  event_id: number;
  sport: string;
  tournament: {
    id: number;
    name: string;
    name_ru: string | null;
  };
  home: AnalyticsTeam;
  away: AnalyticsTeam;
  h2h: {
    matches: number;
    team_a_wins: number;
    draws: number;
    team_b_wins: number;
    goals_avg: number | null;
    over_2_5: number | null;
    btts: number | null;
    recent: ({
      date: string;
      /** Home side first, as in that match */
      score: string;
      home: 'team_a' | 'team_b';
      /** Only if a shoot-out decided the match. In football such a match counts as a draw; in other sports the final result counts */
      shootout?: boolean;
    })[];
    /** Only with `explain=true` */
    explain?: {
      /** The matches in the sample, newest first */
      event_ids: number[];
      truncated: boolean;
      /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
      bounds?: Record<string, string | number>;
    };
  };
  model: {
    expected_goals: {
      home: number;
      away: number;
      total: number;
    };
    probabilities: {
      home_win: number;
      draw: number;
      away_win: number;
      over_1_5: number;
      over_2_5: number;
      over_3_5: number;
      under_2_5: number;
      btts: number;
    };
    fair_odds: {
      home_win: number | null;
      draw: number | null;
      away_win: number | null;
      over_1_5: number | null;
      over_2_5: number | null;
      over_3_5: number | null;
      under_2_5: number | null;
      btts: number | null;
    };
    likely_scorelines: {
      score: string;
      prob: number;
    }[];
    sample: {
      from: string;
      to: string;
      league_matches: number;
      home_matches: number;
      away_matches: number;
    };
    strengths: {
      home: {
        attack: number;
        defence: number;
      };
      away: {
        attack: number;
        defence: number;
      };
    };
    calibrated?: {
      expected_goals: {
        home: number;
        away: number;
        total: number;
      };
      probabilities: {
        home_win: number;
        draw: number;
        away_win: number;
        over_1_5: number;
        over_2_5: number;
        over_3_5: number;
        under_2_5: number;
        btts: number;
      };
      fair_odds: {
        home_win: number | null;
        draw: number | null;
        away_win: number | null;
        over_1_5: number | null;
        over_2_5: number | null;
        over_3_5: number | null;
        under_2_5: number | null;
        btts: number | null;
      };
      method: string;
      likely_scorelines: {
        score: string;
        prob: number;
      }[];
      /** By the calibrated model; the `value_bets` at the top level of the reply are by `model` itself */
      value_bets: ({
        market: '1x2' | 'over_under_2.5' | 'btts';
        selection: 'home' | 'draw' | 'away' | 'over' | 'under' | 'yes' | 'no';
        market_odds: number;
        fair_odds: number;
        edge_pct: number;
        /** Present if the edge is over 20 %, which is more often the model's error than the market's mistake */
        caution?: boolean;
      })[];
      /** Only with `explain=true` */
      explain?: {
        /** The matches in the sample, newest first */
        event_ids: number[];
        truncated: boolean;
        /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
        bounds?: Record<string, string | number>;
      };
    };
    /** Only with `explain=true` */
    explain?: {
      /** The matches in the sample, newest first */
      event_ids: number[];
      truncated: boolean;
      /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
      bounds?: Record<string, string | number>;
      league_averages: {
        home: number;
        away: number;
      };
      home_event_ids: number[];
      away_event_ids: number[];
    };
  } | null;
  /** Elo ratings with margin of victory, and the probabilities that follow from them, without a model of goals. Null in other sports, before the ratings are computed, and if a side has fewer than 5 rated matches; `draw` is null if matches always have a winner */
  rating: {
    method: 'elo_margin';
    /** fivethirtyeight: published for the sport; fitted: to earlier seasons; assumed: chosen by analogy with a different sport */
    parameters: 'fivethirtyeight' | 'fitted' | 'assumed';
    home: {
      rating: number;
      /** Rated matches before this one */
      matches: number;
    };
    away: {
      rating: number;
      /** Rated matches before this one */
      matches: number;
    };
    /** Points that playing at home is worth; 0 on neutral ground */
    home_advantage: number;
    /** Points for a match of the away side on the day before; negative for one of the home side */
    rest: number;
    /** The home side's lead, home advantage and rest included */
    difference: number;
    probabilities: {
      home_win: number;
      draw: number | null;
      away_win: number;
    };
    /** Probability that the match goes to overtime; null in most sports */
    overtime: number | null;
    fair_odds: {
      home_win: number | null;
      draw: number | null | null;
      away_win: number | null;
    };
    /** The home side's expected margin in points. Null in sports without such a forecast */
    expected_margin: number | null;
    /** Probabilities of all final scores in sets, as in volleyball. Null in other sports */
    set_scores: {
      home: number;
      away: number;
      probability: number;
    }[] | null;
  } | null;
  value_bets: ({
    market: '1x2' | 'over_under_2.5' | 'btts';
    selection: 'home' | 'draw' | 'away' | 'over' | 'under' | 'yes' | 'no';
    market_odds: number;
    fair_odds: number;
    edge_pct: number;
    /** Present if the edge is over 20 %, which is more often the model's error than the market's mistake */
    caution?: boolean;
  })[];
  trends: ({
    label: string;
    detail: string;
    side: 'home' | 'away';
    /** Only with `explain=true` */
    explain?: {
      condition: string;
      venue: 'overall' | 'home' | 'away';
      /** Sample length */
      last: number;
      /** Matches that meet the condition */
      count: number;
      matches: number;
      /** Share of matches in which an average side in the league meets the condition */
      base_rate: number;
      /** Probability that chance alone gives at least this `count` */
      tail: number;
      /** Maximum `tail` of a trend */
      bound: number;
      event_ids: number[];
      truncated: boolean;
    };
  })[];
  /** When the analytics were computed. If they are requested often, the change of a match may appear in them up to 60 seconds late */
  computed_at: string;
  disclaimer: string;
}

export interface AnalyticsTeam {
  name: string;
  name_ru: string | null;
  form: {
    overall: FormBlock;
    last5: FormBlock;
    last10: FormBlock;
    home: FormBlock;
    away: FormBlock;
    streaks: {
      streak: {
        type: 'win' | 'draw' | 'loss';
        len: number;
      } | null;
      unbeaten_run: number;
      scoring_run: number;
      cleansheet_run: number;
    };
  };
  discipline: {
    /** Matches in the form whose cards are known */
    matches: number;
    cards_avg: number | null;
    /** Only with `explain=true` */
    explain?: {
      /** The matches in the sample, newest first */
      event_ids: number[];
      truncated: boolean;
      /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
      bounds?: Record<string, string | number>;
    };
  };
  standing: {
    position: number;
    played: number;
    points: number;
    goals_for: number;
    goals_against: number;
    /** Only with `explain=true` */
    explain?: {
      /** The matches in the sample, newest first */
      event_ids: number[];
      truncated: boolean;
      /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
      bounds?: Record<string, string | number>;
    };
  } | null;
}

export interface FormBlock {
  matches: number;
  w: number;
  l: number;
  /** Points per match, by the tournament's rules */
  ppg: number | null;
  gf_avg: number | null;
  ga_avg: number | null;
  goals_avg: number | null;
  win_pct: number | null;
  draw_pct: number | null;
  loss_pct: number | null;
  over_1_5: number | null;
  over_2_5: number | null;
  over_3_5: number | null;
  btts: number | null;
  clean_sheet: number | null;
  failed_to_score: number | null;
  streak: {
    type: 'win' | 'draw' | 'loss';
    len: number;
  } | null;
  unbeaten_run: number;
  scoring_run: number;
  cleansheet_run: number;
  /** The newest ten outcomes, newest on the left */
  form: string;
  /** Only with `explain=true` */
  explain?: {
    /** The matches in the sample, newest first */
    event_ids: number[];
    truncated: boolean;
    /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
    bounds?: Record<string, string | number>;
  };
  d: number;
}

export interface TeamTrends {
  participant_id: number;
  name: string;
  name_ru: string | null;
  sport: string;
  /** The sample: a season of a tournament, or all competitions from a day on. `standing` always refers to the newest league season of the side */
  scope: {
    kind: 'season' | 'all';
    tournament: {
      id: number;
      name: string;
      name_ru: string | null;
    } | null;
    season_label: string | null;
    from: string | null;
  };
  form: {
    overall: FormBlock;
    last5: FormBlock;
    last10: FormBlock;
    last_n: FormBlock;
    home: FormBlock;
    away: FormBlock;
  };
  discipline: {
    /** Matches in the form whose cards are known */
    matches: number;
    cards_avg: number | null;
    /** Only with `explain=true` */
    explain?: {
      /** The matches in the sample, newest first */
      event_ids: number[];
      truncated: boolean;
      /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
      bounds?: Record<string, string | number>;
    };
  };
  standing: {
    position: number;
    played: number;
    points: number;
    goals_for: number;
    goals_against: number;
    /** Only with `explain=true` */
    explain?: {
      /** The matches in the sample, newest first */
      event_ids: number[];
      truncated: boolean;
      /** Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample */
      bounds?: Record<string, string | number>;
    };
  } | null;
  /** The last matches of the sample, newest first */
  recent: ({
    event_id: number;
    date: string;
    tournament_id: number;
    opponent_id: number;
    opponent: string;
    opponent_ru: string | null;
    side: 'home' | 'away';
    score_for: number;
    score_against: number;
    result: 'W' | 'D' | 'L';
    /** Only if a shoot-out decided the match. In football such a match counts as a draw; in other sports the final result counts */
    shootout?: boolean;
  })[];
  /** `side`: the venue of the matches in which the trend was found */
  trends: ({
    label: string;
    detail: string;
    side: 'home' | 'away' | 'overall';
  })[];
  /** When the analytics were computed. If they are requested often, the change of a match may appear in them up to 60 seconds late */
  computed_at: string;
  disclaimer: string;
}

export interface LeagueProfile {
  tournament_id: number;
  name: string;
  name_ru: string | null;
  sport: string;
  window_from: string | null;
  window_to: string | null;
  matches: number;
  avg_goals: number | null;
  avg_home_goals: number | null;
  avg_away_goals: number | null;
  home_win_pct: number | null;
  draw_pct: number | null;
  away_win_pct: number | null;
  over_2_5_pct: number | null;
  over_3_5_pct: number | null;
  btts_pct: number | null;
  /** When the analytics were computed. If they are requested often, the change of a match may appear in them up to 60 seconds late */
  computed_at: string;
}

export interface Outlook {
  tournament_id: number;
  tournament: string;
  season_id: number | null;
  season_label: string | null;
  computed_at: string;
  /** 0 if all matches have been played: each probability is then 0 or 1 */
  simulations: number;
  /** Seed of the simulations, derived from all their input, so that the same state gives the same figures */
  seed: number | null;
  /** False if past results of the season are missing, or if fixtures are not known */
  complete: boolean;
  fixtures: {
    played: number;
    /** Simulated matches; in a divided league only those of the regular season */
    remaining: number;
    /** Matches that the season must have, although no source lists them. They are part of `remaining` if they follow from the format of the season before; otherwise they are left out */
    unknown: number;
  };
  sides: SideOutlook[];
  /** Only with `history=true`: the last outlook of each day, oldest first. Weeks before the first one were computed afterwards, from the results and decisions of that time */
  history?: ({
    date: string;
    sides: ({
      participant_id: number;
      /** Null if the table does not decide the title: in groups and cups, and in leagues whose first side goes on to play-offs */
      champion: number | null;
      /** What places of the table lead to, by the rules of the season; empty if the rules are not known */
      zones: ({
        kind: 'champions_league' | 'europa_league' | 'conference_league' | 'promotion' | 'promotion_play_off' | 'next_round' | 'play_off' | 'play_in' | 'relegation_play_off' | 'relegation';
        probability: number;
      })[];
    })[];
  })[];
  /** Why there are no sides. no_table: the season has no table; incomplete: the season is over but lacks results; no_model: the sport has no model; no_sample: no earlier match of the tournament is known */
  reason?: 'no_table' | 'incomplete' | 'no_model' | 'no_sample';
}

export interface SideOutlook {
  participant_id: number;
  name: string;
  name_ru: string | null;
  group: string | null;
  /** Present position; in a divided league the position in the regular season */
  position: number;
  points: number;
  /** Mean at the end of the season; in a divided league at the end of the regular season */
  expected_points: number;
  /** Null if the table does not decide the title: in groups and cups, and in leagues whose first side goes on to play-offs */
  champion: number | null;
  /** What places of the table lead to, by the rules of the season; empty if the rules are not known */
  zones: ({
    kind: 'champions_league' | 'europa_league' | 'conference_league' | 'promotion' | 'promotion_play_off' | 'next_round' | 'play_off' | 'play_in' | 'relegation_play_off' | 'relegation';
    probability: number;
  })[];
  /** Probability of each place in the table, beginning with the first place */
  places: number[];
}

export interface OddsHistory {
  event_id: number;
  count: number;
  changes: ({
    at: string;
    market_name: string;
    market_group: string | null;
    choice_name: string;
    bookmaker: string | null;
    decimal_value: number;
    opening_decimal: number | null;
    /** Compared with the previous price, or for the first price with `opening_decimal`. Null if there is nothing to compare with, and if the price is the same */
    movement: 'up' | 'down' | null;
    /** The first known price */
    opening: boolean;
    /** The last price before the start */
    closing: boolean;
    winning: boolean | null;
  })[];
  /** Null on the last page */
  next_cursor: string | null;
}

export interface MatchProbabilities {
  event_id: number;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
  minute: number | null;
  /** In percent, adding up to 100. The probabilities refer to the result after 90 minutes, or after extra time once that has begun. A shoot-out counts as a draw. In cricket, a super over decides a tie, and a tie counts half for each side. When the match is finished, the actual result has 100. Null for an abandoned or cancelled match, and in a sport without this model */
  current: {
    homeWin: number;
    draw: number;
    awayWin: number;
  } | null;
  /** Each side's chance to go through, in percent, after extra time and a shoot-out if they are needed. Null unless the season's bracket or extra time shows that the match decides a tie */
  advance: {
    home: number;
    away: number;
  } | null;
  /** Expected goals, from which the probabilities follow; null in a sport without this model */
  rates: {
    /** Expected goals in 90 minutes */
    home: number;
    away: number;
    /** model: from the calibrated model and the matches of earlier days; average: the average of the sport, because the tournament has no earlier match */
    basis: 'model' | 'average';
    computed_at: string;
  } | null;
  /** In the order of play. The timeline follows from the incidents, so a correction changes it. If the incidents do not add up to the score, or a goal has no minute, it has only the start and the present */
  timeline: ProbabilityPoint[];
  /** In cricket only: each side's expected runs in 20 overs, from which the probabilities follow; null if there are none */
  expected_runs?: {
    home: number;
    away: number;
  } | null;
  /** In cricket only, instead of `timeline`: in the order of play. Empty for matches that are not limited to at most 20 overs for each side. After a revised target, the whole second innings is computed with the last target */
  innings_timeline?: InningsProbabilityPoint[];
}

export interface ProbabilityPoint {
  minute: number;
  minute_plus: number | null;
  /** start: the kick-off; goal: after a goal; sent_off: after a player was sent off; period: a half, regular time or extra time is over; minute: a minute in between; now: the present; end: the match is over */
  reason: 'start' | 'minute' | 'goal' | 'sent_off' | 'period' | 'now' | 'end';
  home_score: number;
  away_score: number;
  homeWin: number;
  draw: number;
  awayWin: number;
}

export interface InningsProbabilityPoint {
  period: string;
  /** Overs and balls, such as 17.2 */
  overs: string;
  /** start: before the first ball; innings: before the second innings; ball, wicket: after a ball; over: after an over whose deliveries are not known; now: the present; end: the match is over */
  reason: 'start' | 'ball' | 'over' | 'wicket' | 'innings' | 'now' | 'end';
  /** Of the innings */
  runs: number;
  wickets: number;
  homeWin: number;
  draw: number;
  awayWin: number;
}

export interface MatchWeather {
  event_id: number;
  available: boolean;
  /** `conditions` is in the reply's language */
  weather: {
    stadium: string | null;
    city: string | null;
    temperature_c: number | null;
    feels_like_c: number | null;
    conditions: string | null;
    conditions_i18n?: {
      en: string;
      ru?: string;
    };
    wind_speed_ms: number | null;
    wind_gusts_ms: number | null;
    precipitation_mm: number | null;
    precipitation_prob_pct: number | null;
    humidity_pct: number | null;
    cloud_cover_pct: number | null;
    weather_code: number | null;
    is_forecast: boolean;
    observed_hour_utc: string;
  } | null;
}

export interface Account {
  id: number;
  email: string;
  /** Name of the organisation, shown in place of the email */
  name: string | null;
  /** False if a link that verifies the address was sent and has not been used yet. Until then the day and month windows are a tenth of those in the plan for new accounts */
  email_verified: boolean;
  created_at: string;
  plan: {
    name: string;
    title: string;
    /** Per month */
    price: {
      amount: number;
      currency: string;
    };
    /** Requests of all secret keys together */
    windows: ({
      name: 'burst' | 'day' | 'month';
      quota: number;
    })[];
    /** Requests of all publishable keys together, which are counted separately */
    publishable_windows: ({
      name: 'burst' | 'day' | 'month';
      quota: number;
    })[];
    /** Share of the publishable windows that one client address may use */
    publishable_per_address: ({
      name: 'burst' | 'day' | 'month';
      quota: number;
    })[];
    /** Concurrent streams of all secret keys together */
    connections: number;
    /** Concurrent streams of all publishable keys together */
    publishable_connections: number;
    stream: boolean;
    webhooks: boolean;
  };
  /** Number of usable keys */
  keys: number;
  /** True if the keys are refused until an operator of this service approves the account */
  awaits_approval: boolean;
}

export interface AuditEvent {
  /** Position in the log of the account; later entries have higher ones */
  cursor: number;
  id: number;
  at: string;
  /** An email, `key 12`, `operator` or `system` */
  actor: string;
  address: string | null;
  /** Whether the actor was an operator of this service */
  by_operator: boolean;
  /** Such as `key.created` */
  action: string;
  /** Such as `key 12` */
  target: string | null;
  details: Record<string, unknown>;
}

export interface Member {
  id: number;
  email: string;
  /** See docs/organisations.md for what each role permits */
  role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer';
  joined_at: string;
  last_signed_in_at: string | null;
  second_factor: boolean;
  /** Whether it is the member who sent the request */
  current: boolean;
}

export interface MemberInvitation {
  id: number;
  email: string;
  /** See docs/organisations.md for what each role permits */
  role: 'owner' | 'admin' | 'developer' | 'billing' | 'viewer';
  /** Email of the inviter */
  invited_by: string;
  created_at: string;
  expires_at: string;
}

export interface Usage {
  /** UTC */
  from: string;
  /** UTC */
  to: string;
  group: ('day' | 'key' | 'endpoint' | 'status')[];
  plan: string;
  /** All secret keys together */
  windows: ({
    name: 'burst' | 'day' | 'month';
    limit: number;
    /** Null for a burst, which is over within a second */
    used: number | null;
    remaining: number | null;
    resets_at: string | null;
  })[];
  /** All publishable keys together, which are counted separately */
  publishable_windows: ({
    name: 'burst' | 'day' | 'month';
    limit: number;
    /** Null for a burst, which is over within a second */
    used: number | null;
    remaining: number | null;
    resets_at: string | null;
  })[];
  totals: {
    requests: number;
    /** Requests that count towards day and month */
    billable: number;
    /** Answered with 304 */
    not_modified: number;
    /** Answered with 429 */
    rejected: number;
  };
  count: number;
  usage: {
    /** UTC */
    day?: string;
    key_id?: number;
    /** Path of the endpoint, as in this document */
    endpoint?: string;
    status?: number;
    requests: number;
    /** Requests that count towards day and month */
    billable: number;
    /** Answered with 304 */
    not_modified: number;
    /** Answered with 429 */
    rejected: number;
  }[];
  activity: {
    /** UTC */
    day: string;
    /** Maximum number of concurrent streams */
    streams_peak: number;
    events_delivered: number;
    webhook_attempts: number;
    /** Successful attempts */
    webhook_deliveries: number;
  }[];
  /** False if older days cannot be read at the moment */
  complete: boolean;
}

export interface WebhookSubscription {
  id: number;
  /** For a destination that is not a URL, its address without secrets */
  url: string;
  /** Without its secret. Null if events go to the URL */
  destination: KafkaDestination | MqttDestination | SlackDestination | DiscordDestination | TelegramDestination | null;
  description: string;
  metadata: Record<string, string>;
  event_types: string[];
  sports: string[];
  leagues: number[];
  match_ids: number[];
  participant_ids: number[];
  conditions: string[];
  headers: ({
    name: string;
    value: string | null;
    secret: boolean;
  })[];
  ordering: 'none' | 'match';
  max_per_second: number | null;
  max_in_flight: number | null;
  delay: number;
  paused: boolean;
  /** failing: several failures in a row, still sending; or no event can be sent, for the reason in `fault`. unconfirmed: no event is sent until the receiver has answered a challenge. suspended: the plan does not include webhooks, or the account is suspended. */
  state: 'active' | 'failing' | 'paused' | 'unconfirmed' | 'suspended' | 'disabled';
  disabled: {
    at: string;
    code: 'no_success' | 'gone';
    reason: string;
    /** The last position. Enable the subscription from this cursor to leave no event out */
    cursor: number;
  } | null;
  /** The receiver has to repeat the `data.challenge` of a `webhook.challenge` in the reply */
  unconfirmed: {
    since: string;
    /** Number of challenges sent so far. After the seventh, they are sent only on request */
    challenges: number;
    challenged_at: string | null;
    /** Why the last challenge did not confirm the URL */
    failure: string | null;
  } | null;
  /** Why the stored settings cannot be used, so that no event is sent. Change them, or rotate the secret */
  fault: {
    at: string;
    reason: string;
  } | null;
  /** Position: every event up to this cursor was delivered, is being retried, or did not pass the filters */
  cursor: number;
  /** Number of cursors from the position to the newest event, whether or not the events pass the filters. Events that wait for the delay do not count */
  lag: number;
  /** Events that were dropped from the log before they could be sent */
  gap: {
    at: string;
    from: number;
    to: number;
  } | null;
  /** Deliveries that wait for a retry */
  pending: number;
  /** Matches whose later events wait, since `ordering` is `match`, until an earlier event has been delivered */
  held_matches: number;
  /** No event is sent until then, because the last reply with status 429 asked for it */
  rests_until: string | null;
  /** Consecutive failures */
  failures: number;
  last_failure: string | null;
  last_failure_at: string | null;
  last_success_at: string | null;
  secret_rotated_at: string | null;
  /** The custom resource in the cluster that declares the subscription. Change the subscription there */
  managed: {
    namespace: string;
    name: string;
  } | null;
  created_at: string;
}

export interface KafkaDestination {
  kind: 'kafka';
  /** The first brokers to ask, as `host:port` */
  brokers: string[];
  /** A topic that exists */
  topic: string;
  mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  /** False only for brokers that the installation allows without TLS */
  tls: boolean;
  username: string | null;
  /** Stored encrypted. Null in replies; null in a change keeps it */
  password: string | null;
}

export interface MqttDestination {
  kind: 'mqtt';
  /** As `host:port` */
  broker: string;
  /** The first part of every topic */
  prefix: string;
  /** Whether to publish sensors for Home Assistant */
  home_assistant: boolean;
  /** False only for brokers that the installation allows without TLS */
  tls: boolean;
  username: string | null;
  /** Stored encrypted. Null in replies; null in a change keeps it */
  password: string | null;
}

export interface SlackDestination {
  kind: 'slack';
  /** The address of an incoming webhook. Stored encrypted. Null in replies; null in a change keeps it */
  url: string | null;
  /** Language of the messages */
  language: 'en' | 'ru';
}

export interface DiscordDestination {
  kind: 'discord';
  /** The address of a webhook. Stored encrypted. Null in replies; null in a change keeps it */
  url: string | null;
  /** Language of the messages */
  language: 'en' | 'ru';
}

export interface TelegramDestination {
  kind: 'telegram';
  /** The bot's token. Stored encrypted. Null in replies; null in a change keeps it */
  token: string | null;
  /** The id of a chat, or `@` and the name of a channel */
  chat_id: string;
  /** A server of the Bot API */
  api: string;
  /** Language of the messages */
  language: 'en' | 'ru';
}

export interface KafkaDestinationSettings {
  kind: 'kafka';
  /** The first brokers to ask, as `host:port` */
  brokers: string[];
  /** A topic that exists */
  topic: string;
  mechanism?: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  /** False only for brokers that the installation allows without TLS */
  tls?: boolean;
  username?: string | null;
  /** Stored encrypted. Null in replies; null in a change keeps it */
  password?: string | null;
}

export interface MqttDestinationSettings {
  kind: 'mqtt';
  /** As `host:port` */
  broker: string;
  /** The first part of every topic */
  prefix?: string;
  /** Whether to publish sensors for Home Assistant */
  home_assistant?: boolean;
  /** False only for brokers that the installation allows without TLS */
  tls?: boolean;
  username?: string | null;
  /** Stored encrypted. Null in replies; null in a change keeps it */
  password?: string | null;
}

export interface SlackDestinationSettings {
  kind: 'slack';
  /** The address of an incoming webhook. Stored encrypted. Null in replies; null in a change keeps it */
  url?: string | null;
  /** Language of the messages */
  language?: 'en' | 'ru';
}

export interface DiscordDestinationSettings {
  kind: 'discord';
  /** The address of a webhook. Stored encrypted. Null in replies; null in a change keeps it */
  url?: string | null;
  /** Language of the messages */
  language?: 'en' | 'ru';
}

export interface TelegramDestinationSettings {
  kind: 'telegram';
  /** The bot's token. Stored encrypted. Null in replies; null in a change keeps it */
  token?: string | null;
  /** The id of a chat, or `@` and the name of a channel */
  chat_id: string;
  /** A server of the Bot API */
  api?: string;
  /** Language of the messages */
  language?: 'en' | 'ru';
}

export interface WebhookHeader {
  name: string;
  value: string | null;
  secret?: boolean;
}

export interface CreatedWebhookSubscription {
  id: number;
  /** For a destination that is not a URL, its address without secrets */
  url: string;
  /** Without its secret. Null if events go to the URL */
  destination: KafkaDestination | MqttDestination | SlackDestination | DiscordDestination | TelegramDestination | null;
  description: string;
  metadata: Record<string, string>;
  event_types: string[];
  sports: string[];
  leagues: number[];
  match_ids: number[];
  participant_ids: number[];
  conditions: string[];
  headers: ({
    name: string;
    value: string | null;
    secret: boolean;
  })[];
  ordering: 'none' | 'match';
  max_per_second: number | null;
  max_in_flight: number | null;
  delay: number;
  paused: boolean;
  /** failing: several failures in a row, still sending; or no event can be sent, for the reason in `fault`. unconfirmed: no event is sent until the receiver has answered a challenge. suspended: the plan does not include webhooks, or the account is suspended. */
  state: 'active' | 'failing' | 'paused' | 'unconfirmed' | 'suspended' | 'disabled';
  disabled: {
    at: string;
    code: 'no_success' | 'gone';
    reason: string;
    /** The last position. Enable the subscription from this cursor to leave no event out */
    cursor: number;
  } | null;
  /** The receiver has to repeat the `data.challenge` of a `webhook.challenge` in the reply */
  unconfirmed: {
    since: string;
    /** Number of challenges sent so far. After the seventh, they are sent only on request */
    challenges: number;
    challenged_at: string | null;
    /** Why the last challenge did not confirm the URL */
    failure: string | null;
  } | null;
  /** Why the stored settings cannot be used, so that no event is sent. Change them, or rotate the secret */
  fault: {
    at: string;
    reason: string;
  } | null;
  /** Position: every event up to this cursor was delivered, is being retried, or did not pass the filters */
  cursor: number;
  /** Number of cursors from the position to the newest event, whether or not the events pass the filters. Events that wait for the delay do not count */
  lag: number;
  /** Events that were dropped from the log before they could be sent */
  gap: {
    at: string;
    from: number;
    to: number;
  } | null;
  /** Deliveries that wait for a retry */
  pending: number;
  /** Matches whose later events wait, since `ordering` is `match`, until an earlier event has been delivered */
  held_matches: number;
  /** No event is sent until then, because the last reply with status 429 asked for it */
  rests_until: string | null;
  /** Consecutive failures */
  failures: number;
  last_failure: string | null;
  last_failure_at: string | null;
  last_success_at: string | null;
  secret_rotated_at: string | null;
  /** The custom resource in the cluster that declares the subscription. Change the subscription there */
  managed: {
    namespace: string;
    name: string;
  } | null;
  created_at: string;
  /** The key that signs deliveries. It is shown once, and not again if the request is repeated. */
  secret?: string;
}

export interface FilterPreview {
  /** Number of events examined: the newest 100 that are stored, as far as the plan includes them */
  examined: number;
  passed: number;
  events: {
    cursor: number;
    id: string;
    type: string;
    match_id: number;
    passes: boolean;
  }[];
}

export interface WebhookTest {
  delivery_id: string;
  event_id: string;
  at: string;
  /** For a challenge: delivered and confirmed */
  delivered: boolean;
  /** Reply status; null if there was no reply */
  status: number | null;
  /** A short reason; null if it was delivered */
  failure: string | null;
  cause: 'dns' | 'address' | 'connect' | 'tls' | 'timeout' | 'reply' | 'challenge' | 'rejected' | 'redirect' | 'client_error' | 'server_error' | 'other' | null;
  /** The first 1,024 bytes of the reply body */
  reply: string | null;
  duration_ms: number;
}

export interface WebhookDelivery {
  id: string;
  event_id: string;
  event_type: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** When the first attempt was made */
  created_at: string;
  /** Attempts are stored for 7 days */
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  /** Reply status; null if there was no reply */
  status: number | null;
  /** A short reason; null if it was delivered */
  failure: string | null;
  cause: 'dns' | 'address' | 'connect' | 'tls' | 'timeout' | 'reply' | 'challenge' | 'rejected' | 'redirect' | 'client_error' | 'server_error' | 'other' | null;
  duration_ms: number | null;
}

export interface WebhookDeliveryDetail {
  id: string;
  event_id: string;
  event_type: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** When the first attempt was made */
  created_at: string;
  /** Attempts are stored for 7 days */
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  /** Reply status; null if there was no reply */
  status: number | null;
  /** A short reason; null if it was delivered */
  failure: string | null;
  cause: 'dns' | 'address' | 'connect' | 'tls' | 'timeout' | 'reply' | 'challenge' | 'rejected' | 'redirect' | 'client_error' | 'server_error' | 'other' | null;
  duration_ms: number | null;
  /** The request body, byte for byte; null if it is no longer stored */
  body: string | null;
  /** Its attempts, newest first */
  log: ({
    attempt: number;
    at: string;
    duration_ms: number;
    /** Reply status; null if there was no reply */
    status: number | null;
    /** A short reason; null if it was delivered */
    failure: string | null;
    cause: 'dns' | 'address' | 'connect' | 'tls' | 'timeout' | 'reply' | 'challenge' | 'rejected' | 'redirect' | 'client_error' | 'server_error' | 'other' | null;
    /** The first 1,024 bytes of the reply body */
    reply: string | null;
    next_attempt_at: string | null;
  })[];
}

export interface StoredEvent {
  cursor: number;
  id: string;
  type: string;
  match_id: number;
  tournament_id: number;
  sport: string;
}

export interface StoredEventDetail {
  cursor: number;
  id: string;
  type: string;
  match_id: number;
  tournament_id: number;
  sport: string;
  /** The event, byte for byte as every channel sends it */
  envelope: string;
  deliveries: EventReceipt[];
}

export interface EventReceipt {
  subscription_id: number;
  delivery_id: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  at: string;
  status: number | null;
}

export interface EventFrame {
  cursor: number;
  id: string;
  type: 'match.created' | 'match.rescheduled' | 'match.postponed' | 'match.cancelled' | 'match.deleted' | 'match.lineup_confirmed' | 'match.lineup_updated' | 'match.started' | 'match.period_started' | 'match.period_ended' | 'match.score_changed' | 'match.goal' | 'match.goal_cancelled' | 'match.penalty_missed' | 'match.penalty_shootout' | 'match.card' | 'match.substitution' | 'match.var' | 'match.injury_time' | 'match.point' | 'match.set_ended' | 'match.wicket' | 'match.boundary' | 'match.over_ended' | 'match.incident' | 'match.incident_updated' | 'match.incident_deleted' | 'match.statistics_updated' | 'match.odds_changed' | 'match.suspended' | 'match.resumed' | 'match.abandoned' | 'match.finished' | 'match.finalized' | 'match.correction' | 'account.changed' | 'webhook.challenge' | 'webhook.disabled' | 'webhook.failing' | 'webhook.ping' | 'webhook.recovered' | 'webhook.test';
  data: EventData;
}

export interface EventData {
  schema: 1;
  /** Present in a sample that the account has asked for, about a match that does not exist */
  sample?: boolean;
  sequence: number;
  occurred_at: string;
  match: {
    id: number;
    sport: string;
    tournament_id: number;
    tournament: string;
    season_label: string;
    status: 'scheduled' | 'live' | 'finished';
    status_detail: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
    minute: number | null;
    /** The tournament's tier, from 1. Null if it has none */
    tier?: number | null;
    /** 0 to 100, as in a card. Events from before 0.3.0 have neither `tier` nor `importance` */
    importance?: number;
    home: {
      id: number;
      name: string;
      name_ru: string | null;
      score: number | null;
    };
    away: {
      id: number;
      name: string;
      name_ru: string | null;
      score: number | null;
    };
  };
  /** In percent, after the event. Present only if the service has computed it and no provider's value is shown */
  win_probability?: {
    homeWin: number;
    draw: number | null;
    awayWin: number;
  };
  incident?: {
    id: number;
    minute: number | null;
    minute_plus: number | null;
    period: string | null;
    kind: string;
    side: 'home' | 'away' | null;
    player_name: string | null;
    player_participant_id: number | null;
    assist_name: string | null;
    assist_participant_id: number | null;
    /** Members by kind, as `/v1/reference/incident-kinds` lists them. In a card, `role: "coach"` says that the card was shown to a coach or other staff: `player_name` is the name of that person, and `player_participant_id` is null */
    payload: Record<string, unknown>;
    action: 'insert' | 'update' | 'delete';
  };
  changes?: Record<string, unknown>;
  previous?: Record<string, unknown>;
}

/** By method and path. */
export interface Operations {
  'GET /v1/sports': {
    /** All sports */
    params: {
      /** Only these members of each item of `sports`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'slug' | 'name_i18n')[];
    };
    reply: {
      sports: Sport[];
    };
  };
  'GET /v1/countries': {
    /** Countries with the number of leagues */
    params: {
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** Only these members of each item of `countries`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('iso' | 'name' | 'name_ru' | 'leagues' | 'sports')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      countries: Country[];
    };
  };
  'GET /v1/tournaments': {
    /** Leagues and cups, most important first; with `q` the best match first */
    params: {
      /** Up to 100 tournaments; unknown ids are left out */
      ids?: number[];
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
      country?: string;
      /** A name or abbreviation, in English or Russian; matched like participants, see /v1/participants/search */
      q?: string;
      limit?: number;
      offset?: number;
      /** Only these members of each item of `tournaments`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'name' | 'name_i18n' | 'sport' | 'gender' | 'country' | 'events' | 'tier' | 'coverage')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      /** Items in all pages */
      total: number;
      tournaments: Tournament[];
    };
  };
  'GET /v1/tournament/{id}': {
    /** One tournament with the current season */
    params: {
      id: number;
      /** Adds `external_ids`: the ids at each provider */
      external_ids?: boolean;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'name' | 'name_i18n' | 'sport' | 'gender' | 'country' | 'events' | 'tier' | 'coverage' | 'current_season' | 'external_ids')[];
    };
    reply: TournamentDetail;
  };
  'GET /v1/tournament/{id}/seasons': {
    /** A tournament's seasons, newest first */
    params: {
      id: number;
      /** Only these members of each item of `seasons`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'season_label' | 'start_date' | 'end_date' | 'is_current')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      seasons: Season[];
    };
  };
  'GET /v1/participants': {
    /** Teams and players by id */
    params: {
      /** Up to 100 participants */
      ids: number[];
      /** Only these members of each item of `participants`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'type' | 'sport' | 'name_i18n' | 'country' | 'gender' | 'birth_date' | 'image_url' | 'extra')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      participants: Participant[];
    };
  };
  'GET /v1/participants/search': {
    /** Teams, players, referees and coaches by name, best first */
    params: {
      q: string;
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      type?: 'team' | 'player' | 'referee' | 'coach';
      limit?: number;
      /** Only these members of each item of `participants`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'type' | 'sport' | 'name_i18n' | 'country' | 'gender' | 'birth_date' | 'image_url' | 'extra' | 'aliases' | 'relevance')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      participants: FoundParticipant[];
    };
  };
  'GET /v1/search': {
    /** Teams, players, referees, coaches and tournaments by name, best first */
    params: {
      q: string;
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      limit?: number;
      /** Only these members of each item of `results`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('type' | 'id' | 'name_i18n' | 'sport' | 'country' | 'gender' | 'image_url' | 'relevance')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      results: SearchHit[];
    };
  };
  'GET /v1/map': {
    /** Our ids by a provider's ids */
    params: {
      type: 'tournament' | 'team' | 'player' | 'match' | 'venue';
      provider: string;
      /** Up to 100 of the provider's ids */
      ids: string[];
      /** Only these members of each item of `external_ids`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('provider' | 'external_id' | 'id')[];
    };
    reply: {
      type: string;
      /** Items in this page */
      count: number;
      /** In the request's order */
      external_ids: ExternalId[];
      /** Requested ids without a counterpart */
      unknown: string[];
    };
  };
  'GET /v1/external-ids': {
    /** Providers' ids by our ids */
    params: {
      type: 'tournament' | 'team' | 'player' | 'match' | 'venue';
      ids: number[];
      /** Only ids of this provider */
      provider?: string;
      /** Only these members of each item of `external_ids`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('provider' | 'external_id' | 'id')[];
    };
    reply: {
      type: string;
      /** Items in this page */
      count: number;
      /** In the request's order */
      external_ids: ExternalId[];
      /** Requested ids without a counterpart */
      unknown: string[];
    };
  };
  'GET /v1/participant/{id}': {
    /** A team, player, referee or coach */
    params: {
      id: number;
      /** Adds `external_ids`: the ids at each provider */
      external_ids?: boolean;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'type' | 'sport' | 'name_i18n' | 'country' | 'gender' | 'birth_date' | 'image_url' | 'extra' | 'external_ids' | 'aliases' | 'former_names')[];
    };
    reply: ParticipantDetail;
  };
  'GET /v1/participant/{id}/events': {
    /** A team's or player's matches */
    params: {
      id: number;
      when?: 'past' | 'upcoming' | 'all';
      /** Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them */
      blocks?: ('incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'participants' | 'weather' | 'meta')[];
      limit?: number;
      offset?: number;
      /** Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'scheduled_start' | 'time_tbd' | 'status' | 'status_detail' | 'minute' | 'round_num' | 'round_name' | 'tournament' | 'tournament_id' | 'season_id' | 'sport' | 'venue' | 'importance' | 'lineup_confirmed' | 'finalized' | 'updated_at' | 'extra' | 'weather' | 'participants' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'meta' | 'incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary' | 'result' | 'score_for' | 'score_against' | 'player')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      /** Items in all pages */
      total: number;
      events: ParticipantMatch[];
    };
  };
  'GET /v1/reference/event-types': {
    /** Event types of streams, replay and webhooks */
    params: {
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** Only these members of each item of `event_types`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('type' | 'meaning' | 'sports' | 'schema')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      event_types: {
        type: string;
        meaning: string;
        /** Slugs of sports that have it */
        sports: string[];
        /** JSON Schema of the event's `data` */
        schema: JsonSchema;
      }[];
    };
  };
  'GET /v1/reference/incident-kinds': {
    /** Incident kinds */
    params: {
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** Only these members of each item of `incident_kinds`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('kind' | 'meaning' | 'sports' | 'event_type' | 'schema')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      incident_kinds: {
        kind: string;
        meaning: string;
        /** Slugs of sports that have it */
        sports: string[];
        /** The event type that reports a new incident of this kind */
        event_type: string;
        /** JSON Schema of the incident's `payload`, which may have more members */
        schema: JsonSchema;
      }[];
    };
  };
  'GET /v1/reference/statuses': {
    /** Values of status and status_detail */
    params: {
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** Only these members of each item of `statuses`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('status' | 'status_detail' | 'meaning' | 'schema')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      statuses: {
        status: string;
        status_detail: string;
        meaning: string;
        schema: JsonSchema;
      }[];
    };
  };
  'POST /v1/resolve': {
    /** Our ids by any provider's ids, or by names */
    params: {
      body: ResolveRequest;
    };
    reply: ResolveReply;
  };
  'GET /v1/events': {
    /** Matches by id, date, status, tournament, season, round or participant */
    params: {
      /** `csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON */
      format?: 'json' | 'csv';
      /** Up to 100 matches; unknown ids are left out */
      ids?: number[];
      /** One or several sports, by slug */
      sport?: ('football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports')[];
      /** Start day in the time zone `tz`; a match without a time has one day in every zone */
      date?: string;
      /** Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC */
      tz?: string;
      status?: 'scheduled' | 'live' | 'finished';
      /** `awaiting_data`: long past the start, or live and silent, without a result */
      status_detail?: 'awaiting_data' | 'not_started' | 'delayed' | 'postponed' | 'in_play' | 'break' | 'extra_time' | 'penalties' | 'suspended' | 'interrupted' | 'ended' | 'after_extra_time' | 'after_penalties' | 'awarded' | 'walkover' | 'retired' | 'abandoned' | 'cancelled';
      /** Only important tournaments, no amateur or youth ones */
      top?: boolean;
      min_importance?: number;
      /** One tournament or several */
      tournament?: number[];
      season?: number;
      /** Number or name of a round, in any case */
      round?: string;
      /** The tournament's country */
      country?: string;
      /** One participant or several */
      participant?: number[];
      /** A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted */
      from?: string;
      /** A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted */
      to?: string;
      /** Only matches that changed at this time or later; `/v1/sync` follows all changes without omissions */
      updated_since?: string;
      order?: 'asc' | 'desc';
      /** Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them */
      blocks?: ('incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'participants' | 'weather' | 'meta')[];
      limit?: number;
      offset?: number;
      /** The previous page's `next_after`, instead of `offset`, so that inserted matches do not make pages repeat or skip matches */
      after?: string;
      /** Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'scheduled_start' | 'time_tbd' | 'status' | 'status_detail' | 'minute' | 'round_num' | 'round_name' | 'tournament' | 'tournament_id' | 'season_id' | 'sport' | 'venue' | 'importance' | 'lineup_confirmed' | 'finalized' | 'updated_at' | 'extra' | 'weather' | 'participants' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'meta' | 'incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary')[];
    };
    reply: {
      count: number;
      total: number;
      events: Match[];
      /** Null on the last page */
      next_after: string | null;
    };
  };
  'GET /v1/events/live': {
    /** Live matches */
    params: {
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      tournament?: number;
      /** Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them */
      blocks?: ('incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'participants' | 'weather' | 'meta')[];
      /** With `blocks` the default is 100 */
      limit?: number;
      /** Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'scheduled_start' | 'time_tbd' | 'status' | 'status_detail' | 'minute' | 'round_num' | 'round_name' | 'tournament' | 'tournament_id' | 'season_id' | 'sport' | 'venue' | 'importance' | 'lineup_confirmed' | 'finalized' | 'updated_at' | 'extra' | 'weather' | 'participants' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'meta' | 'incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary')[];
    };
    reply: {
      count: number;
      events: Match[];
      as_of: string | null;
    };
  };
  'GET /v1/event/{id}': {
    /** Match detail */
    params: {
      id: number;
      /** Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once */
      blocks?: ('incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'participants' | 'weather' | 'meta')[];
      /** Adds `external_ids`: the ids at each provider */
      external_ids?: boolean;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'scheduled_start' | 'time_tbd' | 'status' | 'status_detail' | 'minute' | 'round_num' | 'round_name' | 'tournament' | 'tournament_id' | 'season_id' | 'sport' | 'venue' | 'importance' | 'lineup_confirmed' | 'finalized' | 'updated_at' | 'extra' | 'weather' | 'participants' | 'external_ids' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'meta' | 'incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary')[];
    };
    reply: MatchDetail;
  };
  'GET /v1/sync': {
    /** All matches with full detail, then every change */
    params: {
      /** The previous page's `next_cursor`; absent or empty to start */
      cursor?: string;
      limit?: number;
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      tournament?: number;
      /** A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted */
      updated_since?: string;
      /** Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once */
      blocks?: ('incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'participants' | 'weather' | 'meta')[];
    };
    reply: {
      /** Matches in this page */
      count: number;
      events: MatchDetail[];
      deleted: DeletedMatch[];
      next_cursor: string;
      /** If false, store `next_cursor` and use it for the next sync */
      has_more: boolean;
      /** Open a stream at this cursor to miss no event */
      stream_cursor: number;
    };
  };
  'GET /v1/h2h': {
    /** Meetings of two teams, or of two players of a sport without teams */
    params: {
      /** Two ids, comma-separated */
      participants: number[];
      /** Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them */
      blocks?: ('incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'participants' | 'weather' | 'meta')[];
      limit?: number;
      offset?: number;
      /** Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'scheduled_start' | 'time_tbd' | 'status' | 'status_detail' | 'minute' | 'round_num' | 'round_name' | 'tournament' | 'tournament_id' | 'season_id' | 'sport' | 'venue' | 'importance' | 'lineup_confirmed' | 'finalized' | 'updated_at' | 'extra' | 'weather' | 'participants' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'meta' | 'incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary')[];
    };
    reply: HeadToHead;
  };
  'GET /v1/odds': {
    /** The odds of a day's matches */
    params: {
      /** Start day, as in `/v1/events` */
      date: string;
      /** Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC */
      tz?: string;
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** One tournament or several */
      tournament?: number[];
      limit?: number;
      offset?: number;
      /** Name or group of a market, in any case */
      market?: string;
      /** Name of a bookmaker, in any case */
      bookmaker?: string;
      /** Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'scheduled_start' | 'time_tbd' | 'status' | 'status_detail' | 'minute' | 'round_num' | 'round_name' | 'tournament' | 'tournament_id' | 'season_id' | 'sport' | 'venue' | 'importance' | 'lineup_confirmed' | 'finalized' | 'updated_at' | 'extra' | 'weather' | 'participants' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'meta' | 'incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary')[];
    };
    reply: {
      date: string;
      /** Items in this page */
      count: number;
      total: number;
      events: Match[];
    };
  };
  'GET /v1/tv': {
    /** The television channels of a day's matches */
    params: {
      /** Start day, as in `/v1/events` */
      date: string;
      /** Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC */
      tz?: string;
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** One tournament or several */
      tournament?: number[];
      limit?: number;
      offset?: number;
      /** Only matches that are shown there, with the channels of that country */
      country?: string;
      /** Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'scheduled_start' | 'time_tbd' | 'status' | 'status_detail' | 'minute' | 'round_num' | 'round_name' | 'tournament' | 'tournament_id' | 'season_id' | 'sport' | 'venue' | 'importance' | 'lineup_confirmed' | 'finalized' | 'updated_at' | 'extra' | 'weather' | 'participants' | 'season_label' | 'venue_city' | 'venue_capacity' | 'referee' | 'attendance' | 'venue_id' | 'referee_id' | 'referee_ids' | 'meta' | 'incidents' | 'statistics' | 'lineups' | 'player_stats' | 'coaches' | 'missing_players' | 'shotmap' | 'momentum' | 'odds' | 'best_players' | 'win_probability' | 'votes' | 'highlights' | 'average_positions' | 'tv_channels' | 'points_history' | 'innings' | 'fight' | 'commentary')[];
    };
    reply: {
      date: string;
      /** Items in this page */
      count: number;
      total: number;
      events: Match[];
    };
  };
  'GET /v1/tournament/{id}/standings': {
    /** Season table */
    params: {
      id: number;
      /** `csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON */
      format?: 'json' | 'csv';
      type?: 'total' | 'home' | 'away' | 'form';
      /** For seasons with conferences; default: the first of the `groupings` of the reply */
      grouping?: 'division' | 'conference' | 'wild_card' | 'overall';
      /** Season id; default: the current season */
      season?: number;
      /** The table at the end of this day, with the matches that had begun; each row has its `movement` */
      date?: string;
      /** Time zone of `date`, an IANA name. Default: UTC */
      tz?: string;
      /** The table after this round (number, or name in any case), with all matches of the rounds until then, whenever they were played; each row has its `movement`. Deductions count if they were decided before the round. Not with `date` */
      round?: string;
      /** Only these members of each item of `table`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('position' | 'participant_id' | 'name' | 'name_ru' | 'group' | 'played' | 'wins' | 'draws' | 'losses' | 'overtime_wins' | 'overtime_losses' | 'win_percentage' | 'games_behind' | 'scores_for' | 'scores_against' | 'goal_difference' | 'set_points_for' | 'set_points_against' | 'bonus_points' | 'no_results' | 'net_run_rate' | 'points' | 'points_deducted' | 'form' | 'zone' | 'movement')[];
    };
    reply: Standings;
  };
  'GET /v1/tournament/{id}/standings/history': {
    /** Places and points from round to round */
    params: {
      id: number;
      /** Season id; default: the current season */
      season?: number;
      grouping?: 'division' | 'conference' | 'wild_card' | 'overall';
      /** Only the rows of this side */
      participant?: number;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('tournament_id' | 'tournament' | 'season_id' | 'season_label' | 'groupings' | 'steps' | 'rows' | 'reason')[];
    };
    reply: StandingsHistory;
  };
  'GET /v1/tournament/{id}/scorers': {
    /** A season's top scorers */
    params: {
      id: number;
      /** `csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON */
      format?: 'json' | 'csv';
      /** Season id; default: the current season */
      season?: number;
      limit?: number;
      /** Only these members of each item of `scorers`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('rank' | 'participant_id' | 'player_name' | 'player_name_ru' | 'team_id' | 'team_name' | 'team_name_ru' | 'goals' | 'assists' | 'penalties' | 'matches')[];
    };
    reply: Scorers;
  };
  'GET /v1/tournament/{id}/bracket': {
    /** A season's knock-out rounds */
    params: {
      id: number;
      /** Season id; default: the current season */
      season?: number;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('tournament_id' | 'tournament' | 'season_id' | 'season_label' | 'rounds' | 'reason')[];
    };
    reply: Bracket;
  };
  'GET /v1/tournament/{id}/rounds': {
    /** A season's rounds */
    params: {
      id: number;
      /** Season id; default: the current season */
      season?: number;
      /** Only these members of each item of `rounds`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('round_num' | 'round_name' | 'matches' | 'finished' | 'first_start' | 'last_start' | 'is_current')[];
    };
    reply: Rounds;
  };
  'GET /v1/participant/{id}/statistics': {
    /** A team's or player's statistics by season */
    params: {
      id: number;
      /** `csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON */
      format?: 'json' | 'csv';
      /** Only this season */
      season?: number;
      /** Only seasons of this tournament */
      tournament?: number;
      /** Only these members of each item of `statistics`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('season_id' | 'season_label' | 'tournament_id' | 'tournament' | 'team_id' | 'team_name' | 'team_name_ru' | 'matches' | 'starts' | 'minutes' | 'goals' | 'assists' | 'yellow_cards' | 'red_cards' | 'clean_sheets' | 'wins' | 'draws' | 'losses' | 'goals_against' | 'penalties' | 'own_goals' | 'cricket')[];
    };
    reply: Statistics;
  };
  'GET /v1/participant/{id}/squad': {
    /** A team's squad in a season */
    params: {
      id: number;
      /** `csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON */
      format?: 'json' | 'csv';
      /** As in `season_labels`; default: the newest season with known players */
      season_label?: string;
      /** Only this season of a competition, as in `competitions` */
      season?: number;
      /** Only this competition; the default season is its newest */
      tournament?: number;
      /** Only these members of each item of `squad`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('participant_id' | 'player_name' | 'player_name_ru' | 'birth_date' | 'country' | 'shirt_number' | 'position' | 'matches' | 'starts' | 'minutes' | 'goals' | 'assists' | 'yellow_cards' | 'red_cards' | 'clean_sheets')[];
    };
    reply: Squad;
  };
  'GET /v1/participant/{id}/missing': {
    /** A team's injured and suspended players, or whether a player is injured or suspended */
    params: {
      id: number;
      /** Only these members of each item of `missing`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('event_id' | 'team_id' | 'player_participant_id' | 'player_name' | 'position' | 'type' | 'status' | 'reason_text')[];
    };
    reply: Missing;
  };
  'GET /v1/tournament/{id}/missing': {
    /** Injured and suspended players of all teams in a season */
    params: {
      id: number;
      /** Season id; default: the current season */
      season?: number;
      /** Only these members of each item of `missing`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('event_id' | 'team_id' | 'player_participant_id' | 'player_name' | 'position' | 'type' | 'status' | 'reason_text')[];
    };
    reply: TournamentMissing;
  };
  'GET /v1/tournament/{id}/leaders': {
    /** A season's leading players by a figure */
    params: {
      id: number;
      /** `csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON */
      format?: 'json' | 'csv';
      /** Default: the sport's first figure, `goals` or (in cricket) `runs` */
      stat?: 'goals' | 'assists' | 'goals_and_assists' | 'penalties' | 'own_goals' | 'yellow_cards' | 'red_cards' | 'cards' | 'clean_sheets' | 'matches' | 'starts' | 'minutes' | 'runs' | 'highest_score' | 'batting_average' | 'strike_rate' | 'hundreds' | 'fifties' | 'fours' | 'sixes' | 'wickets' | 'best_bowling' | 'bowling_average' | 'economy';
      /** Season id; default: the current season */
      season?: number;
      limit?: number;
      /** Only these members of each item of `leaders`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('rank' | 'participant_id' | 'player_name' | 'player_name_ru' | 'team_id' | 'team_name' | 'team_name_ru' | 'value' | 'value_text' | 'matches')[];
    };
    reply: Leaders;
  };
  'GET /v1/rankings': {
    /** A ranking of teams or players */
    params: {
      /** `csv`: the reply is `text/csv` (RFC 4180) with one row for each item; text that begins like a formula has an apostrophe before it. Generated clients always read JSON */
      format?: 'json' | 'csv';
      kind: 'fifa' | 'uefa_clubs' | 'uefa_countries' | 'atp_singles' | 'atp_doubles' | 'atp_singles_race' | 'atp_doubles_race' | 'wta_singles' | 'wta_doubles' | 'wta_singles_race' | 'wta_doubles_race' | 'elo_national_teams' | 'elo_clubs' | 'elo_american_football' | 'elo_basketball' | 'elo_baseball' | 'elo_rugby' | 'elo_ice_hockey' | 'elo_aussie_rules' | 'elo_cricket' | 'elo_volleyball';
      /** Default: today */
      date?: string;
      limit?: number;
      offset?: number;
      /** Only these members of each item of `rankings`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('rank' | 'participant' | 'points' | 'movement')[];
    };
    reply: Rankings;
  };
  'GET /v1/participant/{id}/rating': {
    /** A team's Elo rating over time */
    params: {
      id: number;
      /** First day */
      from?: string;
      /** Last day */
      to?: string;
      /** Only these members of each item of `ratings`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('date' | 'points' | 'rank')[];
    };
    reply: Ratings;
  };
  'GET /v1/participant/{id}/transfers': {
    /** A player's or a team's transfers */
    params: {
      id: number;
      limit?: number;
      offset?: number;
      /** Only these members of each item of `transfers`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('date' | 'date_precision' | 'seen_on' | 'season' | 'type' | 'player_id' | 'player_name' | 'player_name_ru' | 'from_team_id' | 'from_team' | 'from_team_ru' | 'to_team_id' | 'to_team' | 'to_team_ru' | 'loan_until' | 'fee' | 'fee_currency' | 'derived')[];
    };
    reply: Transfers;
  };
  'GET /v1/venues': {
    /** Venues, most matches first */
    params: {
      /** The beginnings of words of the name, of another name, or of the city, in any order */
      q?: string;
      /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
      country?: string;
      limit?: number;
      offset?: number;
      /** Only these members of each item of `venues`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'name' | 'city' | 'country' | 'capacity' | 'events')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      /** Items in all pages */
      total: number;
      venues: Venue[];
    };
  };
  'GET /v1/venue/{id}': {
    /** A venue: names, city, capacity, coordinates, teams and matches */
    params: {
      id: number;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'name' | 'city' | 'country' | 'capacity' | 'events' | 'aliases' | 'latitude' | 'longitude' | 'timezone' | 'first_match' | 'last_match' | 'tenants' | 'last_events' | 'next_events')[];
    };
    reply: VenueDetail;
  };
  'GET /v1/referees': {
    /** Referees and umpires, most matches first */
    params: {
      /** The beginnings of words of the name, in any order. Accents, alphabet and transliteration do not matter */
      q?: string;
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
      country?: string;
      limit?: number;
      offset?: number;
      /** Only these members of each item of `referees`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'sport' | 'name_i18n' | 'country' | 'events')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      /** Items in all pages */
      total: number;
      referees: Staff[];
    };
  };
  'GET /v1/referee/{id}': {
    /** A referee: matches, and cards and penalties per match, by season and tournament */
    params: {
      id: number;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'sport' | 'name_i18n' | 'country' | 'roles' | 'aliases' | 'former_names' | 'events' | 'matches' | 'matches_with_cards' | 'yellow_cards' | 'red_cards' | 'yellow_cards_per_match' | 'red_cards_per_match' | 'matches_with_penalties' | 'penalties' | 'penalties_per_match' | 'seasons' | 'last_events' | 'next_events')[];
    };
    reply: RefereeDetail;
  };
  'GET /v1/coaches': {
    /** Coaches, most matches first */
    params: {
      /** The beginnings of words of the name, in any order. Accents, alphabet and transliteration do not matter */
      q?: string;
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      /** ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international */
      country?: string;
      limit?: number;
      offset?: number;
      /** Only these members of each item of `coaches`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'sport' | 'name_i18n' | 'country' | 'events')[];
    };
    reply: {
      /** Items in this page */
      count: number;
      /** Items in all pages */
      total: number;
      coaches: Staff[];
    };
  };
  'GET /v1/coach/{id}': {
    /** A coach: clubs by season, with the record */
    params: {
      id: number;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('id' | 'sport' | 'name_i18n' | 'country' | 'roles' | 'aliases' | 'former_names' | 'events' | 'matches' | 'wins' | 'draws' | 'losses' | 'goals_for' | 'goals_against' | 'seasons' | 'last_events' | 'next_events')[];
    };
    reply: CoachDetail;
  };
  'GET /v1/event/{id}/analytics': {
    /** Pre-match analytics */
    params: {
      id: number;
      /** Sample of the form. season: matches of the same tournament and season; window: matches of the tournament in the last 913 days; all: matches of all tournaments */
      sample?: 'season' | 'window' | 'all';
      /** true or false; 1 and 0 are accepted as well */
      explain?: boolean;
      lang?: 'en' | 'ru';
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('event_id' | 'sport' | 'tournament' | 'home' | 'away' | 'h2h' | 'model' | 'rating' | 'value_bets' | 'trends' | 'computed_at' | 'disclaimer')[];
    };
    reply: Analytics;
  };
  'GET /v1/participant/{id}/trends': {
    /** A side's form and trends */
    params: {
      id: number;
      /** Number of matches in `last_n` and `recent` */
      last?: number;
      /** season: matches of the newest league season of the side; all: matches of all competitions in the last 913 days */
      scope?: 'season' | 'all';
      lang?: 'en' | 'ru';
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('participant_id' | 'name' | 'name_ru' | 'sport' | 'scope' | 'form' | 'discipline' | 'standing' | 'recent' | 'trends' | 'computed_at' | 'disclaimer')[];
    };
    reply: TeamTrends;
  };
  'GET /v1/tournament/{id}/profile': {
    /** League profile */
    params: {
      id: number;
      /** Season id; default: the last 913 days */
      season?: number;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('tournament_id' | 'name' | 'name_ru' | 'sport' | 'window_from' | 'window_to' | 'matches' | 'avg_goals' | 'avg_home_goals' | 'avg_away_goals' | 'home_win_pct' | 'draw_pct' | 'away_win_pct' | 'over_2_5_pct' | 'over_3_5_pct' | 'btts_pct' | 'computed_at')[];
    };
    reply: LeagueProfile;
  };
  'GET /v1/tournament/{id}/outlook': {
    /** Season outlook */
    params: {
      id: number;
      /** Season id; default: the current season */
      season?: number;
      /** true or false; 1 and 0 are accepted as well */
      history?: boolean;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('tournament_id' | 'tournament' | 'season_id' | 'season_label' | 'computed_at' | 'simulations' | 'seed' | 'complete' | 'fixtures' | 'sides' | 'history' | 'reason')[];
    };
    reply: Outlook;
  };
  'GET /v1/event/{id}/odds/history': {
    /** History of prices */
    params: {
      id: number;
      market?: string;
      bookmaker?: string;
      limit?: number;
      /** The previous page's `next_cursor` */
      cursor?: string;
      /** Only these members of each item of `changes`, comma-separated. The entity tag changes only if one of them does */
      fields?: ('at' | 'market_name' | 'market_group' | 'choice_name' | 'bookmaker' | 'decimal_value' | 'opening_decimal' | 'movement' | 'opening' | 'closing' | 'winning')[];
    };
    reply: OddsHistory;
  };
  'GET /v1/event/{id}/probabilities': {
    /** Win probability with a timeline */
    params: {
      id: number;
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('event_id' | 'status' | 'status_detail' | 'minute' | 'current' | 'advance' | 'rates' | 'timeline' | 'expected_runs' | 'innings_timeline')[];
    };
    reply: MatchProbabilities;
  };
  'GET /v1/event/{id}/weather': {
    /** Weather at the kick-off */
    params: {
      id: number;
      lang?: 'en' | 'ru';
      /** Only these members of the reply, comma-separated. The entity tag changes only if one of them does */
      fields?: ('event_id' | 'available' | 'weather')[];
    };
    reply: MatchWeather;
  };
  'GET /v1/account': {
    /** The account and the plan */
    params: Record<string, never>;
    reply: Account;
  };
  'GET /v1/account/audit': {
    /** The account's audit log */
    params: {
      limit?: number;
      /** The previous page's `next_cursor` */
      cursor?: number;
    };
    reply: {
      entries: ({
        id: number;
        at: string;
        /** An email, `key 12`, `operator` or `system` */
        actor: string;
        address: string | null;
        /** Whether the actor was an operator of this service */
        by_operator: boolean;
        /** Such as `key.created` */
        action: string;
        /** Such as `key 12` */
        target: string | null;
        details: Record<string, unknown>;
      })[];
      /** Cursor for older entries; null if there are none */
      next_cursor: number | null;
    };
  };
  'GET /v1/account/events': {
    /** The account's audit log after a cursor */
    params: {
      limit?: number;
      /** The previous reply's `next_cursor` */
      cursor?: number;
    };
    reply: {
      events: AuditEvent[];
      /** Cursor after these entries, also if there are none yet */
      next_cursor: number;
      /** Whether there are later entries now */
      has_more: boolean;
    };
  };
  'GET /v1/account/members': {
    /** The organisation's members */
    params: Record<string, never>;
    reply: {
      members: Member[];
      ownership_offer: {
        /** Email of the owner */
        from: string;
        /** Email of the member to whom the organisation is offered */
        to: string;
        to_id: number;
        expires_at: string;
      } | null;
    };
  };
  'GET /v1/account/member-invitations': {
    /** Open invitations to the organisation */
    params: Record<string, never>;
    reply: {
      invitations: MemberInvitation[];
    };
  };
  'GET /v1/account/usage': {
    /** Usage by day, key, endpoint and status */
    params: {
      from?: string;
      to?: string;
      /** Members by which the rows are grouped */
      group?: ('day' | 'key' | 'endpoint' | 'status')[];
    };
    reply: Usage;
  };
  'GET /v1/account/webhooks': {
    /** The account's webhook subscriptions */
    params: Record<string, never>;
    reply: {
      webhooks: WebhookSubscription[];
    };
  };
  'POST /v1/account/webhooks': {
    /** Create a webhook subscription */
    params: {
      body?: {
        /** https, public, port 443 unless the installation allows others. A subscription has either this or `destination` */
        url?: string;
        /** Where events go instead of a URL. Its kind cannot be changed. A change replaces all its settings, and a secret that is null stays */
        destination?: KafkaDestinationSettings | MqttDestinationSettings | SlackDestinationSettings | DiscordDestinationSettings | TelegramDestinationSettings;
        description?: string;
        /** Names and values of your own */
        metadata?: Record<string, string>;
        /** Event types, or `match.*`; all events of matches if empty. An event has to pass all filters. Notices about other subscriptions of the account (`webhook.failing`, `webhook.disabled`, `webhook.recovered`, or `webhook.*`) and entries of its audit log (`account.changed`) have to be named, and the other filters do not apply to them. */
        event_types?: string[];
        /** Slugs; all if empty */
        sports?: ('football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports')[];
        /** Tournament ids; all if empty */
        leagues?: number[];
        /** All if empty */
        match_ids?: number[];
        /** Teams, or players in individual sports, as the match's home or away side; all if empty */
        participant_ids?: number[];
        /** Conditions on fields that an event has to meet all, such as `data.match.minute >= 80`, `data.incident.kind in goal | card` or `data.incident.assist_name exists`; the operators are `=`, `in`, `>=`, `<=` and `exists` */
        conditions?: string[];
        /** Headers that are added to each request. The value of a `secret` header is encrypted, and null in replies; null in a change keeps it */
        headers?: WebhookHeader[];
        /** match: the events of a match are sent one after the other. If one fails, later events of that match wait until it has been delivered, skipped or given up */
        ordering?: 'none' | 'match';
        /** Requests that are received within any second; null for the limit of the installation alone */
        max_per_second?: number | null;
        /** Requests that wait for a reply at the same time; null for the limit of the service alone */
        max_in_flight?: number | null;
        /** How many seconds after an event it is sent, so that a score does not arrive before the television shows it */
        delay?: number;
        /** While true, nothing is sent. Afterwards sending continues where it stopped */
        paused?: boolean;
      };
    };
    reply: CreatedWebhookSubscription;
  };
  'POST /v1/account/webhooks/preview': {
    /** Try a filter on the newest events */
    params: {
      body?: {
        /** Event types, or `match.*`; all events of matches if empty. An event has to pass all filters. Notices about other subscriptions of the account (`webhook.failing`, `webhook.disabled`, `webhook.recovered`, or `webhook.*`) and entries of its audit log (`account.changed`) have to be named, and the other filters do not apply to them. */
        event_types?: string[];
        /** Slugs; all if empty */
        sports?: ('football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports')[];
        /** Tournament ids; all if empty */
        leagues?: number[];
        /** All if empty */
        match_ids?: number[];
        /** Teams, or players in individual sports, as the match's home or away side; all if empty */
        participant_ids?: number[];
        /** Conditions on fields that an event has to meet all, such as `data.match.minute >= 80`, `data.incident.kind in goal | card` or `data.incident.assist_name exists`; the operators are `=`, `in`, `>=`, `<=` and `exists` */
        conditions?: string[];
      };
    };
    reply: FilterPreview;
  };
  'GET /v1/account/webhooks/{id}': {
    /** A webhook subscription */
    params: {
      id: number;
    };
    reply: WebhookSubscription;
  };
  'PATCH /v1/account/webhooks/{id}': {
    /** Change or pause a webhook subscription */
    params: {
      id: number;
      body?: {
        /** https, public, port 443 unless the installation allows others. A subscription has either this or `destination` */
        url?: string;
        /** Where events go instead of a URL. Its kind cannot be changed. A change replaces all its settings, and a secret that is null stays */
        destination?: KafkaDestinationSettings | MqttDestinationSettings | SlackDestinationSettings | DiscordDestinationSettings | TelegramDestinationSettings;
        description?: string;
        /** Names and values of your own */
        metadata?: Record<string, string>;
        /** Event types, or `match.*`; all events of matches if empty. An event has to pass all filters. Notices about other subscriptions of the account (`webhook.failing`, `webhook.disabled`, `webhook.recovered`, or `webhook.*`) and entries of its audit log (`account.changed`) have to be named, and the other filters do not apply to them. */
        event_types?: string[];
        /** Slugs; all if empty */
        sports?: ('football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports')[];
        /** Tournament ids; all if empty */
        leagues?: number[];
        /** All if empty */
        match_ids?: number[];
        /** Teams, or players in individual sports, as the match's home or away side; all if empty */
        participant_ids?: number[];
        /** Conditions on fields that an event has to meet all, such as `data.match.minute >= 80`, `data.incident.kind in goal | card` or `data.incident.assist_name exists`; the operators are `=`, `in`, `>=`, `<=` and `exists` */
        conditions?: string[];
        /** Headers that are added to each request. The value of a `secret` header is encrypted, and null in replies; null in a change keeps it */
        headers?: WebhookHeader[];
        /** match: the events of a match are sent one after the other. If one fails, later events of that match wait until it has been delivered, skipped or given up */
        ordering?: 'none' | 'match';
        /** Requests that are received within any second; null for the limit of the installation alone */
        max_per_second?: number | null;
        /** Requests that wait for a reply at the same time; null for the limit of the service alone */
        max_in_flight?: number | null;
        /** How many seconds after an event it is sent, so that a score does not arrive before the television shows it */
        delay?: number;
        /** While true, nothing is sent. Afterwards sending continues where it stopped */
        paused?: boolean;
      };
    };
    reply: WebhookSubscription;
  };
  'DELETE /v1/account/webhooks/{id}': {
    /** Delete a webhook subscription */
    params: {
      id: number;
    };
    reply: undefined;
  };
  'POST /v1/account/webhooks/{id}/test': {
    /** Send a test event now */
    params: {
      id: number;
    };
    reply: WebhookTest;
  };
  'POST /v1/account/webhooks/{id}/confirm': {
    /** Request the receiver's confirmation now */
    params: {
      id: number;
    };
    reply: WebhookTest;
  };
  'POST /v1/account/webhooks/{id}/rotate': {
    /** Replace a webhook subscription's secret */
    params: {
      id: number;
    };
    reply: CreatedWebhookSubscription;
  };
  'POST /v1/account/webhooks/{id}/enable': {
    /** Enable a paused or disabled webhook subscription */
    params: {
      id: number;
      body?: {
        /** Events after this cursor are sent (again) */
        cursor?: number;
        /** A time within the last 7 days */
        since?: string;
      };
    };
    reply: WebhookSubscription;
  };
  'POST /v1/account/webhooks/{id}/replay': {
    /** Send events again */
    params: {
      id: number;
      body?: {
        /** Events after this cursor are sent (again) */
        cursor?: number;
        /** A time within the last 7 days */
        since?: string;
      };
    };
    reply: WebhookSubscription;
  };
  'GET /v1/account/webhooks/{id}/deliveries': {
    /** A webhook subscription's deliveries */
    params: {
      id: number;
      state?: 'pending' | 'delivered' | 'failed';
      event_type?: 'match.created' | 'match.rescheduled' | 'match.postponed' | 'match.cancelled' | 'match.deleted' | 'match.lineup_confirmed' | 'match.lineup_updated' | 'match.started' | 'match.period_started' | 'match.period_ended' | 'match.score_changed' | 'match.goal' | 'match.goal_cancelled' | 'match.penalty_missed' | 'match.penalty_shootout' | 'match.card' | 'match.substitution' | 'match.var' | 'match.injury_time' | 'match.point' | 'match.set_ended' | 'match.wicket' | 'match.boundary' | 'match.over_ended' | 'match.incident' | 'match.incident_updated' | 'match.incident_deleted' | 'match.statistics_updated' | 'match.odds_changed' | 'match.suspended' | 'match.resumed' | 'match.abandoned' | 'match.finished' | 'match.finalized' | 'match.correction' | 'account.changed' | 'webhook.challenge' | 'webhook.disabled' | 'webhook.failing' | 'webhook.ping' | 'webhook.recovered' | 'webhook.test';
      match_id?: number;
      /** A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted */
      since?: string;
      /** A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted */
      until?: string;
      limit?: number;
      /** The previous page's `next_cursor` */
      cursor?: string;
    };
    reply: {
      deliveries: WebhookDelivery[];
      /** For the next, older deliveries; null if there are none */
      next_cursor: string | null;
    };
  };
  'GET /v1/account/webhooks/{id}/deliveries/{delivery_id}': {
    /** A delivery with the request, all attempts and the replies */
    params: {
      id: number;
      delivery_id: string;
    };
    reply: WebhookDeliveryDetail;
  };
  'POST /v1/account/webhooks/{id}/deliveries/{delivery_id}/retry': {
    /** Retry a delivery now */
    params: {
      id: number;
      delivery_id: string;
    };
    reply: WebhookDeliveryDetail;
  };
  'POST /v1/account/webhooks/{id}/deliveries/{delivery_id}/skip': {
    /** Give up a delivery that waits for a retry */
    params: {
      id: number;
      delivery_id: string;
    };
    reply: WebhookDeliveryDetail;
  };
  'POST /v1/account/webhooks/{id}/deliveries/retry': {
    /** Retry all deliveries that have failed since a time */
    params: {
      id: number;
      body: {
        /** Only deliveries whose first attempt was at this time or later */
        since: string;
      };
    };
    reply: {
      /** Deliveries that are due now */
      retried: number;
      /** There are more, so repeat the request after these have been sent */
      has_more: boolean;
    };
  };
  'GET /v1/account/stored-events': {
    /** Stored events, newest first */
    params: {
      event_type?: 'match.created' | 'match.rescheduled' | 'match.postponed' | 'match.cancelled' | 'match.deleted' | 'match.lineup_confirmed' | 'match.lineup_updated' | 'match.started' | 'match.period_started' | 'match.period_ended' | 'match.score_changed' | 'match.goal' | 'match.goal_cancelled' | 'match.penalty_missed' | 'match.penalty_shootout' | 'match.card' | 'match.substitution' | 'match.var' | 'match.injury_time' | 'match.point' | 'match.set_ended' | 'match.wicket' | 'match.boundary' | 'match.over_ended' | 'match.incident' | 'match.incident_updated' | 'match.incident_deleted' | 'match.statistics_updated' | 'match.odds_changed' | 'match.suspended' | 'match.resumed' | 'match.abandoned' | 'match.finished' | 'match.finalized' | 'match.correction' | 'account.changed' | 'webhook.challenge' | 'webhook.disabled' | 'webhook.failing' | 'webhook.ping' | 'webhook.recovered' | 'webhook.test';
      /** A sport, by slug */
      sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
      tournament?: number;
      match_id?: number;
      /** A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted */
      since?: string;
      /** Only events before this cursor: the previous page's `next_before` */
      before?: number;
      limit?: number;
    };
    reply: {
      events: StoredEvent[];
      next_before: number | null;
    };
  };
  'GET /v1/account/stored-event/{id}': {
    /** A stored event, by its cursor, and how the account's subscriptions got it */
    params: {
      id: number;
    };
    reply: StoredEventDetail;
  };
  'POST /v1/account/webhooks/{id}/send': {
    /** Send one stored event to a subscription */
    params: {
      id: number;
      body: {
        cursor: number;
      };
    };
    reply: {
      delivery_id: string;
    };
  };
  'POST /v1/account/trigger': {
    /** Send a sample event to the open streams of the account */
    params: {
      body: {
        event_type: 'match.created' | 'match.rescheduled' | 'match.postponed' | 'match.cancelled' | 'match.deleted' | 'match.lineup_confirmed' | 'match.lineup_updated' | 'match.started' | 'match.period_started' | 'match.period_ended' | 'match.score_changed' | 'match.goal' | 'match.goal_cancelled' | 'match.penalty_missed' | 'match.penalty_shootout' | 'match.card' | 'match.substitution' | 'match.var' | 'match.injury_time' | 'match.point' | 'match.set_ended' | 'match.wicket' | 'match.boundary' | 'match.over_ended' | 'match.incident' | 'match.incident_updated' | 'match.incident_deleted' | 'match.statistics_updated' | 'match.odds_changed' | 'match.suspended' | 'match.resumed' | 'match.abandoned' | 'match.finished' | 'match.finalized' | 'match.correction';
        /** By default football, or a sport with such events */
        sport?: 'football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports';
        /** For streams that filter by a tournament */
        tournament?: number;
      };
    };
    reply: {
      /** The id of the event */
      id: string;
    };
  };
  'GET /v1/stream/replay': {
    /** Events after a cursor */
    params: {
      /** The cursor after which events are wanted */
      since: number;
      limit?: number;
      /** Sports by slug, comma-separated */
      sport?: ('football' | 'basketball' | 'ice-hockey' | 'tennis' | 'baseball' | 'volleyball' | 'handball' | 'rugby' | 'american-football' | 'aussie-rules' | 'mma' | 'snooker' | 'darts' | 'table-tennis' | 'cricket' | 'futsal' | 'esports')[];
      /** Tournament ids, comma-separated */
      league?: number[];
      /** Event types; `match.*` for all of a kind, comma-separated */
      event_type?: ('match.*' | 'account.*' | 'webhook.*' | 'match.created' | 'match.rescheduled' | 'match.postponed' | 'match.cancelled' | 'match.deleted' | 'match.lineup_confirmed' | 'match.lineup_updated' | 'match.started' | 'match.period_started' | 'match.period_ended' | 'match.score_changed' | 'match.goal' | 'match.goal_cancelled' | 'match.penalty_missed' | 'match.penalty_shootout' | 'match.card' | 'match.substitution' | 'match.var' | 'match.injury_time' | 'match.point' | 'match.set_ended' | 'match.wicket' | 'match.boundary' | 'match.over_ended' | 'match.incident' | 'match.incident_updated' | 'match.incident_deleted' | 'match.statistics_updated' | 'match.odds_changed' | 'match.suspended' | 'match.resumed' | 'match.abandoned' | 'match.finished' | 'match.finalized' | 'match.correction' | 'account.changed' | 'webhook.challenge' | 'webhook.disabled' | 'webhook.failing' | 'webhook.ping' | 'webhook.recovered' | 'webhook.test')[];
      /** Conditions on fields that an event has to meet all, such as `data.match.minute>=80` or `data.incident.kind in goal|card` (`=`, `in`, `>=`, `<=`, `exists`), comma-separated */
      where?: string[];
      /** How many seconds after an event you get it, so that a score does not arrive before the television shows it */
      delay?: number;
    };
    reply: {
      events: EventFrame[];
      /** The last cursor examined, which is the next page's `since` */
      next_cursor: number;
      has_more: boolean;
    };
  };
}
