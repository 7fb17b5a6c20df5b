"""Types of replies and bodies. A newer service may add members.

Generated from the API document by `make generated`. Do not edit.
"""

from __future__ import annotations

import sys
from typing import Any, Literal

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

ProblemCode = Literal["bad_request", "key_missing", "key_invalid", "key_expired", "key_revoked", "plan_required", "origin_not_allowed", "key_not_permitted", "csrf_failed", "role_not_permitted", "address_unverified", "sign_in_required", "not_found", "method_not_allowed", "conflict", "cursor_expired", "payload_too_large", "unsupported_media_type", "invalid_parameter", "invalid_cursor", "cursor_filter_mismatch", "rate_limited", "quota_exceeded", "too_many_connections", "internal", "unavailable"]


class ProblemErrors(TypedDict):
    parameter: str
    code: str
    detail: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: ProblemCode
    request_id: str
    errors: NotRequired[list[ProblemErrors]]
    oldest_cursor: NotRequired[int]
    sync: NotRequired[str]


EventFrameType = Literal["match.created", "match.rescheduled", "match.postponed", "match.cancelled", "match.deleted", "match.lineup_confirmed", "match.lineup_updated", "match.started", "match.period_started", "match.period_ended", "match.score_changed", "match.goal", "match.goal_cancelled", "match.penalty_missed", "match.penalty_shootout", "match.card", "match.substitution", "match.var", "match.injury_time", "match.point", "match.set_ended", "match.wicket", "match.boundary", "match.over_ended", "match.incident", "match.incident_updated", "match.incident_deleted", "match.statistics_updated", "match.odds_changed", "match.suspended", "match.resumed", "match.abandoned", "match.finished", "match.finalized", "match.correction", "account.changed", "webhook.challenge", "webhook.disabled", "webhook.failing", "webhook.ping", "webhook.recovered", "webhook.test"]


EventDataMatchStatusDetail = Literal["awaiting_data", "not_started", "delayed", "postponed", "in_play", "break", "extra_time", "penalties", "suspended", "interrupted", "ended", "after_extra_time", "after_penalties", "awarded", "walkover", "retired", "abandoned", "cancelled"]


class EventDataMatchHome(TypedDict):
    id: int
    name: str
    name_ru: str | None
    score: int | None


class EventDataMatchAway(TypedDict):
    id: int
    name: str
    name_ru: str | None
    score: int | None


class EventDataMatch(TypedDict):
    id: int
    sport: str
    tournament_id: int
    tournament: str
    season_label: str
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    tier: NotRequired[int | None]
    """The tournament's tier, from 1. Null if it has none"""
    importance: NotRequired[int]
    """0 to 100, as in a card. Events from before 0.3.0 have neither `tier` nor `importance`"""
    home: EventDataMatchHome
    away: EventDataMatchAway


class EventDataWinProbability(TypedDict):
    """In percent, after the event. Present only if the service has computed it and no provider's value is shown"""
    homeWin: float
    draw: float | None
    awayWin: float


class EventDataIncident(TypedDict):
    id: int
    minute: int | None
    minute_plus: int | None
    period: str | None
    kind: str
    side: Literal["home", "away"] | None
    player_name: str | None
    player_participant_id: int | None
    assist_name: str | None
    assist_participant_id: int | None
    payload: dict[str, Any]
    """Members by kind, as `/v1/reference/incident-kinds` lists them. In a card, `role: "coach"` says that the card was shown to a coach or other staff: `player_name` is the name of that person, and `player_participant_id` is null"""
    action: Literal["insert", "update", "delete"]


class EventData(TypedDict):
    schema: Literal[1]
    sample: NotRequired[bool]
    """Present in a sample that the account has asked for, about a match that does not exist"""
    sequence: int
    occurred_at: str
    match: EventDataMatch
    win_probability: NotRequired[EventDataWinProbability]
    """In percent, after the event. Present only if the service has computed it and no provider's value is shown"""
    incident: NotRequired[EventDataIncident]
    changes: NotRequired[dict[str, Any]]
    previous: NotRequired[dict[str, Any]]


class EventFrame(TypedDict):
    cursor: int
    id: str
    type: EventFrameType
    data: EventData


class InningsState(TypedDict):
    """State of an innings, with which `158/4 (17.2)` can be written. In cricket only"""
    batting: Literal["home", "away"]
    wickets: int
    overs: str
    declared: NotRequired[bool]


class MatchExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class MatchExtra(TypedDict):
    period_scores: list[MatchExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class MatchWeatherValueConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class MatchWeatherValue(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[MatchWeatherValueConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class MatchParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class MatchMeta(TypedDict):
    last_detail_at: str | None
    completeness: dict[str, Literal["full", "partial", "none"]]
    """For each block that the sport can have: `none` if it has no data, `full` if it has all data of a whole match, otherwise `partial`. `lineups` is full if both sides have all starters, and the line-ups are official or the match is over. In a sport without a fixed number of starters it is full if the line-ups are official. `coaches` is full if both sides have one. Other blocks are full only after the end of the match, if they meet a condition. `incidents`: the goals, points or sets among them add up to the score; `statistics`: both sides have each figure; `player_stats`, `average_positions`: both sides have all starters; `shotmap`, `best_players`: both sides have entries; `momentum`: the curve reaches the end of regular time."""
    sources: list[str]


class Incident(TypedDict):
    id: int
    minute: int | None
    minute_plus: int | None
    period: str | None
    kind: str
    side: Literal["home", "away"] | None
    player_name: str | None
    player_participant_id: int | None
    assist_name: str | None
    assist_participant_id: int | None
    payload: dict[str, Any]
    """Members by kind, as `/v1/reference/incident-kinds` lists them. In a card, `role: "coach"` says that the card was shown to a coach or other staff: `player_name` is the name of that person, and `player_participant_id` is null"""


class Statistic(TypedDict):
    period: str
    group_name: str | None
    stat_name: str
    home_value: float | None
    away_value: float | None
    home_text: str | None
    away_text: str | None


class LineupEntry(TypedDict):
    side: Literal["home", "away"]
    formation: str | None
    player_participant_id: int | None
    player_name: str
    position: str | None
    shirt_number: str | None
    is_substitute: bool
    stats: dict[str, Any]


class PlayerStats(TypedDict):
    participant_id: int | None
    player_name: str
    side: Literal["home", "away"]
    position: str | None
    stats: dict[str, Any]


class MatchCoach(TypedDict):
    side: Literal["home", "away"]
    coach_name: str
    coach_name_ru: str | None
    coach_id: int | None
    """As in `/v1/coach/{id}`; null for a name without a letter"""


class MatchMissingPlayer(TypedDict):
    side: Literal["home", "away"]
    player_name: str
    position: str | None
    type: str
    status: str | None
    reason_text: str | None
    player_participant_id: int | None
    """The player of the match who has exactly this name; null if there is none, or more than one"""


class ShotPlayer(TypedDict):
    id: int | None
    name: str


class Shot(TypedDict):
    player: ShotPlayer
    side: Literal["home", "away"]
    minute: int | None
    xg: float | None
    shotType: str
    situation: str | None
    bodyPart: str | None
    x: float | None
    y: float | None


class MomentumGraphPoints(TypedDict):
    minute: float
    value: float


class Momentum(TypedDict):
    graphPoints: list[MomentumGraphPoints]


class OddsEntry(TypedDict):
    market_name: str
    market_group: str | None
    choice_name: str
    fractional_value: str
    opening_value: str | None
    decimal_value: float
    opening_decimal: float | None
    bookmaker: str | None
    movement: Literal["up", "down"] | None
    winning: bool | None


class BestPlayer(TypedDict):
    side: Literal["home", "away"]
    rating: float | None
    player_name: str
    position: str | None
    player_participant_id: int | None
    """The player of the match who has exactly this name; null if there is none, or more than one"""


class MatchWinProbability(TypedDict):
    homeWin: float
    draw: float | None
    awayWin: float


class VotesVote(TypedDict):
    vote1: int
    voteX: int | None
    vote2: int


class Votes(TypedDict):
    vote: VotesVote


class Highlight(TypedDict):
    title: str
    url: str
    thumbnail: str | None


class AveragePositionsHome(TypedDict):
    player_name: str
    x: float
    y: float
    player_participant_id: int | None
    """The player of the match who has exactly this name; null if there is none, or more than one"""


class AveragePositionsAway(TypedDict):
    player_name: str
    x: float
    y: float
    player_participant_id: int | None
    """The player of the match who has exactly this name; null if there is none, or more than one"""


class AveragePositions(TypedDict):
    home: list[AveragePositionsHome]
    away: list[AveragePositionsAway]


class PointsHistoryPoints(TypedDict):
    home: str
    away: str


class PointsHistory(TypedDict):
    tab: str
    points: list[PointsHistoryPoints]


class InningsTarget(TypedDict):
    runs: int
    overs: str | None
    method: str | None
    """Such as D/L, if the target was revised"""


class InningsExtras(TypedDict):
    byes: int
    leg_byes: int
    wides: int
    no_balls: int
    penalty: int


class InningsBattersDismissal(TypedDict):
    """Null for a player who is not out"""
    kind: str
    """caught, bowled, lbw, run_out, stumped, retired_hurt and so on"""
    bowler_name: str | None
    fielder_names: list[str]


class InningsBatters(TypedDict):
    player_name: str
    runs: int
    balls: int | None
    fours: int | None
    sixes: int | None
    dismissal: InningsBattersDismissal | None
    """Null for a player who is not out"""


class InningsBowlers(TypedDict):
    player_name: str
    overs: str
    maidens: int | None
    runs: int
    wickets: int
    wides: int | None
    no_balls: int | None


class InningsFallOfWickets(TypedDict):
    wicket: int
    runs: int
    overs: str | None
    player_name: str


class Delivery(TypedDict):
    runs: int
    """Off the bat and extras"""
    wickets: NotRequired[int]
    """Absent for none"""
    extra: NotRequired[Literal["wide", "no_ball"]]
    """Set if it does not count as a ball of the over"""


class InningsByOver(TypedDict):
    runs: int
    wickets: int
    deliveries: NotRequired[list[Delivery]]


class Innings(TypedDict):
    period: str
    """`I1`, `I2` and so on; `SO1`, `SO2` for the innings of super overs"""
    batting: Literal["home", "away"]
    runs: int
    wickets: int
    overs: str
    balls_per_over: int
    all_out: bool
    declared: bool
    forfeited: bool
    max_overs: str | None
    """To which the innings was limited"""
    target: InningsTarget | None
    extras: InningsExtras
    batters: list[InningsBatters]
    bowlers: list[InningsBowlers]
    fall_of_wickets: list[InningsFallOfWickets]
    by_over: list[InningsByOver]
    """Runs and wickets in each over, and its deliveries if a source tells each of them"""


class Fight(TypedDict):
    method: str
    finish_round: int | None


class CommentaryEntry(TypedDict):
    minute: int | None
    text: str
    text_en: str | None
    type: str | None
    side: Literal["home", "away"] | None
    player_name: str | None
    player_participant_id: int | None
    """The player of the match who has exactly this name; null if there is none, or more than one"""


class Match(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: MatchExtra
    weather: MatchWeatherValue | None
    participants: list[MatchParticipants]
    season_label: NotRequired[str]
    venue_city: NotRequired[str | None]
    venue_capacity: NotRequired[int | None]
    referee: NotRequired[str | None]
    attendance: NotRequired[int | None]
    venue_id: NotRequired[int | None]
    """As in `/v1/venue/{id}`"""
    referee_id: NotRequired[int | None]
    """As in `/v1/referee/{id}`; of several referees, the first"""
    referee_ids: NotRequired[list[int]]
    """All referees of the match, in the order of `referee`"""
    meta: NotRequired[MatchMeta]
    incidents: NotRequired[list[Incident]]
    statistics: NotRequired[list[Statistic]]
    lineups: NotRequired[list[LineupEntry]]
    player_stats: NotRequired[list[PlayerStats]]
    coaches: NotRequired[list[MatchCoach]]
    missing_players: NotRequired[list[MatchMissingPlayer]]
    shotmap: NotRequired[list[Shot]]
    momentum: NotRequired[Momentum]
    odds: NotRequired[list[OddsEntry]]
    best_players: NotRequired[list[BestPlayer]]
    win_probability: NotRequired[MatchWinProbability]
    votes: NotRequired[Votes]
    highlights: NotRequired[list[Highlight]]
    average_positions: NotRequired[AveragePositions]
    tv_channels: NotRequired[dict[str, list[int]]]
    points_history: NotRequired[list[PointsHistory]]
    innings: NotRequired[list[Innings]]
    fight: NotRequired[Fight]
    commentary: NotRequired[list[CommentaryEntry]]


class SportNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class Sport(TypedDict):
    id: int
    slug: str
    name_i18n: SportNameI18n


class SportsReply(TypedDict):
    sports: list[Sport]


SportParam = Literal["football", "basketball", "ice-hockey", "tennis", "baseball", "volleyball", "handball", "rugby", "american-football", "aussie-rules", "mma", "snooker", "darts", "table-tennis", "cricket", "futsal", "esports"]


class Country(TypedDict):
    iso: str
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    name: str
    name_ru: str | None
    leagues: int
    """Number of tournaments"""
    sports: list[str]
    """Slugs of sports with a tournament"""


class CountriesReply(TypedDict):
    count: int
    """Items in this page"""
    countries: list[Country]


class TournamentNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class BlockCoverage(TypedDict):
    level: Literal["full", "partial", "none"]
    """full: `full_pct` is at least 95; none: no match has the block"""
    pct: float
    """Percentage of the matches since `since` that have the block, among those that are over"""
    full_pct: float
    """Percentage of the same matches in which the block is `full` in `meta.completeness`"""
    since: str | None
    """Day of the first match with the block, in the first season in which at least half of the matches have it. Without such a season, in the first season in which any match has it"""


class Coverage(TypedDict):
    depth: Literal["full", "partial", "results", "none"]
    """full: incidents, statistics and line-ups are full; partial: some details; results: no details; none: no match is over"""
    matches: int
    """Number of matches that are over and can have details"""
    measured_at: str
    blocks: dict[str, BlockCoverage]
    """Has an entry for each block that the sport can have, for `weather`, and for `results` (among the matches that should have a result by now)"""


class Tournament(TypedDict):
    id: int
    name: str
    name_i18n: TournamentNameI18n
    sport: str
    gender: Literal["men", "women", "mixed"]
    country: str
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    events: int
    """Number of matches"""
    tier: int | None
    """Level within the country, 1 the highest"""
    coverage: Coverage | None
    """Measured every night, and at the latest five minutes after a change, like `events`; null if not measured yet"""


class TournamentsReply(TypedDict):
    count: int
    """Items in this page"""
    total: int
    """Items in all pages"""
    tournaments: list[Tournament]


class TournamentDetailNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class Season(TypedDict):
    id: int
    season_label: str
    start_date: str | None
    end_date: str | None
    is_current: bool
    """At most one season of a tournament is current: the one that includes today, or else the most recent"""


class TournamentDetail(TypedDict):
    id: int
    name: str
    name_i18n: TournamentDetailNameI18n
    sport: str
    gender: Literal["men", "women", "mixed"]
    country: str
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    events: int
    """Number of matches"""
    tier: int | None
    """Level within the country, 1 the highest"""
    coverage: Coverage | None
    """Measured every night, and at the latest five minutes after a change, like `events`; null if not measured yet"""
    current_season: Season | None
    external_ids: NotRequired[dict[str, list[str]]]
    """Ids at each provider; only with `external_ids=true`"""


class TournamentSeasonsReply(TypedDict):
    count: int
    """Items in this page"""
    seasons: list[Season]


class ParticipantNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class Participant(TypedDict):
    id: int
    type: Literal["team", "player", "referee", "coach"]
    sport: str
    name_i18n: ParticipantNameI18n
    country: str | None
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    gender: Literal["men", "women", "mixed"]
    birth_date: str | None
    """Players only"""
    image_url: str
    extra: dict[str, Any]
    """Stadium, position, height and more, if known. For a player, `club` is the club in a squad list, and `club_id` is its id (null unless exactly one club of the catalogue has the name). `clubs` has the clubs of a player from line-ups and incidents, newest first, with season, team_id, team_name, team_name_ru, matches (null if line-ups or substitutions are not known) and goals (null if the scorers of a match are unknown)"""


class ParticipantsReply(TypedDict):
    count: int
    """Items in this page"""
    participants: list[Participant]


class FoundParticipantNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class FoundParticipantAliases(TypedDict):
    name: str
    locale: Literal["en", "ru"]


class FoundParticipant(TypedDict):
    id: int
    type: Literal["team", "player", "referee", "coach"]
    sport: str
    name_i18n: FoundParticipantNameI18n
    country: str | None
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    gender: Literal["men", "women", "mixed"]
    birth_date: str | None
    """Players only"""
    image_url: str
    extra: dict[str, Any]
    """Stadium, position, height and more, if known. For a player, `club` is the club in a squad list, and `club_id` is its id (null unless exactly one club of the catalogue has the name). `clubs` has the clubs of a player from line-ups and incidents, newest first, with season, team_id, team_name, team_name_ru, matches (null if line-ups or substitutions are not known) and goals (null if the scorers of a match are unknown)"""
    aliases: list[FoundParticipantAliases]
    """Other names by which search finds it, including former ones"""
    relevance: float


class ParticipantsSearchReply(TypedDict):
    count: int
    """Items in this page"""
    participants: list[FoundParticipant]


class SearchHitNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class SearchHit(TypedDict):
    type: Literal["team", "player", "referee", "coach", "tournament"]
    id: int
    name_i18n: SearchHitNameI18n
    sport: str
    country: str | None
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    gender: Literal["men", "women", "mixed"]
    image_url: str | None
    """Null for tournaments"""
    relevance: float


class SearchReply(TypedDict):
    count: int
    """Items in this page"""
    results: list[SearchHit]


class ExternalId(TypedDict):
    provider: str
    external_id: str
    id: int


class MapReply(TypedDict):
    type: str
    count: int
    """Items in this page"""
    external_ids: list[ExternalId]
    """In the request's order"""
    unknown: list[str]
    """Requested ids without a counterpart"""


class ExternalIdsReply(TypedDict):
    type: str
    count: int
    """Items in this page"""
    external_ids: list[ExternalId]
    """In the request's order"""
    unknown: list[str]
    """Requested ids without a counterpart"""


class ParticipantDetailNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class ParticipantDetailAliases(TypedDict):
    name: str
    locale: Literal["en", "ru"]


ParticipantDetailFormerNames = TypedDict(
    "ParticipantDetailFormerNames",
    {
        "name": "str",
        "name_ru": "str | None",
        # First day; null if open
        "from": "str | None",
        # Last day; null if open
        "to": "str | None",
    },
)


class ParticipantDetail(TypedDict):
    id: int
    type: Literal["team", "player", "referee", "coach"]
    sport: str
    name_i18n: ParticipantDetailNameI18n
    country: str | None
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    gender: Literal["men", "women", "mixed"]
    birth_date: str | None
    """Players only"""
    image_url: str
    extra: dict[str, Any]
    """Stadium, position, height and more, if known. For a player, `club` is the club in a squad list, and `club_id` is its id (null unless exactly one club of the catalogue has the name). `clubs` has the clubs of a player from line-ups and incidents, newest first, with season, team_id, team_name, team_name_ru, matches (null if line-ups or substitutions are not known) and goals (null if the scorers of a match are unknown)"""
    external_ids: NotRequired[dict[str, list[str]]]
    """Ids at each provider; only with `external_ids=true`"""
    aliases: list[ParticipantDetailAliases]
    """Other names by which search finds it, including former ones"""
    former_names: list[ParticipantDetailFormerNames]
    """Names valid on certain days, oldest first; on other days `name_i18n` applies. Matches show the names of their day (UTC). Tables and top scorers show the names of the last match"""


BlocksParam = Literal["incidents", "statistics", "lineups", "player_stats", "coaches", "missing_players", "shotmap", "momentum", "odds", "best_players", "win_probability", "votes", "highlights", "average_positions", "tv_channels", "points_history", "innings", "fight", "commentary", "season_label", "venue_city", "venue_capacity", "referee", "attendance", "venue_id", "referee_id", "referee_ids", "participants", "weather", "meta"]


class ParticipantMatchExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class ParticipantMatchExtra(TypedDict):
    period_scores: list[ParticipantMatchExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class ParticipantMatchWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class ParticipantMatchWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[ParticipantMatchWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class ParticipantMatchParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class ParticipantMatchWinProbability(TypedDict):
    homeWin: float
    draw: float | None
    awayWin: float


class PlayerPart(TypedDict):
    side: Literal["home", "away"]
    appeared: bool
    """False if the player was carded but is not known to have played"""
    started: bool | None
    """null if unknown"""
    minutes: int | None
    """Minutes played, without added time; null before the end of the match, and if unknown"""
    goals: int
    """Without own goals and shoot-outs"""
    penalties: int
    """Goals from penalties"""
    own_goals: int
    assists: int
    yellow_cards: int
    """In football a second yellow card counts only as a red card"""
    red_cards: int
    """Straight red cards and second yellow cards"""


class ParticipantMatch(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: ParticipantMatchExtra
    weather: ParticipantMatchWeather | None
    participants: list[ParticipantMatchParticipants]
    season_label: NotRequired[str]
    venue_city: NotRequired[str | None]
    venue_capacity: NotRequired[int | None]
    referee: NotRequired[str | None]
    attendance: NotRequired[int | None]
    venue_id: NotRequired[int | None]
    """As in `/v1/venue/{id}`"""
    referee_id: NotRequired[int | None]
    """As in `/v1/referee/{id}`; of several referees, the first"""
    referee_ids: NotRequired[list[int]]
    """All referees of the match, in the order of `referee`"""
    meta: NotRequired[MatchMeta]
    incidents: NotRequired[list[Incident]]
    statistics: NotRequired[list[Statistic]]
    lineups: NotRequired[list[LineupEntry]]
    player_stats: NotRequired[list[PlayerStats]]
    coaches: NotRequired[list[MatchCoach]]
    missing_players: NotRequired[list[MatchMissingPlayer]]
    shotmap: NotRequired[list[Shot]]
    momentum: NotRequired[Momentum]
    odds: NotRequired[list[OddsEntry]]
    best_players: NotRequired[list[BestPlayer]]
    win_probability: NotRequired[ParticipantMatchWinProbability]
    votes: NotRequired[Votes]
    highlights: NotRequired[list[Highlight]]
    average_positions: NotRequired[AveragePositions]
    tv_channels: NotRequired[dict[str, list[int]]]
    points_history: NotRequired[list[PointsHistory]]
    innings: NotRequired[list[Innings]]
    fight: NotRequired[Fight]
    commentary: NotRequired[list[CommentaryEntry]]
    result: Literal["W", "D", "L"] | None
    """Result for the participant, including a shoot-out; null before the end of the match and for abandoned and cancelled matches"""
    score_for: int | None
    score_against: int | None
    player: NotRequired[PlayerPart]
    """Only for a player in a team sport: what the player did in the match"""


class ParticipantEventsReply(TypedDict):
    count: int
    """Items in this page"""
    total: int
    """Items in all pages"""
    events: list[ParticipantMatch]


JsonSchema = TypedDict(
    "JsonSchema",
    {
        "$schema": "NotRequired[str]",
        "description": "NotRequired[str]",
        "type": "NotRequired[str | list[str]]",
        "format": "NotRequired[str]",
        "pattern": "NotRequired[str]",
        "const": "NotRequired[str | float | bool | None]",
        "enum": "NotRequired[list[str | float | bool | None]]",
        "minimum": "NotRequired[float]",
        "maximum": "NotRequired[float]",
        "minLength": "NotRequired[int]",
        "maxLength": "NotRequired[int]",
        "required": "NotRequired[list[str]]",
        "properties": "NotRequired[dict[str, JsonSchema]]",
        "propertyNames": "NotRequired[JsonSchema]",
        "additionalProperties": "NotRequired[bool | JsonSchema]",
        "items": "NotRequired[JsonSchema]",
        "anyOf": "NotRequired[list[JsonSchema]]",
    },
)


class ReferenceEventTypesReplyEventTypes(TypedDict):
    type: str
    meaning: str
    sports: list[str]
    """Slugs of sports that have it"""
    schema: JsonSchema
    """JSON Schema of the event's `data`"""


class ReferenceEventTypesReply(TypedDict):
    count: int
    """Items in this page"""
    event_types: list[ReferenceEventTypesReplyEventTypes]


class ReferenceIncidentKindsReplyIncidentKinds(TypedDict):
    kind: str
    meaning: str
    sports: list[str]
    """Slugs of sports that have it"""
    event_type: str
    """The event type that reports a new incident of this kind"""
    schema: JsonSchema
    """JSON Schema of the incident's `payload`, which may have more members"""


class ReferenceIncidentKindsReply(TypedDict):
    count: int
    """Items in this page"""
    incident_kinds: list[ReferenceIncidentKindsReplyIncidentKinds]


class ReferenceStatusesReplyStatuses(TypedDict):
    status: str
    status_detail: str
    meaning: str
    schema: JsonSchema


class ReferenceStatusesReply(TypedDict):
    count: int
    """Items in this page"""
    statuses: list[ReferenceStatusesReplyStatuses]


class RowToResolve(TypedDict):
    type: Literal["team", "player", "tournament"]
    provider: NotRequired[str]
    """Goes with `external_id`"""
    external_id: NotRequired[str]
    name: NotRequired[str]
    """Needed without an id. With an id, it is used if the id is not known"""
    sport: NotRequired[SportParam]
    gender: NotRequired[Literal["men", "women", "mixed"]]
    country: NotRequired[str]
    birth_date: NotRequired[str]
    """For players"""
    club: NotRequired[str]
    """For players: the name of a club for which the player has played"""


class ResolveRequest(TypedDict):
    rows: list[RowToResolve]


ResolutionReason = Literal["external_id", "birth_date_and_name", "name_and_country", "name_and_club", "name", "several", "unknown_provider", "unknown_id", "unknown_name", "contradiction"]


class ResolveCandidate(TypedDict):
    id: int
    name: str
    sport: str
    gender: str
    country: str | None
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    birth_date: str | None


class Resolution(TypedDict):
    type: Literal["team", "player", "tournament"]
    id: int | None
    """Our id. Null if nothing fits, or if several do"""
    name: str | None
    """The name of what was found"""
    confidence: Literal["certain", "probable", "possible"] | None
    """certain: an id, a name with a birth date, or a name in a country for a team or tournament; probable: a name with other support; possible: a name alone, so it may be a namesake. Null without an id of ours"""
    reason: ResolutionReason
    """external_id: the id is known; birth_date_and_name: one player has the name and the birth date; name_and_country: the name is that of one entity in the country; name_and_club: the name is that of one player who has played for the club; name: the name is that of one entity; nothing else supports it; several: several entities fit, or claim the id; unknown_provider: nothing of this type has an id of the provider; unknown_id: the provider is known, but the id is not; unknown_name: nothing has the name; contradiction: what has the name has another country or birth date"""
    candidates: list[ResolveCandidate]
    """All that fit, if there are several: at most 10, by id. For a contradiction, all that have the name"""


class ResolveReply(TypedDict):
    count: int
    """Rows in the request"""
    resolved: int
    """Rows with an id of ours"""
    rows: list[Resolution]
    """In the request's order"""


class EventsReply(TypedDict):
    count: int
    total: int
    events: list[Match]
    next_after: str | None
    """Null on the last page"""


class EventsLiveReply(TypedDict):
    count: int
    events: list[Match]
    as_of: str | None


class MatchDetailExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class MatchDetailExtra(TypedDict):
    period_scores: list[MatchDetailExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class MatchDetailWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class MatchDetailWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[MatchDetailWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class MatchDetailParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class MatchDetailWinProbability(TypedDict):
    homeWin: float
    draw: float | None
    awayWin: float


class MatchDetail(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: MatchDetailExtra
    weather: MatchDetailWeather | None
    participants: list[MatchDetailParticipants]
    external_ids: NotRequired[dict[str, list[str]]]
    """Ids at each provider; only with `external_ids=true`"""
    season_label: str
    venue_city: str | None
    venue_capacity: int | None
    referee: str | None
    attendance: int | None
    venue_id: int | None
    """As in `/v1/venue/{id}`"""
    referee_id: int | None
    """As in `/v1/referee/{id}`; of several referees, the first"""
    referee_ids: list[int]
    """All referees of the match, in the order of `referee`"""
    meta: MatchMeta
    incidents: NotRequired[list[Incident]]
    statistics: NotRequired[list[Statistic]]
    lineups: NotRequired[list[LineupEntry]]
    player_stats: NotRequired[list[PlayerStats]]
    coaches: NotRequired[list[MatchCoach]]
    missing_players: NotRequired[list[MatchMissingPlayer]]
    shotmap: NotRequired[list[Shot]]
    momentum: NotRequired[Momentum]
    odds: NotRequired[list[OddsEntry]]
    best_players: NotRequired[list[BestPlayer]]
    win_probability: NotRequired[MatchDetailWinProbability]
    votes: NotRequired[Votes]
    highlights: NotRequired[list[Highlight]]
    average_positions: NotRequired[AveragePositions]
    tv_channels: NotRequired[dict[str, list[int]]]
    points_history: NotRequired[list[PointsHistory]]
    innings: NotRequired[list[Innings]]
    fight: NotRequired[Fight]
    commentary: NotRequired[list[CommentaryEntry]]


class DeletedMatch(TypedDict):
    id: int
    reason: Literal["deleted", "merged", "moved"]
    """moved: the match no longer passes the filters"""
    merged_into: int | None


class SyncReply(TypedDict):
    count: int
    """Matches in this page"""
    events: list[MatchDetail]
    deleted: list[DeletedMatch]
    next_cursor: str
    has_more: bool
    """If false, store `next_cursor` and use it for the next sync"""
    stream_cursor: int
    """Open a stream at this cursor to miss no event"""


class HeadToHeadTeamA(TypedDict):
    id: int
    name: str
    name_ru: str | None


class HeadToHeadTeamB(TypedDict):
    id: int
    name: str
    name_ru: str | None


class HeadToHead(TypedDict):
    team_a: HeadToHeadTeamA
    team_b: HeadToHeadTeamB
    total: int
    """All meetings"""
    matches: int
    """Meetings that count"""
    team_a_wins: int
    draws: int
    team_b_wins: int
    team_a_goals: int
    team_b_goals: int
    count: int
    """Items in this page"""
    events: list[Match]


class OddsReply(TypedDict):
    date: str
    count: int
    """Items in this page"""
    total: int
    events: list[Match]


class TvReply(TypedDict):
    date: str
    count: int
    """Items in this page"""
    total: int
    events: list[Match]


StandingsRowZone = Literal["champions_league", "europa_league", "conference_league", "promotion", "promotion_play_off", "next_round", "play_off", "play_in", "relegation_play_off", "relegation"]


class StandingsRow(TypedDict):
    position: int
    """Within the group, if there are groups"""
    participant_id: int
    name: str
    """Name on the day of the side's last match in the season"""
    name_ru: str | None
    group: str | None
    """Null if the season has one table, and for the regular season of a divided league. If no source names the groups but the fixtures prove them, a number (`1`, or `2.1` for the first group of the second stage), in the order of the groups' first names"""
    played: int
    wins: int
    draws: int
    losses: int
    overtime_wins: int
    """Part of `wins`: after overtime, extra time or a shoot-out, or in the deciding set"""
    overtime_losses: int
    """Part of `losses`"""
    win_percentage: float | None
    """Share of matches won, with three decimals; a draw is half a win unless the rules say otherwise. Null before the first match"""
    games_behind: float | None
    """Matches behind the leader, in halves; in the grouping `wild_card` behind the last place that leads to the play-offs (below 0: ahead of it). Null unless the table is ordered by `win_percentage`"""
    scores_for: int
    scores_against: int
    goal_difference: int
    set_points_for: int | None
    """Points won in all sets, where they decide between level sides, as in volleyball. Null in other sports"""
    set_points_against: int | None
    """Points lost in all sets, as in `set_points_for`"""
    bonus_points: int | None
    """Part of `points`, for tries or a narrow defeat. Null if the rules have none"""
    no_results: int | None
    """Part of `played`: abandoned matches. Null if the rules give no points for them"""
    net_run_rate: float | None
    """In cricket: runs per over scored less conceded, with three decimals. Null in other sports"""
    points: int
    points_deducted: int
    """Points that the organizer has deducted, already subtracted from `points`; below 0 if points were added. Only in `total`"""
    form: str
    """Outcomes of the row's last five matches, newest on the left"""
    zone: StandingsRowZone | None
    """What the place leads to, by the rules of the season. Null if the place leads to nothing, if the rules are not known, and in tables other than `total`"""
    movement: NotRequired[int | None]
    """Only with `date` or `round`: places gained since the previous day with matches, or since the previous round; below 0: places lost. Null if the side had no place then"""


class Standings(TypedDict):
    tournament_id: int
    tournament: str
    season_id: int | None
    season_label: str | None
    """Null for a tournament without seasons"""
    standing_type: Literal["total", "home", "away", "form"]
    groupings: list[Literal["division", "conference", "wild_card", "overall"]]
    """Values of `grouping` for this season, the default first; empty if the season has no conferences"""
    table: list[StandingsRow]
    complete: bool
    """False if the table is known to lack results, for one of three reasons. A match that was not postponed has no result a day after its start. The season is over (its last match began more than 120 days ago), but lacks matches that nearly all its sides or pairings have, or the groups after its split. The sources of the season are known to be incomplete. Matches to come do not count as missing"""
    reason: NotRequired[Literal["no_table", "not_begun"]]
    """Why the list is empty. no_table: the season has no table; not_begun: no match that counts had a result by then"""


class StandingsStep(TypedDict):
    round_num: int | None
    round_name: str | None
    last_day: str
    """Day (UTC) of the last match that has been played in it"""


class StandingsHistoryRow(TypedDict):
    participant_id: int
    name: str
    name_ru: str | None
    group: str | None
    positions: list[int | None]
    """Place after each of the `steps`; null while the side had none"""
    points: list[int | None]
    """Points after each of the `steps`"""


class StandingsHistory(TypedDict):
    tournament_id: int
    tournament: str
    season_id: int | None
    season_label: str | None
    groupings: list[Literal["division", "conference", "wild_card", "overall"]]
    steps: list[StandingsStep]
    """Rounds with at least one result, in the order of play. If most matches of the season have no round: weeks from Monday to Sunday, or days in a season of less than eight weeks (UTC), both without number and name"""
    rows: list[StandingsHistoryRow]
    reason: NotRequired[Literal["no_table", "not_begun"]]
    """Why the list is empty. no_table: the season has no table; not_begun: no match that counts had a result by then"""


class Scorer(TypedDict):
    rank: int
    """Shared by players with the same number of goals"""
    participant_id: int | None
    """Null for a player known only by name"""
    player_name: str
    player_name_ru: str | None
    team_id: int
    team_name: str
    """Name on the day of the player's last match"""
    team_name_ru: str | None
    goals: int
    """Goals; points in basketball, rugby and other sports that count points"""
    assists: int | None
    penalties: int | None
    """Goals from penalties"""
    matches: int | None
    """Matches played; null if the line-ups or substitutions of some matches are not known"""


class Scorers(TypedDict):
    tournament_id: int
    season_id: int | None
    count: int
    scorers: list[Scorer]
    reason: NotRequired[Literal["no_results", "no_scorers"]]
    """Why the list is empty: no match has a result, or no source names the scorers"""
    latest_season_with_scorers: NotRequired[int | None]
    """Only with an empty list: a value for `season`, the id of the latest season that has scorers"""


class BracketTeam(TypedDict):
    participant_id: int | None
    name: str | None
    """Name on the day of the side's last match in the season; null if the side is not known yet"""
    name_ru: str | None
    code: str | None
    """A national team's FIFA code, or a club's code at a provider"""
    bye: bool
    """True if the side skipped the previous round, although other sides in this round had to play it. A play-in is not counted"""


class BracketLeg(TypedDict):
    """The first and the second team's score, whichever was the host"""
    event_id: int | None
    """Null for a leg that must exist but is unknown"""
    home_score: int | None
    away_score: int | None


class BracketMatchup(TypedDict):
    finished: bool
    """Whether the tie is decided"""
    result: str | None
    """How the tie was decided, with extra time, penalties, replays and aggregates: `3:3 after extra time, 4:2 on penalties`; `5:4 on aggregate`; `1:1 after extra time; 1:0 in the replay`; `3:2 in the series`. Null before the end, and if no match tells how the tie was decided"""
    home_score: str | None
    """Score of the first team: in the deciding match, in both legs together, or games won in a series; without shoot-outs"""
    away_score: str | None
    """The second team's score"""
    teams: list[BracketTeam]
    """The host of the first match comes first"""
    winner_id: int | None
    """The team that advances or wins the cup, according to the matches. If they do not tell, according to the teams in a later round; null if these do not tell either"""
    event_ids: list[int]
    """All matches between the two, oldest first, including abandoned ones"""
    legs: list[BracketLeg]


class BracketRound(TypedDict):
    name: str
    matchups: list[BracketMatchup]


class Bracket(TypedDict):
    tournament_id: int
    tournament: str
    season_id: int | None
    season_label: str | None
    rounds: list[BracketRound]
    """In playing order, the final last"""
    reason: NotRequired[Literal["no_rounds", "no_knockout"]]
    """Only with empty `rounds`. no_rounds: no source names the rounds of this season, and its matches do not show them; no_knockout: none of its rounds is known to be a knock-out round, or there is none yet"""


class Round(TypedDict):
    round_num: int | None
    round_name: str | None
    matches: int
    finished: int
    """Matches that are over, cancelled ones included"""
    first_start: str
    last_start: str
    is_current: bool
    """True for the round of the next match that is live or to come, or for the last round if there is no such match. Exactly one round is current"""


class Rounds(TypedDict):
    tournament_id: int
    season_id: int | None
    season_label: str | None
    count: int
    rounds: list[Round]
    reason: NotRequired[Literal["no_rounds"]]
    """Only with an empty list: no source names the rounds of this season"""


class CricketFigures(TypedDict):
    """Figures of a cricketer, without super overs"""
    innings: int
    """In which the player batted"""
    not_outs: int
    runs: int
    highest_score: str | None
    """In an innings; `113*` is 113 not out"""
    batting_average: float | None
    """Runs divided by the number of times out; null if never out"""
    balls_faced: int
    strike_rate: float | None
    """Runs per 100 balls faced"""
    hundreds: int
    """Innings with 100 runs or more"""
    fifties: int
    """Innings with 50 to 99 runs"""
    fours: int
    sixes: int
    balls_bowled: int
    maidens: int
    runs_conceded: int
    wickets: int
    best_bowling: str | None
    """In an innings; `5/17` is 5 wickets for 17 runs"""
    bowling_average: float | None
    """Runs conceded per wicket"""
    economy: float | None
    """Runs conceded per over of six balls"""
    catches: int
    stumpings: int
    run_outs: int


class SeasonStatistics(TypedDict):
    season_id: int
    season_label: str
    tournament_id: int
    tournament: str
    team_id: int
    team_name: str
    """Name on the day of the last counted match"""
    team_name_ru: str | None
    matches: int | None
    """Matches in which the player appeared: null unless all line-ups and substitutions are known"""
    starts: int | None
    """Null unless all line-ups are known; players only"""
    minutes: int | None
    """Without added time; null like `matches`, and in sports in which players come and go"""
    goals: int | None
    """Goals; points in sports that count points, such as basketball and rugby. Null unless the scorers of all goals or points of the team in the season are known"""
    assists: int | None
    """Null like `goals`, and if no match of the season has an assist"""
    yellow_cards: int | None
    """Null in sports without cards, and unless a source reports the cards of every match. In football a second yellow card counts only as a red card. For a team, the cards in the match statistics count, if there are any"""
    red_cards: int | None
    """Straight red cards and second yellow cards; null like `yellow_cards`"""
    clean_sheets: int | None
    """Matches without a goal against; null in sports that do not count them. For a goalkeeper, only matches played from start to end; null for other players. Null like `matches`"""
    wins: int | None
    """Teams only, like `draws`, `losses` and `goals_against`"""
    draws: int | None
    losses: int | None
    goals_against: int | None
    penalties: int | None
    """Goals from penalties; null like `assists`"""
    own_goals: int | None
    """Null like `goals`"""
    cricket: NotRequired[CricketFigures | None]
    """Only for a player in cricket. Null unless a source gives the figures of players in every match"""


class Statistics(TypedDict):
    participant_id: int
    count: int
    statistics: list[SeasonStatistics]
    career: NotRequired[CricketFigures | None]
    """Only for a player in cricket: the figures of all seasons in the list. Null if one is unknown"""
    reason: NotRequired[Literal["no_results"]]
    """Only with an empty list: no finished match of the participant is known in the requested seasons"""


class SquadCompetition(TypedDict):
    season_id: int
    tournament_id: int
    tournament: str
    is_listed: bool
    """Whether a source has the list of players that the team has entered"""
    is_counted: bool
    """Whether players and figures of this competition are in `squad`"""


class SquadPlayer(TypedDict):
    participant_id: int | None
    """Null for a player known only by name"""
    player_name: str
    player_name_ru: str | None
    birth_date: str | None
    country: str | None
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    shirt_number: str | None
    """From the list of players, otherwise the most frequent number"""
    position: str | None
    """From the list of players, otherwise the most frequent position; as sources write it"""
    matches: int | None
    """Matches in which the player appeared: null unless all line-ups and substitutions are known"""
    starts: int | None
    """Null unless all line-ups are known; players only"""
    minutes: int | None
    """Without added time; null like `matches`, and in sports in which players come and go"""
    goals: int | None
    """Goals; points in sports that count points, such as basketball and rugby. Null unless the scorers of all goals or points of the team in the season are known"""
    assists: int | None
    """Null like `goals`, and if no match of the season has an assist"""
    yellow_cards: int | None
    """Null in sports without cards, and unless a source reports the cards of every match. In football a second yellow card counts only as a red card. For a team, the cards in the match statistics count, if there are any"""
    red_cards: int | None
    """Straight red cards and second yellow cards; null like `yellow_cards`"""
    clean_sheets: int | None
    """Matches without a goal against; null in sports that do not count them. For a goalkeeper, only matches played from start to end; null for other players. Null like `matches`"""


class Squad(TypedDict):
    participant_id: int
    season_label: str | None
    """Null if none of the team's players are known"""
    season_labels: list[str]
    """Seasons in which players are known, newest first"""
    competitions: list[SquadCompetition]
    """Competitions of the season in which players are known, newest first"""
    count: int
    squad: list[SquadPlayer]
    reason: NotRequired[Literal["no_players"]]
    """Only with an empty list: no finished match that the plan includes names players of the team"""


class MissingCards(TypedDict):
    event_id: int
    team_id: int
    scheduled_start: str
    updated_at: str


class MissingPlayer(TypedDict):
    event_id: int
    team_id: int
    player_participant_id: int | None
    """Null unless exactly one of the team's players has the name"""
    player_name: str
    position: str | None
    type: str
    status: str | None
    reason_text: str | None


class Missing(TypedDict):
    participant_id: int
    cards: list[MissingCards]
    """The cards that were read, one for a team; without one, it is not known who is missing"""
    count: int
    missing: list[MissingPlayer]


class TournamentMissingCards(TypedDict):
    event_id: int
    team_id: int
    scheduled_start: str
    updated_at: str


class TournamentMissing(TypedDict):
    tournament_id: int
    season_id: int | None
    season_label: str | None
    cards: list[TournamentMissingCards]
    """The cards that were read, one for a team; without one, it is not known who is missing"""
    count: int
    missing: list[MissingPlayer]


StatParam = Literal["goals", "assists", "goals_and_assists", "penalties", "own_goals", "yellow_cards", "red_cards", "cards", "clean_sheets", "matches", "starts", "minutes", "runs", "highest_score", "batting_average", "strike_rate", "hundreds", "fifties", "fours", "sixes", "wickets", "best_bowling", "bowling_average", "economy"]


class Leader(TypedDict):
    rank: int
    """Shared by players with the same value"""
    participant_id: int | None
    """Null for a player known only by name"""
    player_name: str
    player_name_ru: str | None
    team_id: int
    team_name: str
    """Name on the day of the last counted match"""
    team_name_ru: str | None
    value: float
    value_text: NotRequired[str]
    """For `highest_score` and `best_bowling`: the value as cricket writes it, `113*` or `5/17`"""
    matches: int | None
    """Matches played; null unless all line-ups and substitutions are known"""


class Leaders(TypedDict):
    tournament_id: int
    season_id: int | None
    season_label: str | None
    stat: str
    count: int
    leaders: list[Leader]
    reason: NotRequired[Literal["no_results", "unknown"]]
    """Why the list is empty: no match has a result, no source tells the figure, or the figure is 0 for all players"""
    latest_season_with_leaders: NotRequired[int | None]
    """Only with an empty list: a value for `season`, the id of the latest season that has leaders by `stat`. Null if there is none, or if the three latest candidates lack figures"""


KindParam = Literal["fifa", "uefa_clubs", "uefa_countries", "atp_singles", "atp_doubles", "atp_singles_race", "atp_doubles_race", "wta_singles", "wta_doubles", "wta_singles_race", "wta_doubles_race", "elo_national_teams", "elo_clubs", "elo_american_football", "elo_basketball", "elo_baseball", "elo_rugby", "elo_ice_hockey", "elo_aussie_rules", "elo_cricket", "elo_volleyball"]


class RankingEntryParticipant(TypedDict):
    id: int
    name: str
    """On the ranking's day"""
    name_ru: str | None
    country: str | None


class RankingEntry(TypedDict):
    rank: int
    """Equal for participants that are level"""
    participant: RankingEntryParticipant
    points: float | None
    """Null if the source does not publish them"""
    movement: int | None
    """Places gained (above 0) or lost since the previous ranking; null for a new entry and in the first ranking"""


class Rankings(TypedDict):
    kind: KindParam
    published_at: str | None
    """Null if no ranking was published by that day"""
    previous_published_at: str | None
    """The ranking that `movement` refers to"""
    count: int
    """Items in this page"""
    total: int
    """Items in all pages"""
    rankings: list[RankingEntry]
    reason: NotRequired[Literal["not_imported", "not_computed", "published_later"]]
    """Why there is no ranking. not_imported: the operator of this service has imported no ranking of this kind. not_computed: the ratings have not been computed, or no team has enough matches for them. published_later: the first ranking is newer than `date`"""
    first_published_at: NotRequired[str]
    """Only with `published_later`: the earliest value of `date` that gives a ranking"""


class RatingEntry(TypedDict):
    date: str
    """Last day whose results count"""
    points: float
    rank: int


class Ratings(TypedDict):
    participant_id: int
    kind: KindParam | None
    """Null if the participant has no rating"""
    count: int
    ratings: list[RatingEntry]


class Transfer(TypedDict):
    date: str | None
    """For a derived move: `seen_on` if the transfer window is known, otherwise null"""
    date_precision: Literal["day", "window", "season", "unknown"]
    """`day`: a source lists the day of the move. The rest are for derived moves. `window`: line-ups show the move, which fell into a transfer window after the last appearance for the former club; `season`: only goals or cards without line-ups show the move, which may be months earlier; `unknown`: the player had not appeared for a club for more than a season"""
    seen_on: str | None
    """For a derived move: day of the first appearance for the new club, to which the player moved before or on that day"""
    season: str | None
    """For a derived move: season of the first appearance for the new club"""
    type: Literal["transfer", "loan", "loan_return", "other"]
    player_id: int
    player_name: str
    player_name_ru: str | None
    from_team_id: int | None
    """Null for a club that is not in the catalogue"""
    from_team: str | None
    """The name of the club on that day; null if there is no club, or if it is unknown"""
    from_team_ru: str | None
    to_team_id: int | None
    to_team: str | None
    to_team_ru: str | None
    loan_until: str | None
    """A loan's agreed last day"""
    fee: float | None
    """0 if free; null if unknown"""
    fee_currency: str | None
    """ISO 4217"""
    derived: bool
    """True if no source lists this move, but the player appears for a different club"""


class Transfers(TypedDict):
    participant_id: int
    type: Literal["player", "team"]
    count: int
    """Items in this page"""
    total: int
    """Items in all pages"""
    transfers: list[Transfer]


class Venue(TypedDict):
    id: int
    name: str
    city: str | None
    country: str
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    capacity: int | None
    """Number of spectators; null if no source has it"""
    events: int
    """Number of matches, including those to come"""


class VenuesReply(TypedDict):
    count: int
    """Items in this page"""
    total: int
    """Items in all pages"""
    venues: list[Venue]


class Tenant(TypedDict):
    team_id: int
    team_name: str
    team_name_ru: str | None
    sport: str
    matches: int
    """Home matches of the team at this venue, including those to come"""
    first_match: str
    last_match: str


class VenueDetailLastEventsExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class VenueDetailLastEventsExtra(TypedDict):
    period_scores: list[VenueDetailLastEventsExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class VenueDetailLastEventsWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class VenueDetailLastEventsWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[VenueDetailLastEventsWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class VenueDetailLastEventsParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class VenueDetailLastEvents(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: VenueDetailLastEventsExtra
    weather: VenueDetailLastEventsWeather | None
    participants: list[VenueDetailLastEventsParticipants]


class VenueDetailNextEventsExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class VenueDetailNextEventsExtra(TypedDict):
    period_scores: list[VenueDetailNextEventsExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class VenueDetailNextEventsWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class VenueDetailNextEventsWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[VenueDetailNextEventsWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class VenueDetailNextEventsParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class VenueDetailNextEvents(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: VenueDetailNextEventsExtra
    weather: VenueDetailNextEventsWeather | None
    participants: list[VenueDetailNextEventsParticipants]


class VenueDetail(TypedDict):
    id: int
    name: str
    city: str | None
    country: str
    """ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international"""
    capacity: int | None
    """Number of spectators; null if no source has it"""
    events: int
    """Number of matches, including those to come"""
    aliases: list[str]
    """Other names, such as a names with a sponsor"""
    latitude: float | None
    """Degrees north"""
    longitude: float | None
    """Degrees east"""
    timezone: str | None
    """A name of the IANA database"""
    first_match: str | None
    last_match: str | None
    """May be to come"""
    tenants: list[Tenant]
    """The 20 teams with the most home matches here. A match does not count on neutral ground, or if a national team plays abroad"""
    last_events: list[VenueDetailLastEvents]
    """The last ten finished matches, newest first"""
    next_events: list[VenueDetailNextEvents]
    """The next ten matches that are not finished, soonest first"""


class StaffNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class Staff(TypedDict):
    id: int
    sport: str
    name_i18n: StaffNameI18n
    country: str | None
    """The country of the competitions; null for international ones. For a person who has played, the nationality"""
    events: int
    """Number of matches, including those to come"""


class RefereesReply(TypedDict):
    count: int
    """Items in this page"""
    total: int
    """Items in all pages"""
    referees: list[Staff]


class RefereeDetailNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


RefereeDetailFormerNames = TypedDict(
    "RefereeDetailFormerNames",
    {
        "name": "str",
        "name_ru": "str | None",
        "from": "str | None",
        "to": "str | None",
    },
)


class RefereeSeason(TypedDict):
    season_id: int
    season_label: str
    tournament_id: int
    tournament: str
    tournament_ru: str | None
    matches: int
    """Finished matches"""
    matches_with_cards: int
    """Of these, the matches whose cards a source reports"""
    yellow_cards: int
    """In the matches of `matches_with_cards`, as the match statistics or else the incidents count them"""
    red_cards: int
    """Straight red cards and second yellow cards"""
    yellow_cards_per_match: float | None
    """`yellow_cards` / `matches_with_cards`; null without such a match"""
    red_cards_per_match: float | None
    matches_with_penalties: int
    """The matches whose incidents a source reports in full, with or without a penalty"""
    penalties: int
    """Penalties in play, scored or not, in the matches of `matches_with_penalties`"""
    penalties_per_match: float | None


class RefereeDetailLastEventsExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class RefereeDetailLastEventsExtra(TypedDict):
    period_scores: list[RefereeDetailLastEventsExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class RefereeDetailLastEventsWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class RefereeDetailLastEventsWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[RefereeDetailLastEventsWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class RefereeDetailLastEventsParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class RefereeDetailLastEvents(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: RefereeDetailLastEventsExtra
    weather: RefereeDetailLastEventsWeather | None
    participants: list[RefereeDetailLastEventsParticipants]


class RefereeDetailNextEventsExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class RefereeDetailNextEventsExtra(TypedDict):
    period_scores: list[RefereeDetailNextEventsExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class RefereeDetailNextEventsWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class RefereeDetailNextEventsWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[RefereeDetailNextEventsWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class RefereeDetailNextEventsParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class RefereeDetailNextEvents(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: RefereeDetailNextEventsExtra
    weather: RefereeDetailNextEventsWeather | None
    participants: list[RefereeDetailNextEventsParticipants]


class RefereeDetail(TypedDict):
    id: int
    sport: str
    name_i18n: RefereeDetailNameI18n
    country: str | None
    """The country of the competitions; null for international ones. For a person who has played, the nationality"""
    roles: list[Literal["team", "player", "referee", "coach"]]
    """The roles that the person has had in the catalogue: `player`, `coach`, `referee`. One person has one id in all roles"""
    aliases: list[str]
    """Other spellings by which search finds the person"""
    former_names: list[RefereeDetailFormerNames]
    events: int
    """Number of matches, including those to come"""
    matches: int
    """Finished matches"""
    matches_with_cards: int
    """Of these, the matches whose cards a source reports"""
    yellow_cards: int
    """In the matches of `matches_with_cards`, as the match statistics or else the incidents count them"""
    red_cards: int
    """Straight red cards and second yellow cards"""
    yellow_cards_per_match: float | None
    """`yellow_cards` / `matches_with_cards`; null without such a match"""
    red_cards_per_match: float | None
    matches_with_penalties: int
    """The matches whose incidents a source reports in full, with or without a penalty"""
    penalties: int
    """Penalties in play, scored or not, in the matches of `matches_with_penalties`"""
    penalties_per_match: float | None
    seasons: list[RefereeSeason]
    """By season and tournament, newest first"""
    last_events: list[RefereeDetailLastEvents]
    """The last ten finished matches, newest first"""
    next_events: list[RefereeDetailNextEvents]
    """The next ten matches that are not finished, soonest first"""


class CoachesReply(TypedDict):
    count: int
    """Items in this page"""
    total: int
    """Items in all pages"""
    coaches: list[Staff]


class CoachDetailNameI18n(TypedDict):
    en: str
    ru: NotRequired[str]


CoachDetailFormerNames = TypedDict(
    "CoachDetailFormerNames",
    {
        "name": "str",
        "name_ru": "str | None",
        "from": "str | None",
        "to": "str | None",
    },
)


class CoachSeason(TypedDict):
    season_id: int
    season_label: str
    tournament_id: int
    tournament: str
    tournament_ru: str | None
    team_id: int
    team_name: str
    """Name on the day of the last match"""
    team_name_ru: str | None
    matches: int
    """Finished matches with a result"""
    wins: int
    """In football, a match that a shoot-out decided is a draw"""
    draws: int
    losses: int
    goals_for: int
    """Goals, or points in sports that count points"""
    goals_against: int


class CoachDetailLastEventsExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class CoachDetailLastEventsExtra(TypedDict):
    period_scores: list[CoachDetailLastEventsExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class CoachDetailLastEventsWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class CoachDetailLastEventsWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[CoachDetailLastEventsWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class CoachDetailLastEventsParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class CoachDetailLastEvents(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: CoachDetailLastEventsExtra
    weather: CoachDetailLastEventsWeather | None
    participants: list[CoachDetailLastEventsParticipants]


class CoachDetailNextEventsExtraPeriodScores(TypedDict):
    period: str
    home: int
    away: int
    innings: NotRequired[InningsState]


class CoachDetailNextEventsExtra(TypedDict):
    period_scores: list[CoachDetailNextEventsExtraPeriodScores]
    season: str
    round: str | None
    start_time: str | None
    shootout_winner: NotRequired[Literal["home", "away"]]
    """The side that won the shoot-out, if a source has the winner without the score"""
    winner: NotRequired[Literal["home", "away", "draw"]]
    """The result, if the score does not show it: in cricket after a revised target, a super over, or a drawn match"""


class CoachDetailNextEventsWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class CoachDetailNextEventsWeather(TypedDict):
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[CoachDetailNextEventsWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class CoachDetailNextEventsParticipants(TypedDict):
    participant_id: int
    name: str
    """The name on the day of the match (UTC), so that former states and clubs have their names of that time"""
    name_ru: str | None
    side: Literal["home", "away"]
    score: int | None
    image_url: str


class CoachDetailNextEvents(TypedDict):
    id: int
    scheduled_start: str
    time_tbd: bool
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    round_num: int | None
    round_name: str | None
    tournament: str
    tournament_id: int
    season_id: int
    sport: str
    venue: str | None
    importance: int
    lineup_confirmed: bool | None
    finalized: bool
    updated_at: str
    extra: CoachDetailNextEventsExtra
    weather: CoachDetailNextEventsWeather | None
    participants: list[CoachDetailNextEventsParticipants]


class CoachDetail(TypedDict):
    id: int
    sport: str
    name_i18n: CoachDetailNameI18n
    country: str | None
    """The country of the competitions; null for international ones. For a person who has played, the nationality"""
    roles: list[Literal["team", "player", "referee", "coach"]]
    """The roles that the person has had in the catalogue: `player`, `coach`, `referee`. One person has one id in all roles"""
    aliases: list[str]
    """Other spellings by which search finds the person"""
    former_names: list[CoachDetailFormerNames]
    events: int
    """Number of matches, including those to come"""
    matches: int
    """Finished matches with a result"""
    wins: int
    """In football, a match that a shoot-out decided is a draw"""
    draws: int
    losses: int
    goals_for: int
    """Goals, or points in sports that count points"""
    goals_against: int
    seasons: list[CoachSeason]
    """By season, tournament and team, newest first"""
    last_events: list[CoachDetailLastEvents]
    """The last ten finished matches, newest first"""
    next_events: list[CoachDetailNextEvents]
    """The next ten matches that are not finished, soonest first"""


class AnalyticsTournament(TypedDict):
    id: int
    name: str
    name_ru: str | None


class FormBlockStreak(TypedDict):
    type: Literal["win", "draw", "loss"]
    len: int


class FormBlockExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""


class FormBlock(TypedDict):
    matches: int
    w: int
    l: int
    ppg: float | None
    """Points per match, by the tournament's rules"""
    gf_avg: float | None
    ga_avg: float | None
    goals_avg: float | None
    win_pct: float | None
    draw_pct: float | None
    loss_pct: float | None
    over_1_5: float | None
    over_2_5: float | None
    over_3_5: float | None
    btts: float | None
    clean_sheet: float | None
    failed_to_score: float | None
    streak: FormBlockStreak | None
    unbeaten_run: int
    scoring_run: int
    cleansheet_run: int
    form: str
    """The newest ten outcomes, newest on the left"""
    explain: NotRequired[FormBlockExplain]
    """Only with `explain=true`"""
    d: int


class AnalyticsTeamFormStreaksStreak(TypedDict):
    type: Literal["win", "draw", "loss"]
    len: int


class AnalyticsTeamFormStreaks(TypedDict):
    streak: AnalyticsTeamFormStreaksStreak | None
    unbeaten_run: int
    scoring_run: int
    cleansheet_run: int


class AnalyticsTeamForm(TypedDict):
    overall: FormBlock
    last5: FormBlock
    last10: FormBlock
    home: FormBlock
    away: FormBlock
    streaks: AnalyticsTeamFormStreaks


class AnalyticsTeamDisciplineExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""


class AnalyticsTeamDiscipline(TypedDict):
    matches: int
    """Matches in the form whose cards are known"""
    cards_avg: float | None
    explain: NotRequired[AnalyticsTeamDisciplineExplain]
    """Only with `explain=true`"""


class AnalyticsTeamStandingExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""


class AnalyticsTeamStanding(TypedDict):
    position: int
    played: int
    points: int
    goals_for: int
    goals_against: int
    explain: NotRequired[AnalyticsTeamStandingExplain]
    """Only with `explain=true`"""


class AnalyticsTeam(TypedDict):
    name: str
    name_ru: str | None
    form: AnalyticsTeamForm
    discipline: AnalyticsTeamDiscipline
    standing: AnalyticsTeamStanding | None


class AnalyticsH2hRecent(TypedDict):
    date: str
    score: str
    """Home side first, as in that match"""
    home: Literal["team_a", "team_b"]
    shootout: NotRequired[bool]
    """Only if a shoot-out decided the match. In football such a match counts as a draw; in other sports the final result counts"""


class AnalyticsH2hExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""


class AnalyticsH2h(TypedDict):
    matches: int
    team_a_wins: int
    draws: int
    team_b_wins: int
    goals_avg: float | None
    over_2_5: float | None
    btts: float | None
    recent: list[AnalyticsH2hRecent]
    explain: NotRequired[AnalyticsH2hExplain]
    """Only with `explain=true`"""


class AnalyticsModelExpectedGoals(TypedDict):
    home: float
    away: float
    total: float


class AnalyticsModelProbabilities(TypedDict):
    home_win: float
    draw: float
    away_win: float
    over_1_5: float
    over_2_5: float
    over_3_5: float
    under_2_5: float
    btts: float


class AnalyticsModelFairOdds(TypedDict):
    home_win: float | None
    draw: float | None
    away_win: float | None
    over_1_5: float | None
    over_2_5: float | None
    over_3_5: float | None
    under_2_5: float | None
    btts: float | None


class AnalyticsModelLikelyScorelines(TypedDict):
    score: str
    prob: float


AnalyticsModelSample = TypedDict(
    "AnalyticsModelSample",
    {
        "from": "str",
        "to": "str",
        "league_matches": "int",
        "home_matches": "int",
        "away_matches": "int",
    },
)


class AnalyticsModelStrengthsHome(TypedDict):
    attack: float
    defence: float


class AnalyticsModelStrengthsAway(TypedDict):
    attack: float
    defence: float


class AnalyticsModelStrengths(TypedDict):
    home: AnalyticsModelStrengthsHome
    away: AnalyticsModelStrengthsAway


class AnalyticsModelCalibratedExpectedGoals(TypedDict):
    home: float
    away: float
    total: float


class AnalyticsModelCalibratedProbabilities(TypedDict):
    home_win: float
    draw: float
    away_win: float
    over_1_5: float
    over_2_5: float
    over_3_5: float
    under_2_5: float
    btts: float


class AnalyticsModelCalibratedFairOdds(TypedDict):
    home_win: float | None
    draw: float | None
    away_win: float | None
    over_1_5: float | None
    over_2_5: float | None
    over_3_5: float | None
    under_2_5: float | None
    btts: float | None


class AnalyticsModelCalibratedLikelyScorelines(TypedDict):
    score: str
    prob: float


AnalyticsModelCalibratedValueBetsSelection = Literal["home", "draw", "away", "over", "under", "yes", "no"]


class AnalyticsModelCalibratedValueBets(TypedDict):
    market: Literal["1x2", "over_under_2.5", "btts"]
    selection: AnalyticsModelCalibratedValueBetsSelection
    market_odds: float
    fair_odds: float
    edge_pct: float
    caution: NotRequired[bool]
    """Present if the edge is over 20 %, which is more often the model's error than the market's mistake"""


class AnalyticsModelCalibratedExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""


class AnalyticsModelCalibrated(TypedDict):
    expected_goals: AnalyticsModelCalibratedExpectedGoals
    probabilities: AnalyticsModelCalibratedProbabilities
    fair_odds: AnalyticsModelCalibratedFairOdds
    method: str
    likely_scorelines: list[AnalyticsModelCalibratedLikelyScorelines]
    value_bets: list[AnalyticsModelCalibratedValueBets]
    """By the calibrated model; the `value_bets` at the top level of the reply are by `model` itself"""
    explain: NotRequired[AnalyticsModelCalibratedExplain]
    """Only with `explain=true`"""


class AnalyticsModelExplainLeagueAverages(TypedDict):
    home: float
    away: float


class AnalyticsModelExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""
    league_averages: AnalyticsModelExplainLeagueAverages
    home_event_ids: list[int]
    away_event_ids: list[int]


class AnalyticsModel(TypedDict):
    expected_goals: AnalyticsModelExpectedGoals
    probabilities: AnalyticsModelProbabilities
    fair_odds: AnalyticsModelFairOdds
    likely_scorelines: list[AnalyticsModelLikelyScorelines]
    sample: AnalyticsModelSample
    strengths: AnalyticsModelStrengths
    calibrated: NotRequired[AnalyticsModelCalibrated]
    explain: NotRequired[AnalyticsModelExplain]
    """Only with `explain=true`"""


class AnalyticsRatingHome(TypedDict):
    rating: float
    matches: int
    """Rated matches before this one"""


class AnalyticsRatingAway(TypedDict):
    rating: float
    matches: int
    """Rated matches before this one"""


class AnalyticsRatingProbabilities(TypedDict):
    home_win: float
    draw: float | None
    away_win: float


class AnalyticsRatingFairOdds(TypedDict):
    home_win: float | None
    draw: float | None | None
    away_win: float | None


class AnalyticsRatingSetScores(TypedDict):
    home: int
    away: int
    probability: float


class AnalyticsRating(TypedDict):
    """Elo ratings with margin of victory, and the probabilities that follow from them, without a model of goals. Null in other sports, before the ratings are computed, and if a side has fewer than 5 rated matches; `draw` is null if matches always have a winner"""
    method: Literal["elo_margin"]
    parameters: Literal["fivethirtyeight", "fitted", "assumed"]
    """fivethirtyeight: published for the sport; fitted: to earlier seasons; assumed: chosen by analogy with a different sport"""
    home: AnalyticsRatingHome
    away: AnalyticsRatingAway
    home_advantage: float
    """Points that playing at home is worth; 0 on neutral ground"""
    rest: float
    """Points for a match of the away side on the day before; negative for one of the home side"""
    difference: float
    """The home side's lead, home advantage and rest included"""
    probabilities: AnalyticsRatingProbabilities
    overtime: float | None
    """Probability that the match goes to overtime; null in most sports"""
    fair_odds: AnalyticsRatingFairOdds
    expected_margin: float | None
    """The home side's expected margin in points. Null in sports without such a forecast"""
    set_scores: list[AnalyticsRatingSetScores] | None
    """Probabilities of all final scores in sets, as in volleyball. Null in other sports"""


class AnalyticsValueBets(TypedDict):
    market: Literal["1x2", "over_under_2.5", "btts"]
    selection: AnalyticsModelCalibratedValueBetsSelection
    market_odds: float
    fair_odds: float
    edge_pct: float
    caution: NotRequired[bool]
    """Present if the edge is over 20 %, which is more often the model's error than the market's mistake"""


class AnalyticsTrendsExplain(TypedDict):
    """Only with `explain=true`"""
    condition: str
    venue: Literal["overall", "home", "away"]
    last: int
    """Sample length"""
    count: int
    """Matches that meet the condition"""
    matches: int
    base_rate: float
    """Share of matches in which an average side in the league meets the condition"""
    tail: float
    """Probability that chance alone gives at least this `count`"""
    bound: float
    """Maximum `tail` of a trend"""
    event_ids: list[int]
    truncated: bool


class AnalyticsTrends(TypedDict):
    label: str
    detail: str
    side: Literal["home", "away"]
    explain: NotRequired[AnalyticsTrendsExplain]
    """Only with `explain=true`"""


class Analytics(TypedDict):
    event_id: int
    sport: str
    tournament: AnalyticsTournament
    home: AnalyticsTeam
    away: AnalyticsTeam
    h2h: AnalyticsH2h
    model: AnalyticsModel | None
    rating: AnalyticsRating | None
    """Elo ratings with margin of victory, and the probabilities that follow from them, without a model of goals. Null in other sports, before the ratings are computed, and if a side has fewer than 5 rated matches; `draw` is null if matches always have a winner"""
    value_bets: list[AnalyticsValueBets]
    trends: list[AnalyticsTrends]
    computed_at: str
    """When the analytics were computed. If they are requested often, the change of a match may appear in them up to 60 seconds late"""
    disclaimer: str


class TeamTrendsScopeTournament(TypedDict):
    id: int
    name: str
    name_ru: str | None


TeamTrendsScope = TypedDict(
    "TeamTrendsScope",
    {
        "kind": "Literal[\"season\", \"all\"]",
        "tournament": "TeamTrendsScopeTournament | None",
        "season_label": "str | None",
        "from": "str | None",
    },
)
"""The sample: a season of a tournament, or all competitions from a day on. `standing` always refers to the newest league season of the side"""


class TeamTrendsForm(TypedDict):
    overall: FormBlock
    last5: FormBlock
    last10: FormBlock
    last_n: FormBlock
    home: FormBlock
    away: FormBlock


class TeamTrendsDisciplineExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""


class TeamTrendsDiscipline(TypedDict):
    matches: int
    """Matches in the form whose cards are known"""
    cards_avg: float | None
    explain: NotRequired[TeamTrendsDisciplineExplain]
    """Only with `explain=true`"""


class TeamTrendsStandingExplain(TypedDict):
    """Only with `explain=true`"""
    event_ids: list[int]
    """The matches in the sample, newest first"""
    truncated: bool
    bounds: NotRequired[dict[str, str | float]]
    """Only if `truncated`: parameters with which `GET /v1/events` returns the whole sample"""


class TeamTrendsStanding(TypedDict):
    position: int
    played: int
    points: int
    goals_for: int
    goals_against: int
    explain: NotRequired[TeamTrendsStandingExplain]
    """Only with `explain=true`"""


class TeamTrendsRecent(TypedDict):
    event_id: int
    date: str
    tournament_id: int
    opponent_id: int
    opponent: str
    opponent_ru: str | None
    side: Literal["home", "away"]
    score_for: int
    score_against: int
    result: Literal["W", "D", "L"]
    shootout: NotRequired[bool]
    """Only if a shoot-out decided the match. In football such a match counts as a draw; in other sports the final result counts"""


class TeamTrendsTrends(TypedDict):
    label: str
    detail: str
    side: Literal["home", "away", "overall"]


class TeamTrends(TypedDict):
    participant_id: int
    name: str
    name_ru: str | None
    sport: str
    scope: TeamTrendsScope
    """The sample: a season of a tournament, or all competitions from a day on. `standing` always refers to the newest league season of the side"""
    form: TeamTrendsForm
    discipline: TeamTrendsDiscipline
    standing: TeamTrendsStanding | None
    recent: list[TeamTrendsRecent]
    """The last matches of the sample, newest first"""
    trends: list[TeamTrendsTrends]
    """`side`: the venue of the matches in which the trend was found"""
    computed_at: str
    """When the analytics were computed. If they are requested often, the change of a match may appear in them up to 60 seconds late"""
    disclaimer: str


class LeagueProfile(TypedDict):
    tournament_id: int
    name: str
    name_ru: str | None
    sport: str
    window_from: str | None
    window_to: str | None
    matches: int
    avg_goals: float | None
    avg_home_goals: float | None
    avg_away_goals: float | None
    home_win_pct: float | None
    draw_pct: float | None
    away_win_pct: float | None
    over_2_5_pct: float | None
    over_3_5_pct: float | None
    btts_pct: float | None
    computed_at: str
    """When the analytics were computed. If they are requested often, the change of a match may appear in them up to 60 seconds late"""


class OutlookFixtures(TypedDict):
    played: int
    remaining: int
    """Simulated matches; in a divided league only those of the regular season"""
    unknown: int
    """Matches that the season must have, although no source lists them. They are part of `remaining` if they follow from the format of the season before; otherwise they are left out"""


class SideOutlookZones(TypedDict):
    kind: StandingsRowZone
    probability: float


class SideOutlook(TypedDict):
    participant_id: int
    name: str
    name_ru: str | None
    group: str | None
    position: int
    """Present position; in a divided league the position in the regular season"""
    points: int
    expected_points: float
    """Mean at the end of the season; in a divided league at the end of the regular season"""
    champion: float | None
    """Null if the table does not decide the title: in groups and cups, and in leagues whose first side goes on to play-offs"""
    zones: list[SideOutlookZones]
    """What places of the table lead to, by the rules of the season; empty if the rules are not known"""
    places: list[float]
    """Probability of each place in the table, beginning with the first place"""


class OutlookHistorySidesZones(TypedDict):
    kind: StandingsRowZone
    probability: float


class OutlookHistorySides(TypedDict):
    participant_id: int
    champion: float | None
    """Null if the table does not decide the title: in groups and cups, and in leagues whose first side goes on to play-offs"""
    zones: list[OutlookHistorySidesZones]
    """What places of the table lead to, by the rules of the season; empty if the rules are not known"""


class OutlookHistory(TypedDict):
    date: str
    sides: list[OutlookHistorySides]


class Outlook(TypedDict):
    tournament_id: int
    tournament: str
    season_id: int | None
    season_label: str | None
    computed_at: str
    simulations: int
    """0 if all matches have been played: each probability is then 0 or 1"""
    seed: int | None
    """Seed of the simulations, derived from all their input, so that the same state gives the same figures"""
    complete: bool
    """False if past results of the season are missing, or if fixtures are not known"""
    fixtures: OutlookFixtures
    sides: list[SideOutlook]
    history: NotRequired[list[OutlookHistory]]
    """Only with `history=true`: the last outlook of each day, oldest first. Weeks before the first one were computed afterwards, from the results and decisions of that time"""
    reason: NotRequired[Literal["no_table", "incomplete", "no_model", "no_sample"]]
    """Why there are no sides. no_table: the season has no table; incomplete: the season is over but lacks results; no_model: the sport has no model; no_sample: no earlier match of the tournament is known"""


class OddsHistoryChanges(TypedDict):
    at: str
    market_name: str
    market_group: str | None
    choice_name: str
    bookmaker: str | None
    decimal_value: float
    opening_decimal: float | None
    movement: Literal["up", "down"] | None
    """Compared with the previous price, or for the first price with `opening_decimal`. Null if there is nothing to compare with, and if the price is the same"""
    opening: bool
    """The first known price"""
    closing: bool
    """The last price before the start"""
    winning: bool | None


class OddsHistory(TypedDict):
    event_id: int
    count: int
    changes: list[OddsHistoryChanges]
    next_cursor: str | None
    """Null on the last page"""


class MatchProbabilitiesCurrent(TypedDict):
    """In percent, adding up to 100. The probabilities refer to the result after 90 minutes, or after extra time once that has begun. A shoot-out counts as a draw. In cricket, a super over decides a tie, and a tie counts half for each side. When the match is finished, the actual result has 100. Null for an abandoned or cancelled match, and in a sport without this model"""
    homeWin: float
    draw: float
    awayWin: float


class MatchProbabilitiesAdvance(TypedDict):
    """Each side's chance to go through, in percent, after extra time and a shoot-out if they are needed. Null unless the season's bracket or extra time shows that the match decides a tie"""
    home: float
    away: float


class MatchProbabilitiesRates(TypedDict):
    """Expected goals, from which the probabilities follow; null in a sport without this model"""
    home: float
    """Expected goals in 90 minutes"""
    away: float
    basis: Literal["model", "average"]
    """model: from the calibrated model and the matches of earlier days; average: the average of the sport, because the tournament has no earlier match"""
    computed_at: str


ProbabilityPointReason = Literal["start", "minute", "goal", "sent_off", "period", "now", "end"]


class ProbabilityPoint(TypedDict):
    minute: int
    minute_plus: int | None
    reason: ProbabilityPointReason
    """start: the kick-off; goal: after a goal; sent_off: after a player was sent off; period: a half, regular time or extra time is over; minute: a minute in between; now: the present; end: the match is over"""
    home_score: int
    away_score: int
    homeWin: float
    draw: float
    awayWin: float


class MatchProbabilitiesExpectedRuns(TypedDict):
    """In cricket only: each side's expected runs in 20 overs, from which the probabilities follow; null if there are none"""
    home: float
    away: float


InningsProbabilityPointReason = Literal["start", "ball", "over", "wicket", "innings", "now", "end"]


class InningsProbabilityPoint(TypedDict):
    period: str
    overs: str
    """Overs and balls, such as 17.2"""
    reason: InningsProbabilityPointReason
    """start: before the first ball; innings: before the second innings; ball, wicket: after a ball; over: after an over whose deliveries are not known; now: the present; end: the match is over"""
    runs: int
    """Of the innings"""
    wickets: int
    homeWin: float
    draw: float
    awayWin: float


class MatchProbabilities(TypedDict):
    event_id: int
    status: Literal["scheduled", "live", "finished"]
    status_detail: EventDataMatchStatusDetail
    minute: int | None
    current: MatchProbabilitiesCurrent | None
    """In percent, adding up to 100. The probabilities refer to the result after 90 minutes, or after extra time once that has begun. A shoot-out counts as a draw. In cricket, a super over decides a tie, and a tie counts half for each side. When the match is finished, the actual result has 100. Null for an abandoned or cancelled match, and in a sport without this model"""
    advance: MatchProbabilitiesAdvance | None
    """Each side's chance to go through, in percent, after extra time and a shoot-out if they are needed. Null unless the season's bracket or extra time shows that the match decides a tie"""
    rates: MatchProbabilitiesRates | None
    """Expected goals, from which the probabilities follow; null in a sport without this model"""
    timeline: list[ProbabilityPoint]
    """In the order of play. The timeline follows from the incidents, so a correction changes it. If the incidents do not add up to the score, or a goal has no minute, it has only the start and the present"""
    expected_runs: NotRequired[MatchProbabilitiesExpectedRuns | None]
    """In cricket only: each side's expected runs in 20 overs, from which the probabilities follow; null if there are none"""
    innings_timeline: NotRequired[list[InningsProbabilityPoint]]
    """In cricket only, instead of `timeline`: in the order of play. Empty for matches that are not limited to at most 20 overs for each side. After a revised target, the whole second innings is computed with the last target"""


class MatchWeatherWeatherConditionsI18n(TypedDict):
    en: str
    ru: NotRequired[str]


class MatchWeatherWeather(TypedDict):
    """`conditions` is in the reply's language"""
    stadium: str | None
    city: str | None
    temperature_c: float | None
    feels_like_c: float | None
    conditions: str | None
    conditions_i18n: NotRequired[MatchWeatherWeatherConditionsI18n]
    wind_speed_ms: float | None
    wind_gusts_ms: float | None
    precipitation_mm: float | None
    precipitation_prob_pct: float | None
    humidity_pct: float | None
    cloud_cover_pct: float | None
    weather_code: int | None
    is_forecast: bool
    observed_hour_utc: str


class MatchWeather(TypedDict):
    event_id: int
    available: bool
    weather: MatchWeatherWeather | None
    """`conditions` is in the reply's language"""


class AccountPlanPrice(TypedDict):
    """Per month"""
    amount: float
    currency: str


class AccountPlanWindows(TypedDict):
    name: Literal["burst", "day", "month"]
    quota: int


class AccountPlanPublishableWindows(TypedDict):
    name: Literal["burst", "day", "month"]
    quota: int


class AccountPlanPublishablePerAddress(TypedDict):
    name: Literal["burst", "day", "month"]
    quota: int


class AccountPlan(TypedDict):
    name: str
    title: str
    price: AccountPlanPrice
    """Per month"""
    windows: list[AccountPlanWindows]
    """Requests of all secret keys together"""
    publishable_windows: list[AccountPlanPublishableWindows]
    """Requests of all publishable keys together, which are counted separately"""
    publishable_per_address: list[AccountPlanPublishablePerAddress]
    """Share of the publishable windows that one client address may use"""
    connections: int
    """Concurrent streams of all secret keys together"""
    publishable_connections: int
    """Concurrent streams of all publishable keys together"""
    stream: bool
    webhooks: bool


class Account(TypedDict):
    id: int
    email: str
    name: str | None
    """Name of the organisation, shown in place of the email"""
    email_verified: bool
    """False if a link that verifies the address was sent and has not been used yet. Until then the day and month windows are a tenth of those in the plan for new accounts"""
    created_at: str
    plan: AccountPlan
    keys: int
    """Number of usable keys"""
    awaits_approval: bool
    """True if the keys are refused until an operator of this service approves the account"""


class AccountAuditReplyEntries(TypedDict):
    id: int
    at: str
    actor: str
    """An email, `key 12`, `operator` or `system`"""
    address: str | None
    by_operator: bool
    """Whether the actor was an operator of this service"""
    action: str
    """Such as `key.created`"""
    target: str | None
    """Such as `key 12`"""
    details: dict[str, Any]


class AccountAuditReply(TypedDict):
    entries: list[AccountAuditReplyEntries]
    next_cursor: int | None
    """Cursor for older entries; null if there are none"""


class AuditEvent(TypedDict):
    cursor: int
    """Position in the log of the account; later entries have higher ones"""
    id: int
    at: str
    actor: str
    """An email, `key 12`, `operator` or `system`"""
    address: str | None
    by_operator: bool
    """Whether the actor was an operator of this service"""
    action: str
    """Such as `key.created`"""
    target: str | None
    """Such as `key 12`"""
    details: dict[str, Any]


class AccountEventsReply(TypedDict):
    events: list[AuditEvent]
    next_cursor: int
    """Cursor after these entries, also if there are none yet"""
    has_more: bool
    """Whether there are later entries now"""


class Member(TypedDict):
    id: int
    email: str
    role: Literal["owner", "admin", "developer", "billing", "viewer"]
    """See docs/organisations.md for what each role permits"""
    joined_at: str
    last_signed_in_at: str | None
    second_factor: bool
    current: bool
    """Whether it is the member who sent the request"""


AccountMembersReplyOwnershipOffer = TypedDict(
    "AccountMembersReplyOwnershipOffer",
    {
        # Email of the owner
        "from": "str",
        # Email of the member to whom the organisation is offered
        "to": "str",
        "to_id": "int",
        "expires_at": "str",
    },
)


class AccountMembersReply(TypedDict):
    members: list[Member]
    ownership_offer: AccountMembersReplyOwnershipOffer | None


class MemberInvitation(TypedDict):
    id: int
    email: str
    role: Literal["owner", "admin", "developer", "billing", "viewer"]
    """See docs/organisations.md for what each role permits"""
    invited_by: str
    """Email of the inviter"""
    created_at: str
    expires_at: str


class AccountMemberInvitationsReply(TypedDict):
    invitations: list[MemberInvitation]


class UsageWindows(TypedDict):
    name: Literal["burst", "day", "month"]
    limit: int
    used: int | None
    """Null for a burst, which is over within a second"""
    remaining: int | None
    resets_at: str | None


class UsagePublishableWindows(TypedDict):
    name: Literal["burst", "day", "month"]
    limit: int
    used: int | None
    """Null for a burst, which is over within a second"""
    remaining: int | None
    resets_at: str | None


class UsageTotals(TypedDict):
    requests: int
    billable: int
    """Requests that count towards day and month"""
    not_modified: int
    """Answered with 304"""
    rejected: int
    """Answered with 429"""


class UsageUsage(TypedDict):
    day: NotRequired[str]
    """UTC"""
    key_id: NotRequired[int]
    endpoint: NotRequired[str]
    """Path of the endpoint, as in this document"""
    status: NotRequired[int]
    requests: int
    billable: int
    """Requests that count towards day and month"""
    not_modified: int
    """Answered with 304"""
    rejected: int
    """Answered with 429"""


class UsageActivity(TypedDict):
    day: str
    """UTC"""
    streams_peak: int
    """Maximum number of concurrent streams"""
    events_delivered: int
    webhook_attempts: int
    webhook_deliveries: int
    """Successful attempts"""


Usage = TypedDict(
    "Usage",
    {
        # UTC
        "from": "str",
        # UTC
        "to": "str",
        "group": "list[Literal[\"day\", \"key\", \"endpoint\", \"status\"]]",
        "plan": "str",
        # All secret keys together
        "windows": "list[UsageWindows]",
        # All publishable keys together, which are counted separately
        "publishable_windows": "list[UsagePublishableWindows]",
        "totals": "UsageTotals",
        "count": "int",
        "usage": "list[UsageUsage]",
        "activity": "list[UsageActivity]",
        # False if older days cannot be read at the moment
        "complete": "bool",
    },
)


class KafkaDestination(TypedDict):
    kind: Literal["kafka"]
    brokers: list[str]
    """The first brokers to ask, as `host:port`"""
    topic: str
    """A topic that exists"""
    mechanism: Literal["plain", "scram-sha-256", "scram-sha-512"]
    tls: bool
    """False only for brokers that the installation allows without TLS"""
    username: str | None
    password: str | None
    """Stored encrypted. Null in replies; null in a change keeps it"""


class MqttDestination(TypedDict):
    kind: Literal["mqtt"]
    broker: str
    """As `host:port`"""
    prefix: str
    """The first part of every topic"""
    home_assistant: bool
    """Whether to publish sensors for Home Assistant"""
    tls: bool
    """False only for brokers that the installation allows without TLS"""
    username: str | None
    password: str | None
    """Stored encrypted. Null in replies; null in a change keeps it"""


class SlackDestination(TypedDict):
    kind: Literal["slack"]
    url: str | None
    """The address of an incoming webhook. Stored encrypted. Null in replies; null in a change keeps it"""
    language: Literal["en", "ru"]
    """Language of the messages"""


class DiscordDestination(TypedDict):
    kind: Literal["discord"]
    url: str | None
    """The address of a webhook. Stored encrypted. Null in replies; null in a change keeps it"""
    language: Literal["en", "ru"]
    """Language of the messages"""


class TelegramDestination(TypedDict):
    kind: Literal["telegram"]
    token: str | None
    """The bot's token. Stored encrypted. Null in replies; null in a change keeps it"""
    chat_id: str
    """The id of a chat, or `@` and the name of a channel"""
    api: str
    """A server of the Bot API"""
    language: Literal["en", "ru"]
    """Language of the messages"""


class WebhookSubscriptionHeaders(TypedDict):
    name: str
    value: str | None
    secret: bool


WebhookSubscriptionState = Literal["active", "failing", "paused", "unconfirmed", "suspended", "disabled"]


class WebhookSubscriptionDisabled(TypedDict):
    at: str
    code: Literal["no_success", "gone"]
    reason: str
    cursor: int
    """The last position. Enable the subscription from this cursor to leave no event out"""


class WebhookSubscriptionUnconfirmed(TypedDict):
    """The receiver has to repeat the `data.challenge` of a `webhook.challenge` in the reply"""
    since: str
    challenges: int
    """Number of challenges sent so far. After the seventh, they are sent only on request"""
    challenged_at: str | None
    failure: str | None
    """Why the last challenge did not confirm the URL"""


class WebhookSubscriptionFault(TypedDict):
    """Why the stored settings cannot be used, so that no event is sent. Change them, or rotate the secret"""
    at: str
    reason: str


WebhookSubscriptionGap = TypedDict(
    "WebhookSubscriptionGap",
    {
        "at": "str",
        "from": "int",
        "to": "int",
    },
)
"""Events that were dropped from the log before they could be sent"""


class WebhookSubscriptionManaged(TypedDict):
    """The custom resource in the cluster that declares the subscription. Change the subscription there"""
    namespace: str
    name: str


class WebhookSubscription(TypedDict):
    id: int
    url: str
    """For a destination that is not a URL, its address without secrets"""
    destination: KafkaDestination | MqttDestination | SlackDestination | DiscordDestination | TelegramDestination | None
    """Without its secret. Null if events go to the URL"""
    description: str
    metadata: dict[str, str]
    event_types: list[str]
    sports: list[str]
    leagues: list[int]
    match_ids: list[int]
    participant_ids: list[int]
    conditions: list[str]
    headers: list[WebhookSubscriptionHeaders]
    ordering: Literal["none", "match"]
    max_per_second: int | None
    max_in_flight: int | None
    delay: int
    paused: bool
    state: WebhookSubscriptionState
    """failing: several failures in a row, still sending; or no event can be sent, for the reason in `fault`. unconfirmed: no event is sent until the receiver has answered a challenge. suspended: the plan does not include webhooks, or the account is suspended."""
    disabled: WebhookSubscriptionDisabled | None
    unconfirmed: WebhookSubscriptionUnconfirmed | None
    """The receiver has to repeat the `data.challenge` of a `webhook.challenge` in the reply"""
    fault: WebhookSubscriptionFault | None
    """Why the stored settings cannot be used, so that no event is sent. Change them, or rotate the secret"""
    cursor: int
    """Position: every event up to this cursor was delivered, is being retried, or did not pass the filters"""
    lag: int
    """Number of cursors from the position to the newest event, whether or not the events pass the filters. Events that wait for the delay do not count"""
    gap: WebhookSubscriptionGap | None
    """Events that were dropped from the log before they could be sent"""
    pending: int
    """Deliveries that wait for a retry"""
    held_matches: int
    """Matches whose later events wait, since `ordering` is `match`, until an earlier event has been delivered"""
    rests_until: str | None
    """No event is sent until then, because the last reply with status 429 asked for it"""
    failures: int
    """Consecutive failures"""
    last_failure: str | None
    last_failure_at: str | None
    last_success_at: str | None
    secret_rotated_at: str | None
    managed: WebhookSubscriptionManaged | None
    """The custom resource in the cluster that declares the subscription. Change the subscription there"""
    created_at: str


class AccountWebhooksReply(TypedDict):
    webhooks: list[WebhookSubscription]


class KafkaDestinationSettings(TypedDict):
    kind: Literal["kafka"]
    brokers: list[str]
    """The first brokers to ask, as `host:port`"""
    topic: str
    """A topic that exists"""
    mechanism: NotRequired[Literal["plain", "scram-sha-256", "scram-sha-512"]]
    tls: NotRequired[bool]
    """False only for brokers that the installation allows without TLS"""
    username: NotRequired[str | None]
    password: NotRequired[str | None]
    """Stored encrypted. Null in replies; null in a change keeps it"""


class MqttDestinationSettings(TypedDict):
    kind: Literal["mqtt"]
    broker: str
    """As `host:port`"""
    prefix: NotRequired[str]
    """The first part of every topic"""
    home_assistant: NotRequired[bool]
    """Whether to publish sensors for Home Assistant"""
    tls: NotRequired[bool]
    """False only for brokers that the installation allows without TLS"""
    username: NotRequired[str | None]
    password: NotRequired[str | None]
    """Stored encrypted. Null in replies; null in a change keeps it"""


class SlackDestinationSettings(TypedDict):
    kind: Literal["slack"]
    url: NotRequired[str | None]
    """The address of an incoming webhook. Stored encrypted. Null in replies; null in a change keeps it"""
    language: NotRequired[Literal["en", "ru"]]
    """Language of the messages"""


class DiscordDestinationSettings(TypedDict):
    kind: Literal["discord"]
    url: NotRequired[str | None]
    """The address of a webhook. Stored encrypted. Null in replies; null in a change keeps it"""
    language: NotRequired[Literal["en", "ru"]]
    """Language of the messages"""


class TelegramDestinationSettings(TypedDict):
    kind: Literal["telegram"]
    token: NotRequired[str | None]
    """The bot's token. Stored encrypted. Null in replies; null in a change keeps it"""
    chat_id: str
    """The id of a chat, or `@` and the name of a channel"""
    api: NotRequired[str]
    """A server of the Bot API"""
    language: NotRequired[Literal["en", "ru"]]
    """Language of the messages"""


class WebhookHeader(TypedDict):
    name: str
    value: str | None
    secret: NotRequired[bool]


class PostAccountWebhooksBody(TypedDict):
    url: NotRequired[str]
    """https, public, port 443 unless the installation allows others. A subscription has either this or `destination`"""
    destination: NotRequired[KafkaDestinationSettings | MqttDestinationSettings | SlackDestinationSettings | DiscordDestinationSettings | TelegramDestinationSettings]
    """Where events go instead of a URL. Its kind cannot be changed. A change replaces all its settings, and a secret that is null stays"""
    description: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    """Names and values of your own"""
    event_types: NotRequired[list[str]]
    """Event types, or `match.*`; all events of matches if empty. An event has to pass all filters. Notices about other subscriptions of the account (`webhook.failing`, `webhook.disabled`, `webhook.recovered`, or `webhook.*`) and entries of its audit log (`account.changed`) have to be named, and the other filters do not apply to them."""
    sports: NotRequired[list[SportParam]]
    """Slugs; all if empty"""
    leagues: NotRequired[list[int]]
    """Tournament ids; all if empty"""
    match_ids: NotRequired[list[int]]
    """All if empty"""
    participant_ids: NotRequired[list[int]]
    """Teams, or players in individual sports, as the match's home or away side; all if empty"""
    conditions: NotRequired[list[str]]
    """Conditions on fields that an event has to meet all, such as `data.match.minute >= 80`, `data.incident.kind in goal | card` or `data.incident.assist_name exists`; the operators are `=`, `in`, `>=`, `<=` and `exists`"""
    headers: NotRequired[list[WebhookHeader]]
    """Headers that are added to each request. The value of a `secret` header is encrypted, and null in replies; null in a change keeps it"""
    ordering: NotRequired[Literal["none", "match"]]
    """match: the events of a match are sent one after the other. If one fails, later events of that match wait until it has been delivered, skipped or given up"""
    max_per_second: NotRequired[int | None]
    """Requests that are received within any second; null for the limit of the installation alone"""
    max_in_flight: NotRequired[int | None]
    """Requests that wait for a reply at the same time; null for the limit of the service alone"""
    delay: NotRequired[int]
    """How many seconds after an event it is sent, so that a score does not arrive before the television shows it"""
    paused: NotRequired[bool]
    """While true, nothing is sent. Afterwards sending continues where it stopped"""


class CreatedWebhookSubscriptionHeaders(TypedDict):
    name: str
    value: str | None
    secret: bool


class CreatedWebhookSubscriptionDisabled(TypedDict):
    at: str
    code: Literal["no_success", "gone"]
    reason: str
    cursor: int
    """The last position. Enable the subscription from this cursor to leave no event out"""


class CreatedWebhookSubscriptionUnconfirmed(TypedDict):
    """The receiver has to repeat the `data.challenge` of a `webhook.challenge` in the reply"""
    since: str
    challenges: int
    """Number of challenges sent so far. After the seventh, they are sent only on request"""
    challenged_at: str | None
    failure: str | None
    """Why the last challenge did not confirm the URL"""


class CreatedWebhookSubscriptionFault(TypedDict):
    """Why the stored settings cannot be used, so that no event is sent. Change them, or rotate the secret"""
    at: str
    reason: str


CreatedWebhookSubscriptionGap = TypedDict(
    "CreatedWebhookSubscriptionGap",
    {
        "at": "str",
        "from": "int",
        "to": "int",
    },
)
"""Events that were dropped from the log before they could be sent"""


class CreatedWebhookSubscriptionManaged(TypedDict):
    """The custom resource in the cluster that declares the subscription. Change the subscription there"""
    namespace: str
    name: str


class CreatedWebhookSubscription(TypedDict):
    id: int
    url: str
    """For a destination that is not a URL, its address without secrets"""
    destination: KafkaDestination | MqttDestination | SlackDestination | DiscordDestination | TelegramDestination | None
    """Without its secret. Null if events go to the URL"""
    description: str
    metadata: dict[str, str]
    event_types: list[str]
    sports: list[str]
    leagues: list[int]
    match_ids: list[int]
    participant_ids: list[int]
    conditions: list[str]
    headers: list[CreatedWebhookSubscriptionHeaders]
    ordering: Literal["none", "match"]
    max_per_second: int | None
    max_in_flight: int | None
    delay: int
    paused: bool
    state: WebhookSubscriptionState
    """failing: several failures in a row, still sending; or no event can be sent, for the reason in `fault`. unconfirmed: no event is sent until the receiver has answered a challenge. suspended: the plan does not include webhooks, or the account is suspended."""
    disabled: CreatedWebhookSubscriptionDisabled | None
    unconfirmed: CreatedWebhookSubscriptionUnconfirmed | None
    """The receiver has to repeat the `data.challenge` of a `webhook.challenge` in the reply"""
    fault: CreatedWebhookSubscriptionFault | None
    """Why the stored settings cannot be used, so that no event is sent. Change them, or rotate the secret"""
    cursor: int
    """Position: every event up to this cursor was delivered, is being retried, or did not pass the filters"""
    lag: int
    """Number of cursors from the position to the newest event, whether or not the events pass the filters. Events that wait for the delay do not count"""
    gap: CreatedWebhookSubscriptionGap | None
    """Events that were dropped from the log before they could be sent"""
    pending: int
    """Deliveries that wait for a retry"""
    held_matches: int
    """Matches whose later events wait, since `ordering` is `match`, until an earlier event has been delivered"""
    rests_until: str | None
    """No event is sent until then, because the last reply with status 429 asked for it"""
    failures: int
    """Consecutive failures"""
    last_failure: str | None
    last_failure_at: str | None
    last_success_at: str | None
    secret_rotated_at: str | None
    managed: CreatedWebhookSubscriptionManaged | None
    """The custom resource in the cluster that declares the subscription. Change the subscription there"""
    created_at: str
    secret: NotRequired[str]
    """The key that signs deliveries. It is shown once, and not again if the request is repeated."""


class PostAccountWebhooksPreviewBody(TypedDict):
    event_types: NotRequired[list[str]]
    """Event types, or `match.*`; all events of matches if empty. An event has to pass all filters. Notices about other subscriptions of the account (`webhook.failing`, `webhook.disabled`, `webhook.recovered`, or `webhook.*`) and entries of its audit log (`account.changed`) have to be named, and the other filters do not apply to them."""
    sports: NotRequired[list[SportParam]]
    """Slugs; all if empty"""
    leagues: NotRequired[list[int]]
    """Tournament ids; all if empty"""
    match_ids: NotRequired[list[int]]
    """All if empty"""
    participant_ids: NotRequired[list[int]]
    """Teams, or players in individual sports, as the match's home or away side; all if empty"""
    conditions: NotRequired[list[str]]
    """Conditions on fields that an event has to meet all, such as `data.match.minute >= 80`, `data.incident.kind in goal | card` or `data.incident.assist_name exists`; the operators are `=`, `in`, `>=`, `<=` and `exists`"""


class FilterPreviewEvents(TypedDict):
    cursor: int
    id: str
    type: str
    match_id: int
    passes: bool


class FilterPreview(TypedDict):
    examined: int
    """Number of events examined: the newest 100 that are stored, as far as the plan includes them"""
    passed: int
    events: list[FilterPreviewEvents]


class PatchAccountWebhookBody(TypedDict):
    url: NotRequired[str]
    """https, public, port 443 unless the installation allows others. A subscription has either this or `destination`"""
    destination: NotRequired[KafkaDestinationSettings | MqttDestinationSettings | SlackDestinationSettings | DiscordDestinationSettings | TelegramDestinationSettings]
    """Where events go instead of a URL. Its kind cannot be changed. A change replaces all its settings, and a secret that is null stays"""
    description: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    """Names and values of your own"""
    event_types: NotRequired[list[str]]
    """Event types, or `match.*`; all events of matches if empty. An event has to pass all filters. Notices about other subscriptions of the account (`webhook.failing`, `webhook.disabled`, `webhook.recovered`, or `webhook.*`) and entries of its audit log (`account.changed`) have to be named, and the other filters do not apply to them."""
    sports: NotRequired[list[SportParam]]
    """Slugs; all if empty"""
    leagues: NotRequired[list[int]]
    """Tournament ids; all if empty"""
    match_ids: NotRequired[list[int]]
    """All if empty"""
    participant_ids: NotRequired[list[int]]
    """Teams, or players in individual sports, as the match's home or away side; all if empty"""
    conditions: NotRequired[list[str]]
    """Conditions on fields that an event has to meet all, such as `data.match.minute >= 80`, `data.incident.kind in goal | card` or `data.incident.assist_name exists`; the operators are `=`, `in`, `>=`, `<=` and `exists`"""
    headers: NotRequired[list[WebhookHeader]]
    """Headers that are added to each request. The value of a `secret` header is encrypted, and null in replies; null in a change keeps it"""
    ordering: NotRequired[Literal["none", "match"]]
    """match: the events of a match are sent one after the other. If one fails, later events of that match wait until it has been delivered, skipped or given up"""
    max_per_second: NotRequired[int | None]
    """Requests that are received within any second; null for the limit of the installation alone"""
    max_in_flight: NotRequired[int | None]
    """Requests that wait for a reply at the same time; null for the limit of the service alone"""
    delay: NotRequired[int]
    """How many seconds after an event it is sent, so that a score does not arrive before the television shows it"""
    paused: NotRequired[bool]
    """While true, nothing is sent. Afterwards sending continues where it stopped"""


WebhookTestCause = Literal["dns", "address", "connect", "tls", "timeout", "reply", "challenge", "rejected", "redirect", "client_error", "server_error", "other"]


class WebhookTest(TypedDict):
    delivery_id: str
    event_id: str
    at: str
    delivered: bool
    """For a challenge: delivered and confirmed"""
    status: int | None
    """Reply status; null if there was no reply"""
    failure: str | None
    """A short reason; null if it was delivered"""
    cause: WebhookTestCause | None
    reply: str | None
    """The first 1,024 bytes of the reply body"""
    duration_ms: int


class PostAccountWebhookEnableBody(TypedDict):
    cursor: NotRequired[int]
    """Events after this cursor are sent (again)"""
    since: NotRequired[str]
    """A time within the last 7 days"""


class PostAccountWebhookReplayBody(TypedDict):
    cursor: NotRequired[int]
    """Events after this cursor are sent (again)"""
    since: NotRequired[str]
    """A time within the last 7 days"""


class WebhookDelivery(TypedDict):
    id: str
    event_id: str
    event_type: str
    state: Literal["pending", "delivered", "failed"]
    attempts: int
    created_at: str
    """When the first attempt was made"""
    last_attempt_at: str | None
    """Attempts are stored for 7 days"""
    next_attempt_at: str | None
    status: int | None
    """Reply status; null if there was no reply"""
    failure: str | None
    """A short reason; null if it was delivered"""
    cause: WebhookTestCause | None
    duration_ms: int | None


class AccountWebhookDeliveriesReply(TypedDict):
    deliveries: list[WebhookDelivery]
    next_cursor: str | None
    """For the next, older deliveries; null if there are none"""


class WebhookDeliveryDetailLog(TypedDict):
    attempt: int
    at: str
    duration_ms: int
    status: int | None
    """Reply status; null if there was no reply"""
    failure: str | None
    """A short reason; null if it was delivered"""
    cause: WebhookTestCause | None
    reply: str | None
    """The first 1,024 bytes of the reply body"""
    next_attempt_at: str | None


class WebhookDeliveryDetail(TypedDict):
    id: str
    event_id: str
    event_type: str
    state: Literal["pending", "delivered", "failed"]
    attempts: int
    created_at: str
    """When the first attempt was made"""
    last_attempt_at: str | None
    """Attempts are stored for 7 days"""
    next_attempt_at: str | None
    status: int | None
    """Reply status; null if there was no reply"""
    failure: str | None
    """A short reason; null if it was delivered"""
    cause: WebhookTestCause | None
    duration_ms: int | None
    body: str | None
    """The request body, byte for byte; null if it is no longer stored"""
    log: list[WebhookDeliveryDetailLog]
    """Its attempts, newest first"""


class PostAccountWebhookDeliveriesRetryBody(TypedDict):
    since: str
    """Only deliveries whose first attempt was at this time or later"""


class PostAccountWebhookDeliveriesRetryReply(TypedDict):
    retried: int
    """Deliveries that are due now"""
    has_more: bool
    """There are more, so repeat the request after these have been sent"""


class StoredEvent(TypedDict):
    cursor: int
    id: str
    type: str
    match_id: int
    tournament_id: int
    sport: str


class AccountStoredEventsReply(TypedDict):
    events: list[StoredEvent]
    next_before: int | None


class EventReceipt(TypedDict):
    subscription_id: int
    delivery_id: str
    state: Literal["pending", "delivered", "failed"]
    attempts: int
    at: str
    status: int | None


class StoredEventDetail(TypedDict):
    cursor: int
    id: str
    type: str
    match_id: int
    tournament_id: int
    sport: str
    envelope: str
    """The event, byte for byte as every channel sends it"""
    deliveries: list[EventReceipt]


class PostAccountWebhookSendBody(TypedDict):
    cursor: int


class PostAccountWebhookSendReply(TypedDict):
    delivery_id: str


PostAccountTriggerBodyEventType = Literal["match.created", "match.rescheduled", "match.postponed", "match.cancelled", "match.deleted", "match.lineup_confirmed", "match.lineup_updated", "match.started", "match.period_started", "match.period_ended", "match.score_changed", "match.goal", "match.goal_cancelled", "match.penalty_missed", "match.penalty_shootout", "match.card", "match.substitution", "match.var", "match.injury_time", "match.point", "match.set_ended", "match.wicket", "match.boundary", "match.over_ended", "match.incident", "match.incident_updated", "match.incident_deleted", "match.statistics_updated", "match.odds_changed", "match.suspended", "match.resumed", "match.abandoned", "match.finished", "match.finalized", "match.correction"]


class PostAccountTriggerBody(TypedDict):
    event_type: PostAccountTriggerBodyEventType
    sport: NotRequired[SportParam]
    """By default football, or a sport with such events"""
    tournament: NotRequired[int]
    """For streams that filter by a tournament"""


class PostAccountTriggerReply(TypedDict):
    id: str
    """The id of the event"""


EventTypeParam = Literal["match.*", "account.*", "webhook.*", "match.created", "match.rescheduled", "match.postponed", "match.cancelled", "match.deleted", "match.lineup_confirmed", "match.lineup_updated", "match.started", "match.period_started", "match.period_ended", "match.score_changed", "match.goal", "match.goal_cancelled", "match.penalty_missed", "match.penalty_shootout", "match.card", "match.substitution", "match.var", "match.injury_time", "match.point", "match.set_ended", "match.wicket", "match.boundary", "match.over_ended", "match.incident", "match.incident_updated", "match.incident_deleted", "match.statistics_updated", "match.odds_changed", "match.suspended", "match.resumed", "match.abandoned", "match.finished", "match.finalized", "match.correction", "account.changed", "webhook.challenge", "webhook.disabled", "webhook.failing", "webhook.ping", "webhook.recovered", "webhook.test"]


class StreamReplayReply(TypedDict):
    events: list[EventFrame]
    next_cursor: int
    """The last cursor examined, which is the next page's `since`"""
    has_more: bool


MatchEventType = Literal["match.created", "match.rescheduled", "match.postponed", "match.cancelled", "match.deleted", "match.lineup_confirmed", "match.lineup_updated", "match.started", "match.period_started", "match.period_ended", "match.score_changed", "match.goal", "match.goal_cancelled", "match.penalty_missed", "match.penalty_shootout", "match.card", "match.substitution", "match.var", "match.injury_time", "match.point", "match.set_ended", "match.wicket", "match.boundary", "match.over_ended", "match.incident", "match.incident_updated", "match.incident_deleted", "match.statistics_updated", "match.odds_changed", "match.suspended", "match.resumed", "match.abandoned", "match.finished", "match.finalized", "match.correction"]
