"""The operations of the REST API.

Generated from the API document by `make generated`. Do not edit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from .models import (
    Account,
    AccountAuditReply,
    AccountAuditReplyEntries,
    AccountWebhookDeliveriesReply,
    AccountWebhooksReply,
    Analytics,
    BlocksParam,
    Bracket,
    CountriesReply,
    CreatedWebhookSubscription,
    EventDataMatchStatusDetail,
    EventFrame,
    EventFrameType,
    EventTypeParam,
    EventsLiveReply,
    EventsReply,
    ExternalIdsReply,
    HeadToHead,
    Incident,
    KindParam,
    Leaders,
    LeagueProfile,
    MapReply,
    Match,
    MatchDetail,
    MatchProbabilities,
    MatchWeather,
    Missing,
    OddsHistory,
    OddsHistoryChanges,
    Outlook,
    ParticipantDetail,
    ParticipantEventsReply,
    ParticipantMatch,
    ParticipantsReply,
    ParticipantsSearchReply,
    PatchAccountWebhookBody,
    PostAccountWebhookDeliveriesRetryBody,
    PostAccountWebhookDeliveriesRetryReply,
    PostAccountWebhookEnableBody,
    PostAccountWebhookReplayBody,
    PostAccountWebhooksBody,
    RankingEntry,
    Rankings,
    Ratings,
    ReferenceEventTypesReply,
    ReferenceIncidentKindsReply,
    ReferenceStatusesReply,
    Rounds,
    Scorers,
    SearchReply,
    Season,
    SportParam,
    SportsReply,
    Squad,
    Standings,
    StatParam,
    Statistics,
    StreamReplayReply,
    SyncReply,
    TeamTrends,
    Tournament,
    TournamentDetail,
    TournamentSeasonsReply,
    TournamentsReply,
    Transfer,
    Transfers,
    Usage,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookSubscription,
    WebhookTest,
)

class Operations(ABC):
    """One method for each operation; the subclass sends the requests."""

    @abstractmethod
    def _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, object],
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any: ...

    @abstractmethod
    def _pages(self, path: str, params: Mapping[str, object]) -> Iterator[Any]: ...

    @abstractmethod
    def _items(self, list_name: str, path: str, params: Mapping[str, object]) -> Iterator[Any]: ...

    def sports(
        self,
    ) -> SportsReply:
        """All sports."""
        reply: SportsReply = self._call("GET", "/v1/sports", {})
        return reply

    def countries(
        self,
        *,
        sport: SportParam | None = None,
    ) -> CountriesReply:
        """Countries with the number of leagues.

        sport: A sport, by slug
        """
        reply: CountriesReply = self._call("GET", "/v1/countries", {"sport": sport})
        return reply

    def tournaments(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> TournamentsReply:
        """Leagues and cups, most important first; with `q` the best match first.

        ids: Up to 100 tournaments; unknown ids are left out
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        q: A name or abbreviation, in English or Russian; matched like participants, see /v1/participants/search
        """
        reply: TournamentsReply = self._call("GET", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset})
        return reply

    def tournaments_pages(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[TournamentsReply]:
        """Yields this page of `tournaments` and all following ones."""
        return self._pages("/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset})

    def tournaments_all(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[Tournament]:
        """Yields the tournaments of `tournaments`, from this page and all following ones."""
        return self._items("tournaments", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset})

    def tournament(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
    ) -> TournamentDetail:
        """One tournament with the current season.

        external_ids: Adds `external_ids`: the ids at each provider
        """
        reply: TournamentDetail = self._call("GET", "/v1/tournament/{id}", {"id": id, "external_ids": external_ids})
        return reply

    def tournament_seasons(
        self,
        id: int,
    ) -> TournamentSeasonsReply:
        """A tournament's seasons, newest first."""
        reply: TournamentSeasonsReply = self._call("GET", "/v1/tournament/{id}/seasons", {"id": id})
        return reply

    def participants(
        self,
        *,
        ids: int | Sequence[int],
    ) -> ParticipantsReply:
        """Teams and players by id.

        ids: Up to 100 participants
        """
        reply: ParticipantsReply = self._call("GET", "/v1/participants", {"ids": ids})
        return reply

    def participants_search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        type: Literal["team", "player"] | None = None,
        limit: int | None = None,
    ) -> ParticipantsSearchReply:
        """Teams and players by name, best first.

        sport: A sport, by slug
        """
        reply: ParticipantsSearchReply = self._call("GET", "/v1/participants/search", {"q": q, "sport": sport, "type": type, "limit": limit})
        return reply

    def search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        limit: int | None = None,
    ) -> SearchReply:
        """Teams, players and tournaments by name, best first.

        sport: A sport, by slug
        """
        reply: SearchReply = self._call("GET", "/v1/search", {"q": q, "sport": sport, "limit": limit})
        return reply

    def map(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        provider: str,
        ids: str | Sequence[str],
    ) -> MapReply:
        """Our ids by a provider's ids.

        ids: Up to 100 of the provider's ids
        """
        reply: MapReply = self._call("GET", "/v1/map", {"type": type, "provider": provider, "ids": ids})
        return reply

    def external_ids(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        ids: int | Sequence[int],
        provider: str | None = None,
    ) -> ExternalIdsReply:
        """Providers' ids by our ids.

        provider: Only ids of this provider
        """
        reply: ExternalIdsReply = self._call("GET", "/v1/external-ids", {"type": type, "ids": ids, "provider": provider})
        return reply

    def participant(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
    ) -> ParticipantDetail:
        """A team or player.

        external_ids: Adds `external_ids`: the ids at each provider
        """
        reply: ParticipantDetail = self._call("GET", "/v1/participant/{id}", {"id": id, "external_ids": external_ids})
        return reply

    def participant_events(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ParticipantEventsReply:
        """A team's or player's matches."""
        reply: ParticipantEventsReply = self._call("GET", "/v1/participant/{id}/events", {"id": id, "when": when, "limit": limit, "offset": offset})
        return reply

    def participant_events_pages(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[ParticipantEventsReply]:
        """Yields this page of `participant_events` and all following ones."""
        return self._pages("/v1/participant/{id}/events", {"id": id, "when": when, "limit": limit, "offset": offset})

    def participant_events_all(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[ParticipantMatch]:
        """Yields the events of `participant_events`, from this page and all following ones."""
        return self._items("events", "/v1/participant/{id}/events", {"id": id, "when": when, "limit": limit, "offset": offset})

    def reference_event_types(
        self,
        *,
        sport: SportParam | None = None,
    ) -> ReferenceEventTypesReply:
        """Event types of streams, replay and webhooks.

        sport: A sport, by slug
        """
        reply: ReferenceEventTypesReply = self._call("GET", "/v1/reference/event-types", {"sport": sport})
        return reply

    def reference_incident_kinds(
        self,
        *,
        sport: SportParam | None = None,
    ) -> ReferenceIncidentKindsReply:
        """Incident kinds.

        sport: A sport, by slug
        """
        reply: ReferenceIncidentKindsReply = self._call("GET", "/v1/reference/incident-kinds", {"sport": sport})
        return reply

    def reference_statuses(
        self,
        *,
        sport: SportParam | None = None,
    ) -> ReferenceStatusesReply:
        """Values of status and status_detail.

        sport: A sport, by slug
        """
        reply: ReferenceStatusesReply = self._call("GET", "/v1/reference/statuses", {"sport": sport})
        return reply

    def events(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        status: Literal["scheduled", "live", "finished"] | None = None,
        status_detail: EventDataMatchStatusDetail | None = None,
        top: bool | None = None,
        min_importance: int | None = None,
        tournament: int | Sequence[int] | None = None,
        season: int | str | None = None,
        round: str | None = None,
        country: str | None = None,
        participant: int | Sequence[int] | None = None,
        from_: str | date | None = None,
        to: str | date | None = None,
        updated_since: str | date | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
    ) -> EventsReply:
        """Matches by id, date, status, tournament, season, round or participant.

        ids: Up to 100 matches; unknown ids are left out
        sport: One or several sports, by slug
        date: Start day, in the time zone `tz`
        tz: Time zone of `date`: an IANA name, old or new, in any case; an offset such as `+03:00` is not accepted. Default: UTC
        status_detail: `awaiting_data`: long past the start, or live and silent, without a result
        top: Only important tournaments, no amateur or youth ones
        tournament: One tournament or several
        round: Number or name of a round, in any case
        country: The tournament's country
        participant: One participant or several
        from_: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        to: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        updated_since: Only matches that changed at this time or later; `/v1/sync` follows all changes without omissions
        after: The previous page's `next_after`, instead of `offset`, so that inserted matches do not make pages repeat or skip matches
        """
        reply: EventsReply = self._call("GET", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "limit": limit, "offset": offset, "after": after})
        return reply

    def events_pages(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        status: Literal["scheduled", "live", "finished"] | None = None,
        status_detail: EventDataMatchStatusDetail | None = None,
        top: bool | None = None,
        min_importance: int | None = None,
        tournament: int | Sequence[int] | None = None,
        season: int | str | None = None,
        round: str | None = None,
        country: str | None = None,
        participant: int | Sequence[int] | None = None,
        from_: str | date | None = None,
        to: str | date | None = None,
        updated_since: str | date | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
    ) -> Iterator[EventsReply]:
        """Yields this page of `events` and all following ones."""
        return self._pages("/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "limit": limit, "offset": offset, "after": after})

    def events_all(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        status: Literal["scheduled", "live", "finished"] | None = None,
        status_detail: EventDataMatchStatusDetail | None = None,
        top: bool | None = None,
        min_importance: int | None = None,
        tournament: int | Sequence[int] | None = None,
        season: int | str | None = None,
        round: str | None = None,
        country: str | None = None,
        participant: int | Sequence[int] | None = None,
        from_: str | date | None = None,
        to: str | date | None = None,
        updated_since: str | date | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
    ) -> Iterator[Match]:
        """Yields the events of `events`, from this page and all following ones."""
        return self._items("events", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "limit": limit, "offset": offset, "after": after})

    def events_live(
        self,
        *,
        sport: SportParam | None = None,
        tournament: int | None = None,
        limit: int | None = None,
    ) -> EventsLiveReply:
        """Live matches.

        sport: A sport, by slug
        """
        reply: EventsLiveReply = self._call("GET", "/v1/events/live", {"sport": sport, "tournament": tournament, "limit": limit})
        return reply

    def event(
        self,
        id: int,
        *,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        external_ids: bool | None = None,
    ) -> MatchDetail:
        """Match detail.

        blocks: Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once
        external_ids: Adds `external_ids`: the ids at each provider
        """
        reply: MatchDetail = self._call("GET", "/v1/event/{id}", {"id": id, "blocks": blocks, "external_ids": external_ids})
        return reply

    def sync(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        updated_since: str | date | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
    ) -> SyncReply:
        """All matches with full detail, then every change.

        cursor: The previous page's `next_cursor`; absent or empty to start
        sport: A sport, by slug
        updated_since: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        blocks: Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once
        """
        reply: SyncReply = self._call("GET", "/v1/sync", {"cursor": cursor, "limit": limit, "sport": sport, "tournament": tournament, "updated_since": updated_since, "blocks": blocks})
        return reply

    def sync_pages(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        updated_since: str | date | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
    ) -> Iterator[SyncReply]:
        """Yields this page of `sync` and all following ones."""
        return self._pages("/v1/sync", {"cursor": cursor, "limit": limit, "sport": sport, "tournament": tournament, "updated_since": updated_since, "blocks": blocks})

    def h2h(
        self,
        *,
        participants: int | Sequence[int],
        limit: int | None = None,
        offset: int | None = None,
    ) -> HeadToHead:
        """Meetings of two teams, or of two players of a sport without teams.

        participants: Two ids, comma-separated
        """
        reply: HeadToHead = self._call("GET", "/v1/h2h", {"participants": participants, "limit": limit, "offset": offset})
        return reply

    def h2h_pages(
        self,
        *,
        participants: int | Sequence[int],
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[HeadToHead]:
        """Yields this page of `h2h` and all following ones."""
        return self._pages("/v1/h2h", {"participants": participants, "limit": limit, "offset": offset})

    def h2h_all(
        self,
        *,
        participants: int | Sequence[int],
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[Match]:
        """Yields the events of `h2h`, from this page and all following ones."""
        return self._items("events", "/v1/h2h", {"participants": participants, "limit": limit, "offset": offset})

    def tournament_standings(
        self,
        id: int,
        *,
        type: Literal["total", "home", "away", "form"] | None = None,
        grouping: Literal["division", "conference", "wild_card", "overall"] | None = None,
        season: int | str | None = None,
    ) -> Standings:
        """Season table.

        grouping: For seasons with conferences; default: the first of the `groupings` of the reply
        season: Season id; default: the current season
        """
        reply: Standings = self._call("GET", "/v1/tournament/{id}/standings", {"id": id, "type": type, "grouping": grouping, "season": season})
        return reply

    def tournament_scorers(
        self,
        id: int,
        *,
        season: int | str | None = None,
        limit: int | None = None,
    ) -> Scorers:
        """A season's top scorers.

        season: Season id; default: the current season
        """
        reply: Scorers = self._call("GET", "/v1/tournament/{id}/scorers", {"id": id, "season": season, "limit": limit})
        return reply

    def tournament_bracket(
        self,
        id: int,
        *,
        season: int | str | None = None,
    ) -> Bracket:
        """A season's knock-out rounds.

        season: Season id; default: the current season
        """
        reply: Bracket = self._call("GET", "/v1/tournament/{id}/bracket", {"id": id, "season": season})
        return reply

    def tournament_rounds(
        self,
        id: int,
        *,
        season: int | str | None = None,
    ) -> Rounds:
        """A season's rounds.

        season: Season id; default: the current season
        """
        reply: Rounds = self._call("GET", "/v1/tournament/{id}/rounds", {"id": id, "season": season})
        return reply

    def participant_statistics(
        self,
        id: int,
        *,
        season: int | str | None = None,
        tournament: int | None = None,
    ) -> Statistics:
        """A team's or player's statistics by season.

        season: Only this season
        tournament: Only seasons of this tournament
        """
        reply: Statistics = self._call("GET", "/v1/participant/{id}/statistics", {"id": id, "season": season, "tournament": tournament})
        return reply

    def participant_squad(
        self,
        id: int,
        *,
        season_label: str | None = None,
        season: int | str | None = None,
        tournament: int | None = None,
    ) -> Squad:
        """A team's squad in a season.

        season_label: As in `season_labels`; default: the newest season with known players
        season: Only this season of a competition, as in `competitions`
        tournament: Only this competition; the default season is its newest
        """
        reply: Squad = self._call("GET", "/v1/participant/{id}/squad", {"id": id, "season_label": season_label, "season": season, "tournament": tournament})
        return reply

    def participant_missing(
        self,
        id: int,
    ) -> Missing:
        """A team's injured and suspended players, or whether a player is injured or suspended."""
        reply: Missing = self._call("GET", "/v1/participant/{id}/missing", {"id": id})
        return reply

    def tournament_leaders(
        self,
        id: int,
        *,
        stat: StatParam | None = None,
        season: int | str | None = None,
        limit: int | None = None,
    ) -> Leaders:
        """A season's leading players by a figure.

        season: Season id; default: the current season
        """
        reply: Leaders = self._call("GET", "/v1/tournament/{id}/leaders", {"id": id, "stat": stat, "season": season, "limit": limit})
        return reply

    def rankings(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Rankings:
        """A ranking of teams or players.

        date: Default: today
        """
        reply: Rankings = self._call("GET", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset})
        return reply

    def rankings_pages(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[Rankings]:
        """Yields this page of `rankings` and all following ones."""
        return self._pages("/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset})

    def rankings_all(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[RankingEntry]:
        """Yields the rankings of `rankings`, from this page and all following ones."""
        return self._items("rankings", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset})

    def participant_rating(
        self,
        id: int,
        *,
        from_: str | date | None = None,
        to: str | date | None = None,
    ) -> Ratings:
        """A team's Elo rating over time.

        from_: First day
        to: Last day
        """
        reply: Ratings = self._call("GET", "/v1/participant/{id}/rating", {"id": id, "from": from_, "to": to})
        return reply

    def participant_transfers(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Transfers:
        """A player's or a team's transfers."""
        reply: Transfers = self._call("GET", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset})
        return reply

    def participant_transfers_pages(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[Transfers]:
        """Yields this page of `participant_transfers` and all following ones."""
        return self._pages("/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset})

    def participant_transfers_all(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Iterator[Transfer]:
        """Yields the transfers of `participant_transfers`, from this page and all following ones."""
        return self._items("transfers", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset})

    def event_analytics(
        self,
        id: int,
        *,
        sample: Literal["season", "window", "all"] | None = None,
        explain: bool | None = None,
        lang: Literal["en", "ru"] | None = None,
    ) -> Analytics:
        """Pre-match analytics.

        sample: Sample of the form. season: matches of the same tournament and season; window: matches of the tournament in the last 913 days; all: matches of all tournaments
        explain: true or false; 1 and 0 are accepted as well
        """
        reply: Analytics = self._call("GET", "/v1/event/{id}/analytics", {"id": id, "sample": sample, "explain": explain, "lang": lang})
        return reply

    def participant_trends(
        self,
        id: int,
        *,
        last: int | None = None,
        scope: Literal["season", "all"] | None = None,
        lang: Literal["en", "ru"] | None = None,
    ) -> TeamTrends:
        """A side's form and trends.

        last: Number of matches in `last_n` and `recent`
        scope: season: matches of the newest league season of the side; all: matches of all competitions in the last 913 days
        """
        reply: TeamTrends = self._call("GET", "/v1/participant/{id}/trends", {"id": id, "last": last, "scope": scope, "lang": lang})
        return reply

    def tournament_profile(
        self,
        id: int,
        *,
        season: int | str | None = None,
    ) -> LeagueProfile:
        """League profile.

        season: Season id; default: the last 913 days
        """
        reply: LeagueProfile = self._call("GET", "/v1/tournament/{id}/profile", {"id": id, "season": season})
        return reply

    def tournament_outlook(
        self,
        id: int,
        *,
        season: int | str | None = None,
        history: bool | None = None,
    ) -> Outlook:
        """Season outlook.

        season: Season id; default: the current season
        history: true or false; 1 and 0 are accepted as well
        """
        reply: Outlook = self._call("GET", "/v1/tournament/{id}/outlook", {"id": id, "season": season, "history": history})
        return reply

    def event_odds_history(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> OddsHistory:
        """History of prices.

        cursor: The previous page's `next_cursor`
        """
        reply: OddsHistory = self._call("GET", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor})
        return reply

    def event_odds_history_pages(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[OddsHistory]:
        """Yields this page of `event_odds_history` and all following ones."""
        return self._pages("/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor})

    def event_odds_history_all(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[OddsHistoryChanges]:
        """Yields the changes of `event_odds_history`, from this page and all following ones."""
        return self._items("changes", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor})

    def event_probabilities(
        self,
        id: int,
    ) -> MatchProbabilities:
        """Win probability with a timeline."""
        reply: MatchProbabilities = self._call("GET", "/v1/event/{id}/probabilities", {"id": id})
        return reply

    def event_weather(
        self,
        id: int,
        *,
        lang: Literal["en", "ru"] | None = None,
    ) -> MatchWeather:
        """Weather at the kick-off."""
        reply: MatchWeather = self._call("GET", "/v1/event/{id}/weather", {"id": id, "lang": lang})
        return reply

    def account(
        self,
    ) -> Account:
        """The account and the plan."""
        reply: Account = self._call("GET", "/v1/account", {})
        return reply

    def account_audit(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AccountAuditReply:
        """The account's audit log.

        cursor: The previous page's `next_cursor`
        """
        reply: AccountAuditReply = self._call("GET", "/v1/account/audit", {"limit": limit, "cursor": cursor})
        return reply

    def account_audit_pages(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> Iterator[AccountAuditReply]:
        """Yields this page of `account_audit` and all following ones."""
        return self._pages("/v1/account/audit", {"limit": limit, "cursor": cursor})

    def account_audit_all(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> Iterator[AccountAuditReplyEntries]:
        """Yields the entries of `account_audit`, from this page and all following ones."""
        return self._items("entries", "/v1/account/audit", {"limit": limit, "cursor": cursor})

    def account_usage(
        self,
        *,
        from_: str | date | None = None,
        to: str | date | None = None,
        group: Literal["day", "key", "endpoint", "status"] | Sequence[Literal["day", "key", "endpoint", "status"]] | None = None,
    ) -> Usage:
        """Usage by day, key, endpoint and status.

        group: Members by which the rows are grouped
        """
        reply: Usage = self._call("GET", "/v1/account/usage", {"from": from_, "to": to, "group": group})
        return reply

    def account_webhooks(
        self,
    ) -> AccountWebhooksReply:
        """The account's webhook subscriptions."""
        reply: AccountWebhooksReply = self._call("GET", "/v1/account/webhooks", {})
        return reply

    def post_account_webhooks(
        self,
        *,
        body: PostAccountWebhooksBody,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookSubscription:
        """Create a webhook subscription."""
        reply: CreatedWebhookSubscription = self._call("POST", "/v1/account/webhooks", {}, body=body, idempotency_key=idempotency_key)
        return reply

    def account_webhook(
        self,
        id: int,
    ) -> WebhookSubscription:
        """A webhook subscription."""
        reply: WebhookSubscription = self._call("GET", "/v1/account/webhooks/{id}", {"id": id})
        return reply

    def patch_account_webhook(
        self,
        id: int,
        *,
        body: PatchAccountWebhookBody | None = None,
    ) -> WebhookSubscription:
        """Change or pause a webhook subscription."""
        reply: WebhookSubscription = self._call("PATCH", "/v1/account/webhooks/{id}", {"id": id}, body=body)
        return reply

    def delete_account_webhook(
        self,
        id: int,
    ) -> None:
        """Delete a webhook subscription."""
        self._call("DELETE", "/v1/account/webhooks/{id}", {"id": id})

    def post_account_webhook_test(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookTest:
        """Send a test event now."""
        reply: WebhookTest = self._call("POST", "/v1/account/webhooks/{id}/test", {"id": id}, idempotency_key=idempotency_key)
        return reply

    def post_account_webhook_confirm(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookTest:
        """Request the receiver's confirmation now."""
        reply: WebhookTest = self._call("POST", "/v1/account/webhooks/{id}/confirm", {"id": id}, idempotency_key=idempotency_key)
        return reply

    def post_account_webhook_rotate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookSubscription:
        """Replace a webhook subscription's secret."""
        reply: CreatedWebhookSubscription = self._call("POST", "/v1/account/webhooks/{id}/rotate", {"id": id}, idempotency_key=idempotency_key)
        return reply

    def post_account_webhook_enable(
        self,
        id: int,
        *,
        body: PostAccountWebhookEnableBody | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSubscription:
        """Enable a paused or disabled webhook subscription."""
        reply: WebhookSubscription = self._call("POST", "/v1/account/webhooks/{id}/enable", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    def post_account_webhook_replay(
        self,
        id: int,
        *,
        body: PostAccountWebhookReplayBody | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSubscription:
        """Send events again."""
        reply: WebhookSubscription = self._call("POST", "/v1/account/webhooks/{id}/replay", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    def account_webhook_deliveries(
        self,
        id: int,
        *,
        state: Literal["pending", "delivered", "failed"] | None = None,
        event_type: EventFrameType | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AccountWebhookDeliveriesReply:
        """A webhook subscription's deliveries.

        since: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        until: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        cursor: The previous page's `next_cursor`
        """
        reply: AccountWebhookDeliveriesReply = self._call("GET", "/v1/account/webhooks/{id}/deliveries", {"id": id, "state": state, "event_type": event_type, "match_id": match_id, "since": since, "until": until, "limit": limit, "cursor": cursor})
        return reply

    def account_webhook_deliveries_pages(
        self,
        id: int,
        *,
        state: Literal["pending", "delivered", "failed"] | None = None,
        event_type: EventFrameType | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[AccountWebhookDeliveriesReply]:
        """Yields this page of `account_webhook_deliveries` and all following ones."""
        return self._pages("/v1/account/webhooks/{id}/deliveries", {"id": id, "state": state, "event_type": event_type, "match_id": match_id, "since": since, "until": until, "limit": limit, "cursor": cursor})

    def account_webhook_deliveries_all(
        self,
        id: int,
        *,
        state: Literal["pending", "delivered", "failed"] | None = None,
        event_type: EventFrameType | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterator[WebhookDelivery]:
        """Yields the deliveries of `account_webhook_deliveries`, from this page and all following ones."""
        return self._items("deliveries", "/v1/account/webhooks/{id}/deliveries", {"id": id, "state": state, "event_type": event_type, "match_id": match_id, "since": since, "until": until, "limit": limit, "cursor": cursor})

    def account_webhook_delivery(
        self,
        id: int,
        delivery_id: str,
    ) -> WebhookDeliveryDetail:
        """A delivery with the request, all attempts and the replies."""
        reply: WebhookDeliveryDetail = self._call("GET", "/v1/account/webhooks/{id}/deliveries/{delivery_id}", {"id": id, "delivery_id": delivery_id})
        return reply

    def post_account_webhook_delivery_retry(
        self,
        id: int,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookDeliveryDetail:
        """Retry a delivery now."""
        reply: WebhookDeliveryDetail = self._call("POST", "/v1/account/webhooks/{id}/deliveries/{delivery_id}/retry", {"id": id, "delivery_id": delivery_id}, idempotency_key=idempotency_key)
        return reply

    def post_account_webhook_deliveries_retry(
        self,
        id: int,
        *,
        body: PostAccountWebhookDeliveriesRetryBody,
        idempotency_key: str | None = None,
    ) -> PostAccountWebhookDeliveriesRetryReply:
        """Retry all deliveries that have failed since a time."""
        reply: PostAccountWebhookDeliveriesRetryReply = self._call("POST", "/v1/account/webhooks/{id}/deliveries/retry", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    def stream_replay(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
    ) -> StreamReplayReply:
        """Events after a cursor.

        since: The cursor after which events are wanted
        sport: Sports by slug, comma-separated
        league: Tournament ids, comma-separated
        event_type: Event types; `match.*` for all of a kind, comma-separated
        """
        reply: StreamReplayReply = self._call("GET", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type})
        return reply

    def stream_replay_pages(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
    ) -> Iterator[StreamReplayReply]:
        """Yields this page of `stream_replay` and all following ones."""
        return self._pages("/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type})

    def stream_replay_all(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
    ) -> Iterator[EventFrame]:
        """Yields the events of `stream_replay`, from this page and all following ones."""
        return self._items("events", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type})


class AsyncOperations(ABC):
    """One method for each operation; the subclass sends the requests."""

    @abstractmethod
    async def _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, object],
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any: ...

    @abstractmethod
    def _pages(self, path: str, params: Mapping[str, object]) -> AsyncIterator[Any]: ...

    @abstractmethod
    def _items(self, list_name: str, path: str, params: Mapping[str, object]) -> AsyncIterator[Any]: ...

    async def sports(
        self,
    ) -> SportsReply:
        """All sports."""
        reply: SportsReply = await self._call("GET", "/v1/sports", {})
        return reply

    async def countries(
        self,
        *,
        sport: SportParam | None = None,
    ) -> CountriesReply:
        """Countries with the number of leagues.

        sport: A sport, by slug
        """
        reply: CountriesReply = await self._call("GET", "/v1/countries", {"sport": sport})
        return reply

    async def tournaments(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> TournamentsReply:
        """Leagues and cups, most important first; with `q` the best match first.

        ids: Up to 100 tournaments; unknown ids are left out
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        q: A name or abbreviation, in English or Russian; matched like participants, see /v1/participants/search
        """
        reply: TournamentsReply = await self._call("GET", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset})
        return reply

    def tournaments_pages(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[TournamentsReply]:
        """Yields this page of `tournaments` and all following ones."""
        return self._pages("/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset})

    def tournaments_all(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[Tournament]:
        """Yields the tournaments of `tournaments`, from this page and all following ones."""
        return self._items("tournaments", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset})

    async def tournament(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
    ) -> TournamentDetail:
        """One tournament with the current season.

        external_ids: Adds `external_ids`: the ids at each provider
        """
        reply: TournamentDetail = await self._call("GET", "/v1/tournament/{id}", {"id": id, "external_ids": external_ids})
        return reply

    async def tournament_seasons(
        self,
        id: int,
    ) -> TournamentSeasonsReply:
        """A tournament's seasons, newest first."""
        reply: TournamentSeasonsReply = await self._call("GET", "/v1/tournament/{id}/seasons", {"id": id})
        return reply

    async def participants(
        self,
        *,
        ids: int | Sequence[int],
    ) -> ParticipantsReply:
        """Teams and players by id.

        ids: Up to 100 participants
        """
        reply: ParticipantsReply = await self._call("GET", "/v1/participants", {"ids": ids})
        return reply

    async def participants_search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        type: Literal["team", "player"] | None = None,
        limit: int | None = None,
    ) -> ParticipantsSearchReply:
        """Teams and players by name, best first.

        sport: A sport, by slug
        """
        reply: ParticipantsSearchReply = await self._call("GET", "/v1/participants/search", {"q": q, "sport": sport, "type": type, "limit": limit})
        return reply

    async def search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        limit: int | None = None,
    ) -> SearchReply:
        """Teams, players and tournaments by name, best first.

        sport: A sport, by slug
        """
        reply: SearchReply = await self._call("GET", "/v1/search", {"q": q, "sport": sport, "limit": limit})
        return reply

    async def map(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        provider: str,
        ids: str | Sequence[str],
    ) -> MapReply:
        """Our ids by a provider's ids.

        ids: Up to 100 of the provider's ids
        """
        reply: MapReply = await self._call("GET", "/v1/map", {"type": type, "provider": provider, "ids": ids})
        return reply

    async def external_ids(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        ids: int | Sequence[int],
        provider: str | None = None,
    ) -> ExternalIdsReply:
        """Providers' ids by our ids.

        provider: Only ids of this provider
        """
        reply: ExternalIdsReply = await self._call("GET", "/v1/external-ids", {"type": type, "ids": ids, "provider": provider})
        return reply

    async def participant(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
    ) -> ParticipantDetail:
        """A team or player.

        external_ids: Adds `external_ids`: the ids at each provider
        """
        reply: ParticipantDetail = await self._call("GET", "/v1/participant/{id}", {"id": id, "external_ids": external_ids})
        return reply

    async def participant_events(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ParticipantEventsReply:
        """A team's or player's matches."""
        reply: ParticipantEventsReply = await self._call("GET", "/v1/participant/{id}/events", {"id": id, "when": when, "limit": limit, "offset": offset})
        return reply

    def participant_events_pages(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[ParticipantEventsReply]:
        """Yields this page of `participant_events` and all following ones."""
        return self._pages("/v1/participant/{id}/events", {"id": id, "when": when, "limit": limit, "offset": offset})

    def participant_events_all(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[ParticipantMatch]:
        """Yields the events of `participant_events`, from this page and all following ones."""
        return self._items("events", "/v1/participant/{id}/events", {"id": id, "when": when, "limit": limit, "offset": offset})

    async def reference_event_types(
        self,
        *,
        sport: SportParam | None = None,
    ) -> ReferenceEventTypesReply:
        """Event types of streams, replay and webhooks.

        sport: A sport, by slug
        """
        reply: ReferenceEventTypesReply = await self._call("GET", "/v1/reference/event-types", {"sport": sport})
        return reply

    async def reference_incident_kinds(
        self,
        *,
        sport: SportParam | None = None,
    ) -> ReferenceIncidentKindsReply:
        """Incident kinds.

        sport: A sport, by slug
        """
        reply: ReferenceIncidentKindsReply = await self._call("GET", "/v1/reference/incident-kinds", {"sport": sport})
        return reply

    async def reference_statuses(
        self,
        *,
        sport: SportParam | None = None,
    ) -> ReferenceStatusesReply:
        """Values of status and status_detail.

        sport: A sport, by slug
        """
        reply: ReferenceStatusesReply = await self._call("GET", "/v1/reference/statuses", {"sport": sport})
        return reply

    async def events(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        status: Literal["scheduled", "live", "finished"] | None = None,
        status_detail: EventDataMatchStatusDetail | None = None,
        top: bool | None = None,
        min_importance: int | None = None,
        tournament: int | Sequence[int] | None = None,
        season: int | str | None = None,
        round: str | None = None,
        country: str | None = None,
        participant: int | Sequence[int] | None = None,
        from_: str | date | None = None,
        to: str | date | None = None,
        updated_since: str | date | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
    ) -> EventsReply:
        """Matches by id, date, status, tournament, season, round or participant.

        ids: Up to 100 matches; unknown ids are left out
        sport: One or several sports, by slug
        date: Start day, in the time zone `tz`
        tz: Time zone of `date`: an IANA name, old or new, in any case; an offset such as `+03:00` is not accepted. Default: UTC
        status_detail: `awaiting_data`: long past the start, or live and silent, without a result
        top: Only important tournaments, no amateur or youth ones
        tournament: One tournament or several
        round: Number or name of a round, in any case
        country: The tournament's country
        participant: One participant or several
        from_: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        to: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        updated_since: Only matches that changed at this time or later; `/v1/sync` follows all changes without omissions
        after: The previous page's `next_after`, instead of `offset`, so that inserted matches do not make pages repeat or skip matches
        """
        reply: EventsReply = await self._call("GET", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "limit": limit, "offset": offset, "after": after})
        return reply

    def events_pages(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        status: Literal["scheduled", "live", "finished"] | None = None,
        status_detail: EventDataMatchStatusDetail | None = None,
        top: bool | None = None,
        min_importance: int | None = None,
        tournament: int | Sequence[int] | None = None,
        season: int | str | None = None,
        round: str | None = None,
        country: str | None = None,
        participant: int | Sequence[int] | None = None,
        from_: str | date | None = None,
        to: str | date | None = None,
        updated_since: str | date | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
    ) -> AsyncIterator[EventsReply]:
        """Yields this page of `events` and all following ones."""
        return self._pages("/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "limit": limit, "offset": offset, "after": after})

    def events_all(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        status: Literal["scheduled", "live", "finished"] | None = None,
        status_detail: EventDataMatchStatusDetail | None = None,
        top: bool | None = None,
        min_importance: int | None = None,
        tournament: int | Sequence[int] | None = None,
        season: int | str | None = None,
        round: str | None = None,
        country: str | None = None,
        participant: int | Sequence[int] | None = None,
        from_: str | date | None = None,
        to: str | date | None = None,
        updated_since: str | date | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
    ) -> AsyncIterator[Match]:
        """Yields the events of `events`, from this page and all following ones."""
        return self._items("events", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "limit": limit, "offset": offset, "after": after})

    async def events_live(
        self,
        *,
        sport: SportParam | None = None,
        tournament: int | None = None,
        limit: int | None = None,
    ) -> EventsLiveReply:
        """Live matches.

        sport: A sport, by slug
        """
        reply: EventsLiveReply = await self._call("GET", "/v1/events/live", {"sport": sport, "tournament": tournament, "limit": limit})
        return reply

    async def event(
        self,
        id: int,
        *,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        external_ids: bool | None = None,
    ) -> MatchDetail:
        """Match detail.

        blocks: Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once
        external_ids: Adds `external_ids`: the ids at each provider
        """
        reply: MatchDetail = await self._call("GET", "/v1/event/{id}", {"id": id, "blocks": blocks, "external_ids": external_ids})
        return reply

    async def sync(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        updated_since: str | date | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
    ) -> SyncReply:
        """All matches with full detail, then every change.

        cursor: The previous page's `next_cursor`; absent or empty to start
        sport: A sport, by slug
        updated_since: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        blocks: Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once
        """
        reply: SyncReply = await self._call("GET", "/v1/sync", {"cursor": cursor, "limit": limit, "sport": sport, "tournament": tournament, "updated_since": updated_since, "blocks": blocks})
        return reply

    def sync_pages(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        updated_since: str | date | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
    ) -> AsyncIterator[SyncReply]:
        """Yields this page of `sync` and all following ones."""
        return self._pages("/v1/sync", {"cursor": cursor, "limit": limit, "sport": sport, "tournament": tournament, "updated_since": updated_since, "blocks": blocks})

    async def h2h(
        self,
        *,
        participants: int | Sequence[int],
        limit: int | None = None,
        offset: int | None = None,
    ) -> HeadToHead:
        """Meetings of two teams, or of two players of a sport without teams.

        participants: Two ids, comma-separated
        """
        reply: HeadToHead = await self._call("GET", "/v1/h2h", {"participants": participants, "limit": limit, "offset": offset})
        return reply

    def h2h_pages(
        self,
        *,
        participants: int | Sequence[int],
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[HeadToHead]:
        """Yields this page of `h2h` and all following ones."""
        return self._pages("/v1/h2h", {"participants": participants, "limit": limit, "offset": offset})

    def h2h_all(
        self,
        *,
        participants: int | Sequence[int],
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[Match]:
        """Yields the events of `h2h`, from this page and all following ones."""
        return self._items("events", "/v1/h2h", {"participants": participants, "limit": limit, "offset": offset})

    async def tournament_standings(
        self,
        id: int,
        *,
        type: Literal["total", "home", "away", "form"] | None = None,
        grouping: Literal["division", "conference", "wild_card", "overall"] | None = None,
        season: int | str | None = None,
    ) -> Standings:
        """Season table.

        grouping: For seasons with conferences; default: the first of the `groupings` of the reply
        season: Season id; default: the current season
        """
        reply: Standings = await self._call("GET", "/v1/tournament/{id}/standings", {"id": id, "type": type, "grouping": grouping, "season": season})
        return reply

    async def tournament_scorers(
        self,
        id: int,
        *,
        season: int | str | None = None,
        limit: int | None = None,
    ) -> Scorers:
        """A season's top scorers.

        season: Season id; default: the current season
        """
        reply: Scorers = await self._call("GET", "/v1/tournament/{id}/scorers", {"id": id, "season": season, "limit": limit})
        return reply

    async def tournament_bracket(
        self,
        id: int,
        *,
        season: int | str | None = None,
    ) -> Bracket:
        """A season's knock-out rounds.

        season: Season id; default: the current season
        """
        reply: Bracket = await self._call("GET", "/v1/tournament/{id}/bracket", {"id": id, "season": season})
        return reply

    async def tournament_rounds(
        self,
        id: int,
        *,
        season: int | str | None = None,
    ) -> Rounds:
        """A season's rounds.

        season: Season id; default: the current season
        """
        reply: Rounds = await self._call("GET", "/v1/tournament/{id}/rounds", {"id": id, "season": season})
        return reply

    async def participant_statistics(
        self,
        id: int,
        *,
        season: int | str | None = None,
        tournament: int | None = None,
    ) -> Statistics:
        """A team's or player's statistics by season.

        season: Only this season
        tournament: Only seasons of this tournament
        """
        reply: Statistics = await self._call("GET", "/v1/participant/{id}/statistics", {"id": id, "season": season, "tournament": tournament})
        return reply

    async def participant_squad(
        self,
        id: int,
        *,
        season_label: str | None = None,
        season: int | str | None = None,
        tournament: int | None = None,
    ) -> Squad:
        """A team's squad in a season.

        season_label: As in `season_labels`; default: the newest season with known players
        season: Only this season of a competition, as in `competitions`
        tournament: Only this competition; the default season is its newest
        """
        reply: Squad = await self._call("GET", "/v1/participant/{id}/squad", {"id": id, "season_label": season_label, "season": season, "tournament": tournament})
        return reply

    async def participant_missing(
        self,
        id: int,
    ) -> Missing:
        """A team's injured and suspended players, or whether a player is injured or suspended."""
        reply: Missing = await self._call("GET", "/v1/participant/{id}/missing", {"id": id})
        return reply

    async def tournament_leaders(
        self,
        id: int,
        *,
        stat: StatParam | None = None,
        season: int | str | None = None,
        limit: int | None = None,
    ) -> Leaders:
        """A season's leading players by a figure.

        season: Season id; default: the current season
        """
        reply: Leaders = await self._call("GET", "/v1/tournament/{id}/leaders", {"id": id, "stat": stat, "season": season, "limit": limit})
        return reply

    async def rankings(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Rankings:
        """A ranking of teams or players.

        date: Default: today
        """
        reply: Rankings = await self._call("GET", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset})
        return reply

    def rankings_pages(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[Rankings]:
        """Yields this page of `rankings` and all following ones."""
        return self._pages("/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset})

    def rankings_all(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[RankingEntry]:
        """Yields the rankings of `rankings`, from this page and all following ones."""
        return self._items("rankings", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset})

    async def participant_rating(
        self,
        id: int,
        *,
        from_: str | date | None = None,
        to: str | date | None = None,
    ) -> Ratings:
        """A team's Elo rating over time.

        from_: First day
        to: Last day
        """
        reply: Ratings = await self._call("GET", "/v1/participant/{id}/rating", {"id": id, "from": from_, "to": to})
        return reply

    async def participant_transfers(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Transfers:
        """A player's or a team's transfers."""
        reply: Transfers = await self._call("GET", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset})
        return reply

    def participant_transfers_pages(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[Transfers]:
        """Yields this page of `participant_transfers` and all following ones."""
        return self._pages("/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset})

    def participant_transfers_all(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AsyncIterator[Transfer]:
        """Yields the transfers of `participant_transfers`, from this page and all following ones."""
        return self._items("transfers", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset})

    async def event_analytics(
        self,
        id: int,
        *,
        sample: Literal["season", "window", "all"] | None = None,
        explain: bool | None = None,
        lang: Literal["en", "ru"] | None = None,
    ) -> Analytics:
        """Pre-match analytics.

        sample: Sample of the form. season: matches of the same tournament and season; window: matches of the tournament in the last 913 days; all: matches of all tournaments
        explain: true or false; 1 and 0 are accepted as well
        """
        reply: Analytics = await self._call("GET", "/v1/event/{id}/analytics", {"id": id, "sample": sample, "explain": explain, "lang": lang})
        return reply

    async def participant_trends(
        self,
        id: int,
        *,
        last: int | None = None,
        scope: Literal["season", "all"] | None = None,
        lang: Literal["en", "ru"] | None = None,
    ) -> TeamTrends:
        """A side's form and trends.

        last: Number of matches in `last_n` and `recent`
        scope: season: matches of the newest league season of the side; all: matches of all competitions in the last 913 days
        """
        reply: TeamTrends = await self._call("GET", "/v1/participant/{id}/trends", {"id": id, "last": last, "scope": scope, "lang": lang})
        return reply

    async def tournament_profile(
        self,
        id: int,
        *,
        season: int | str | None = None,
    ) -> LeagueProfile:
        """League profile.

        season: Season id; default: the last 913 days
        """
        reply: LeagueProfile = await self._call("GET", "/v1/tournament/{id}/profile", {"id": id, "season": season})
        return reply

    async def tournament_outlook(
        self,
        id: int,
        *,
        season: int | str | None = None,
        history: bool | None = None,
    ) -> Outlook:
        """Season outlook.

        season: Season id; default: the current season
        history: true or false; 1 and 0 are accepted as well
        """
        reply: Outlook = await self._call("GET", "/v1/tournament/{id}/outlook", {"id": id, "season": season, "history": history})
        return reply

    async def event_odds_history(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> OddsHistory:
        """History of prices.

        cursor: The previous page's `next_cursor`
        """
        reply: OddsHistory = await self._call("GET", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor})
        return reply

    def event_odds_history_pages(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[OddsHistory]:
        """Yields this page of `event_odds_history` and all following ones."""
        return self._pages("/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor})

    def event_odds_history_all(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[OddsHistoryChanges]:
        """Yields the changes of `event_odds_history`, from this page and all following ones."""
        return self._items("changes", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor})

    async def event_probabilities(
        self,
        id: int,
    ) -> MatchProbabilities:
        """Win probability with a timeline."""
        reply: MatchProbabilities = await self._call("GET", "/v1/event/{id}/probabilities", {"id": id})
        return reply

    async def event_weather(
        self,
        id: int,
        *,
        lang: Literal["en", "ru"] | None = None,
    ) -> MatchWeather:
        """Weather at the kick-off."""
        reply: MatchWeather = await self._call("GET", "/v1/event/{id}/weather", {"id": id, "lang": lang})
        return reply

    async def account(
        self,
    ) -> Account:
        """The account and the plan."""
        reply: Account = await self._call("GET", "/v1/account", {})
        return reply

    async def account_audit(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AccountAuditReply:
        """The account's audit log.

        cursor: The previous page's `next_cursor`
        """
        reply: AccountAuditReply = await self._call("GET", "/v1/account/audit", {"limit": limit, "cursor": cursor})
        return reply

    def account_audit_pages(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AsyncIterator[AccountAuditReply]:
        """Yields this page of `account_audit` and all following ones."""
        return self._pages("/v1/account/audit", {"limit": limit, "cursor": cursor})

    def account_audit_all(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AsyncIterator[AccountAuditReplyEntries]:
        """Yields the entries of `account_audit`, from this page and all following ones."""
        return self._items("entries", "/v1/account/audit", {"limit": limit, "cursor": cursor})

    async def account_usage(
        self,
        *,
        from_: str | date | None = None,
        to: str | date | None = None,
        group: Literal["day", "key", "endpoint", "status"] | Sequence[Literal["day", "key", "endpoint", "status"]] | None = None,
    ) -> Usage:
        """Usage by day, key, endpoint and status.

        group: Members by which the rows are grouped
        """
        reply: Usage = await self._call("GET", "/v1/account/usage", {"from": from_, "to": to, "group": group})
        return reply

    async def account_webhooks(
        self,
    ) -> AccountWebhooksReply:
        """The account's webhook subscriptions."""
        reply: AccountWebhooksReply = await self._call("GET", "/v1/account/webhooks", {})
        return reply

    async def post_account_webhooks(
        self,
        *,
        body: PostAccountWebhooksBody,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookSubscription:
        """Create a webhook subscription."""
        reply: CreatedWebhookSubscription = await self._call("POST", "/v1/account/webhooks", {}, body=body, idempotency_key=idempotency_key)
        return reply

    async def account_webhook(
        self,
        id: int,
    ) -> WebhookSubscription:
        """A webhook subscription."""
        reply: WebhookSubscription = await self._call("GET", "/v1/account/webhooks/{id}", {"id": id})
        return reply

    async def patch_account_webhook(
        self,
        id: int,
        *,
        body: PatchAccountWebhookBody | None = None,
    ) -> WebhookSubscription:
        """Change or pause a webhook subscription."""
        reply: WebhookSubscription = await self._call("PATCH", "/v1/account/webhooks/{id}", {"id": id}, body=body)
        return reply

    async def delete_account_webhook(
        self,
        id: int,
    ) -> None:
        """Delete a webhook subscription."""
        await self._call("DELETE", "/v1/account/webhooks/{id}", {"id": id})

    async def post_account_webhook_test(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookTest:
        """Send a test event now."""
        reply: WebhookTest = await self._call("POST", "/v1/account/webhooks/{id}/test", {"id": id}, idempotency_key=idempotency_key)
        return reply

    async def post_account_webhook_confirm(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookTest:
        """Request the receiver's confirmation now."""
        reply: WebhookTest = await self._call("POST", "/v1/account/webhooks/{id}/confirm", {"id": id}, idempotency_key=idempotency_key)
        return reply

    async def post_account_webhook_rotate(
        self,
        id: int,
        *,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookSubscription:
        """Replace a webhook subscription's secret."""
        reply: CreatedWebhookSubscription = await self._call("POST", "/v1/account/webhooks/{id}/rotate", {"id": id}, idempotency_key=idempotency_key)
        return reply

    async def post_account_webhook_enable(
        self,
        id: int,
        *,
        body: PostAccountWebhookEnableBody | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSubscription:
        """Enable a paused or disabled webhook subscription."""
        reply: WebhookSubscription = await self._call("POST", "/v1/account/webhooks/{id}/enable", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    async def post_account_webhook_replay(
        self,
        id: int,
        *,
        body: PostAccountWebhookReplayBody | None = None,
        idempotency_key: str | None = None,
    ) -> WebhookSubscription:
        """Send events again."""
        reply: WebhookSubscription = await self._call("POST", "/v1/account/webhooks/{id}/replay", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    async def account_webhook_deliveries(
        self,
        id: int,
        *,
        state: Literal["pending", "delivered", "failed"] | None = None,
        event_type: EventFrameType | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AccountWebhookDeliveriesReply:
        """A webhook subscription's deliveries.

        since: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        until: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        cursor: The previous page's `next_cursor`
        """
        reply: AccountWebhookDeliveriesReply = await self._call("GET", "/v1/account/webhooks/{id}/deliveries", {"id": id, "state": state, "event_type": event_type, "match_id": match_id, "since": since, "until": until, "limit": limit, "cursor": cursor})
        return reply

    def account_webhook_deliveries_pages(
        self,
        id: int,
        *,
        state: Literal["pending", "delivered", "failed"] | None = None,
        event_type: EventFrameType | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[AccountWebhookDeliveriesReply]:
        """Yields this page of `account_webhook_deliveries` and all following ones."""
        return self._pages("/v1/account/webhooks/{id}/deliveries", {"id": id, "state": state, "event_type": event_type, "match_id": match_id, "since": since, "until": until, "limit": limit, "cursor": cursor})

    def account_webhook_deliveries_all(
        self,
        id: int,
        *,
        state: Literal["pending", "delivered", "failed"] | None = None,
        event_type: EventFrameType | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncIterator[WebhookDelivery]:
        """Yields the deliveries of `account_webhook_deliveries`, from this page and all following ones."""
        return self._items("deliveries", "/v1/account/webhooks/{id}/deliveries", {"id": id, "state": state, "event_type": event_type, "match_id": match_id, "since": since, "until": until, "limit": limit, "cursor": cursor})

    async def account_webhook_delivery(
        self,
        id: int,
        delivery_id: str,
    ) -> WebhookDeliveryDetail:
        """A delivery with the request, all attempts and the replies."""
        reply: WebhookDeliveryDetail = await self._call("GET", "/v1/account/webhooks/{id}/deliveries/{delivery_id}", {"id": id, "delivery_id": delivery_id})
        return reply

    async def post_account_webhook_delivery_retry(
        self,
        id: int,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookDeliveryDetail:
        """Retry a delivery now."""
        reply: WebhookDeliveryDetail = await self._call("POST", "/v1/account/webhooks/{id}/deliveries/{delivery_id}/retry", {"id": id, "delivery_id": delivery_id}, idempotency_key=idempotency_key)
        return reply

    async def post_account_webhook_deliveries_retry(
        self,
        id: int,
        *,
        body: PostAccountWebhookDeliveriesRetryBody,
        idempotency_key: str | None = None,
    ) -> PostAccountWebhookDeliveriesRetryReply:
        """Retry all deliveries that have failed since a time."""
        reply: PostAccountWebhookDeliveriesRetryReply = await self._call("POST", "/v1/account/webhooks/{id}/deliveries/retry", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    async def stream_replay(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
    ) -> StreamReplayReply:
        """Events after a cursor.

        since: The cursor after which events are wanted
        sport: Sports by slug, comma-separated
        league: Tournament ids, comma-separated
        event_type: Event types; `match.*` for all of a kind, comma-separated
        """
        reply: StreamReplayReply = await self._call("GET", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type})
        return reply

    def stream_replay_pages(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
    ) -> AsyncIterator[StreamReplayReply]:
        """Yields this page of `stream_replay` and all following ones."""
        return self._pages("/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type})

    def stream_replay_all(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
    ) -> AsyncIterator[EventFrame]:
        """Yields the events of `stream_replay`, from this page and all following ones."""
        return self._items("events", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type})
