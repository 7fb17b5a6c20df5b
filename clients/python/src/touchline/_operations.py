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
    AccountEventsReply,
    AccountMemberInvitationsReply,
    AccountMembersReply,
    AccountStoredEventsReply,
    AccountWebhookDeliveriesReply,
    AccountWebhooksReply,
    Analytics,
    AuditEvent,
    BlocksParam,
    Bracket,
    CoachDetail,
    CoachesReply,
    CountriesReply,
    CreatedWebhookSubscription,
    EventDataMatchStatusDetail,
    EventFrame,
    EventFrameType,
    EventTypeParam,
    EventsLiveReply,
    EventsReply,
    ExternalIdsReply,
    FilterPreview,
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
    OddsReply,
    Outlook,
    ParticipantDetail,
    ParticipantEventsReply,
    ParticipantMatch,
    ParticipantsReply,
    ParticipantsSearchReply,
    PatchAccountWebhookBody,
    PostAccountTriggerBody,
    PostAccountTriggerReply,
    PostAccountWebhookDeliveriesRetryBody,
    PostAccountWebhookDeliveriesRetryReply,
    PostAccountWebhookEnableBody,
    PostAccountWebhookReplayBody,
    PostAccountWebhookSendBody,
    PostAccountWebhookSendReply,
    PostAccountWebhooksBody,
    PostAccountWebhooksPreviewBody,
    RankingEntry,
    Rankings,
    Ratings,
    RefereeDetail,
    RefereesReply,
    ReferenceEventTypesReply,
    ReferenceIncidentKindsReply,
    ReferenceStatusesReply,
    ResolveReply,
    ResolveRequest,
    Rounds,
    Scorers,
    SearchReply,
    Season,
    SportParam,
    SportsReply,
    Squad,
    Staff,
    Standings,
    StandingsHistory,
    StatParam,
    Statistics,
    StoredEvent,
    StoredEventDetail,
    StreamReplayReply,
    SyncReply,
    TeamTrends,
    Tournament,
    TournamentDetail,
    TournamentMissing,
    TournamentSeasonsReply,
    TournamentsReply,
    Transfer,
    Transfers,
    TvReply,
    Usage,
    Venue,
    VenueDetail,
    VenuesReply,
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
        *,
        fields: str | Sequence[str] | None = None,
    ) -> SportsReply:
        """All sports.

        fields: Only these members of each item of `sports`, comma-separated. The entity tag changes only if one of them does
        """
        reply: SportsReply = self._call("GET", "/v1/sports", {"fields": fields})
        return reply

    def countries(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> CountriesReply:
        """Countries with the number of leagues.

        sport: A sport, by slug
        fields: Only these members of each item of `countries`, comma-separated. The entity tag changes only if one of them does
        """
        reply: CountriesReply = self._call("GET", "/v1/countries", {"sport": sport, "fields": fields})
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
        fields: str | Sequence[str] | None = None,
    ) -> TournamentsReply:
        """Leagues and cups, most important first; with `q` the best match first.

        ids: Up to 100 tournaments; unknown ids are left out
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        q: A name or abbreviation, in English or Russian; matched like participants, see /v1/participants/search
        fields: Only these members of each item of `tournaments`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentsReply = self._call("GET", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset, "fields": fields})
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
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[TournamentsReply]:
        """Yields this page of `tournaments` and all following ones."""
        return self._pages("/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset, "fields": fields})

    def tournaments_all(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Tournament]:
        """Yields the tournaments of `tournaments`, from this page and all following ones."""
        return self._items("tournaments", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset, "fields": fields})

    def tournament(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TournamentDetail:
        """One tournament with the current season.

        external_ids: Adds `external_ids`: the ids at each provider
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentDetail = self._call("GET", "/v1/tournament/{id}", {"id": id, "external_ids": external_ids, "fields": fields})
        return reply

    def tournament_seasons(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> TournamentSeasonsReply:
        """A tournament's seasons, newest first.

        fields: Only these members of each item of `seasons`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentSeasonsReply = self._call("GET", "/v1/tournament/{id}/seasons", {"id": id, "fields": fields})
        return reply

    def participants(
        self,
        *,
        ids: int | Sequence[int],
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantsReply:
        """Teams and players by id.

        ids: Up to 100 participants
        fields: Only these members of each item of `participants`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantsReply = self._call("GET", "/v1/participants", {"ids": ids, "fields": fields})
        return reply

    def participants_search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        type: Literal["team", "player", "referee", "coach"] | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantsSearchReply:
        """Teams, players, referees and coaches by name, best first.

        sport: A sport, by slug
        fields: Only these members of each item of `participants`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantsSearchReply = self._call("GET", "/v1/participants/search", {"q": q, "sport": sport, "type": type, "limit": limit, "fields": fields})
        return reply

    def search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> SearchReply:
        """Teams, players, referees, coaches and tournaments by name, best first.

        sport: A sport, by slug
        fields: Only these members of each item of `results`, comma-separated. The entity tag changes only if one of them does
        """
        reply: SearchReply = self._call("GET", "/v1/search", {"q": q, "sport": sport, "limit": limit, "fields": fields})
        return reply

    def map(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        provider: str,
        ids: str | Sequence[str],
        fields: str | Sequence[str] | None = None,
    ) -> MapReply:
        """Our ids by a provider's ids.

        ids: Up to 100 of the provider's ids
        fields: Only these members of each item of `external_ids`, comma-separated. The entity tag changes only if one of them does
        """
        reply: MapReply = self._call("GET", "/v1/map", {"type": type, "provider": provider, "ids": ids, "fields": fields})
        return reply

    def external_ids(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        ids: int | Sequence[int],
        provider: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ExternalIdsReply:
        """Providers' ids by our ids.

        provider: Only ids of this provider
        fields: Only these members of each item of `external_ids`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ExternalIdsReply = self._call("GET", "/v1/external-ids", {"type": type, "ids": ids, "provider": provider, "fields": fields})
        return reply

    def participant(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantDetail:
        """A team, player, referee or coach.

        external_ids: Adds `external_ids`: the ids at each provider
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantDetail = self._call("GET", "/v1/participant/{id}", {"id": id, "external_ids": external_ids, "fields": fields})
        return reply

    def participant_events(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantEventsReply:
        """A team's or player's matches.

        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantEventsReply = self._call("GET", "/v1/participant/{id}/events", {"id": id, "when": when, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def participant_events_pages(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[ParticipantEventsReply]:
        """Yields this page of `participant_events` and all following ones."""
        return self._pages("/v1/participant/{id}/events", {"id": id, "when": when, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    def participant_events_all(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[ParticipantMatch]:
        """Yields the events of `participant_events`, from this page and all following ones."""
        return self._items("events", "/v1/participant/{id}/events", {"id": id, "when": when, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    def reference_event_types(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ReferenceEventTypesReply:
        """Event types of streams, replay and webhooks.

        sport: A sport, by slug
        fields: Only these members of each item of `event_types`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ReferenceEventTypesReply = self._call("GET", "/v1/reference/event-types", {"sport": sport, "fields": fields})
        return reply

    def reference_incident_kinds(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ReferenceIncidentKindsReply:
        """Incident kinds.

        sport: A sport, by slug
        fields: Only these members of each item of `incident_kinds`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ReferenceIncidentKindsReply = self._call("GET", "/v1/reference/incident-kinds", {"sport": sport, "fields": fields})
        return reply

    def reference_statuses(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ReferenceStatusesReply:
        """Values of status and status_detail.

        sport: A sport, by slug
        fields: Only these members of each item of `statuses`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ReferenceStatusesReply = self._call("GET", "/v1/reference/statuses", {"sport": sport, "fields": fields})
        return reply

    def post_resolve(
        self,
        *,
        body: ResolveRequest,
        idempotency_key: str | None = None,
    ) -> ResolveReply:
        """Our ids by any provider's ids, or by names."""
        reply: ResolveReply = self._call("POST", "/v1/resolve", {}, body=body, idempotency_key=idempotency_key)
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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> EventsReply:
        """Matches by id, date, status, tournament, season, round or participant.

        ids: Up to 100 matches; unknown ids are left out
        sport: One or several sports, by slug
        date: Start day in the time zone `tz`; a match without a time has one day in every zone
        tz: Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC
        status_detail: `awaiting_data`: long past the start, or live and silent, without a result
        top: Only important tournaments, no amateur or youth ones
        tournament: One tournament or several
        round: Number or name of a round, in any case
        country: The tournament's country
        participant: One participant or several
        from_: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        to: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        updated_since: Only matches that changed at this time or later; `/v1/sync` follows all changes without omissions
        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        after: The previous page's `next_after`, instead of `offset`, so that inserted matches do not make pages repeat or skip matches
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: EventsReply = self._call("GET", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "blocks": blocks, "limit": limit, "offset": offset, "after": after, "fields": fields})
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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[EventsReply]:
        """Yields this page of `events` and all following ones."""
        return self._pages("/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "blocks": blocks, "limit": limit, "offset": offset, "after": after, "fields": fields})

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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Match]:
        """Yields the events of `events`, from this page and all following ones."""
        return self._items("events", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "blocks": blocks, "limit": limit, "offset": offset, "after": after, "fields": fields})

    def events_live(
        self,
        *,
        sport: SportParam | None = None,
        tournament: int | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> EventsLiveReply:
        """Live matches.

        sport: A sport, by slug
        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        limit: With `blocks` the default is 100
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: EventsLiveReply = self._call("GET", "/v1/events/live", {"sport": sport, "tournament": tournament, "blocks": blocks, "limit": limit, "fields": fields})
        return reply

    def event(
        self,
        id: int,
        *,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        external_ids: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> MatchDetail:
        """Match detail.

        blocks: Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once
        external_ids: Adds `external_ids`: the ids at each provider
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: MatchDetail = self._call("GET", "/v1/event/{id}", {"id": id, "blocks": blocks, "external_ids": external_ids, "fields": fields})
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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> HeadToHead:
        """Meetings of two teams, or of two players of a sport without teams.

        participants: Two ids, comma-separated
        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: HeadToHead = self._call("GET", "/v1/h2h", {"participants": participants, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def h2h_pages(
        self,
        *,
        participants: int | Sequence[int],
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[HeadToHead]:
        """Yields this page of `h2h` and all following ones."""
        return self._pages("/v1/h2h", {"participants": participants, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    def h2h_all(
        self,
        *,
        participants: int | Sequence[int],
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Match]:
        """Yields the events of `h2h`, from this page and all following ones."""
        return self._items("events", "/v1/h2h", {"participants": participants, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    def odds(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        market: str | None = None,
        bookmaker: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> OddsReply:
        """The odds of a day's matches.

        date: Start day, as in `/v1/events`
        tz: Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC
        sport: A sport, by slug
        tournament: One tournament or several
        market: Name or group of a market, in any case
        bookmaker: Name of a bookmaker, in any case
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: OddsReply = self._call("GET", "/v1/odds", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "market": market, "bookmaker": bookmaker, "fields": fields})
        return reply

    def odds_pages(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        market: str | None = None,
        bookmaker: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[OddsReply]:
        """Yields this page of `odds` and all following ones."""
        return self._pages("/v1/odds", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "market": market, "bookmaker": bookmaker, "fields": fields})

    def odds_all(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        market: str | None = None,
        bookmaker: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Match]:
        """Yields the events of `odds`, from this page and all following ones."""
        return self._items("events", "/v1/odds", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "market": market, "bookmaker": bookmaker, "fields": fields})

    def tv(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        country: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TvReply:
        """The television channels of a day's matches.

        date: Start day, as in `/v1/events`
        tz: Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC
        sport: A sport, by slug
        tournament: One tournament or several
        country: Only matches that are shown there, with the channels of that country
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TvReply = self._call("GET", "/v1/tv", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "country": country, "fields": fields})
        return reply

    def tv_pages(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        country: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[TvReply]:
        """Yields this page of `tv` and all following ones."""
        return self._pages("/v1/tv", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "country": country, "fields": fields})

    def tv_all(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        country: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Match]:
        """Yields the events of `tv`, from this page and all following ones."""
        return self._items("events", "/v1/tv", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "country": country, "fields": fields})

    def tournament_standings(
        self,
        id: int,
        *,
        type: Literal["total", "home", "away", "form"] | None = None,
        grouping: Literal["division", "conference", "wild_card", "overall"] | None = None,
        season: int | str | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        round: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Standings:
        """Season table.

        grouping: For seasons with conferences; default: the first of the `groupings` of the reply
        season: Season id; default: the current season
        date: The table at the end of this day, with the matches that had begun; each row has its `movement`
        tz: Time zone of `date`, an IANA name. Default: UTC
        round: The table after this round (number, or name in any case), with all matches of the rounds until then, whenever they were played; each row has its `movement`. Deductions count if they were decided before the round. Not with `date`
        fields: Only these members of each item of `table`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Standings = self._call("GET", "/v1/tournament/{id}/standings", {"id": id, "type": type, "grouping": grouping, "season": season, "date": date, "tz": tz, "round": round, "fields": fields})
        return reply

    def tournament_standings_history(
        self,
        id: int,
        *,
        season: int | str | None = None,
        grouping: Literal["division", "conference", "wild_card", "overall"] | None = None,
        participant: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> StandingsHistory:
        """Places and points from round to round.

        season: Season id; default: the current season
        participant: Only the rows of this side
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: StandingsHistory = self._call("GET", "/v1/tournament/{id}/standings/history", {"id": id, "season": season, "grouping": grouping, "participant": participant, "fields": fields})
        return reply

    def tournament_scorers(
        self,
        id: int,
        *,
        season: int | str | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Scorers:
        """A season's top scorers.

        season: Season id; default: the current season
        fields: Only these members of each item of `scorers`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Scorers = self._call("GET", "/v1/tournament/{id}/scorers", {"id": id, "season": season, "limit": limit, "fields": fields})
        return reply

    def tournament_bracket(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Bracket:
        """A season's knock-out rounds.

        season: Season id; default: the current season
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: Bracket = self._call("GET", "/v1/tournament/{id}/bracket", {"id": id, "season": season, "fields": fields})
        return reply

    def tournament_rounds(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Rounds:
        """A season's rounds.

        season: Season id; default: the current season
        fields: Only these members of each item of `rounds`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Rounds = self._call("GET", "/v1/tournament/{id}/rounds", {"id": id, "season": season, "fields": fields})
        return reply

    def participant_statistics(
        self,
        id: int,
        *,
        season: int | str | None = None,
        tournament: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Statistics:
        """A team's or player's statistics by season.

        season: Only this season
        tournament: Only seasons of this tournament
        fields: Only these members of each item of `statistics`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Statistics = self._call("GET", "/v1/participant/{id}/statistics", {"id": id, "season": season, "tournament": tournament, "fields": fields})
        return reply

    def participant_squad(
        self,
        id: int,
        *,
        season_label: str | None = None,
        season: int | str | None = None,
        tournament: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Squad:
        """A team's squad in a season.

        season_label: As in `season_labels`; default: the newest season with known players
        season: Only this season of a competition, as in `competitions`
        tournament: Only this competition; the default season is its newest
        fields: Only these members of each item of `squad`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Squad = self._call("GET", "/v1/participant/{id}/squad", {"id": id, "season_label": season_label, "season": season, "tournament": tournament, "fields": fields})
        return reply

    def participant_missing(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> Missing:
        """A team's injured and suspended players, or whether a player is injured or suspended.

        fields: Only these members of each item of `missing`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Missing = self._call("GET", "/v1/participant/{id}/missing", {"id": id, "fields": fields})
        return reply

    def tournament_missing(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TournamentMissing:
        """Injured and suspended players of all teams in a season.

        season: Season id; default: the current season
        fields: Only these members of each item of `missing`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentMissing = self._call("GET", "/v1/tournament/{id}/missing", {"id": id, "season": season, "fields": fields})
        return reply

    def tournament_leaders(
        self,
        id: int,
        *,
        stat: StatParam | None = None,
        season: int | str | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Leaders:
        """A season's leading players by a figure.

        stat: Default: the sport's first figure, `goals` or (in cricket) `runs`
        season: Season id; default: the current season
        fields: Only these members of each item of `leaders`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Leaders = self._call("GET", "/v1/tournament/{id}/leaders", {"id": id, "stat": stat, "season": season, "limit": limit, "fields": fields})
        return reply

    def rankings(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Rankings:
        """A ranking of teams or players.

        date: Default: today
        fields: Only these members of each item of `rankings`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Rankings = self._call("GET", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def rankings_pages(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Rankings]:
        """Yields this page of `rankings` and all following ones."""
        return self._pages("/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset, "fields": fields})

    def rankings_all(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[RankingEntry]:
        """Yields the rankings of `rankings`, from this page and all following ones."""
        return self._items("rankings", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset, "fields": fields})

    def participant_rating(
        self,
        id: int,
        *,
        from_: str | date | None = None,
        to: str | date | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Ratings:
        """A team's Elo rating over time.

        from_: First day
        to: Last day
        fields: Only these members of each item of `ratings`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Ratings = self._call("GET", "/v1/participant/{id}/rating", {"id": id, "from": from_, "to": to, "fields": fields})
        return reply

    def participant_transfers(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Transfers:
        """A player's or a team's transfers.

        fields: Only these members of each item of `transfers`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Transfers = self._call("GET", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def participant_transfers_pages(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Transfers]:
        """Yields this page of `participant_transfers` and all following ones."""
        return self._pages("/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset, "fields": fields})

    def participant_transfers_all(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Transfer]:
        """Yields the transfers of `participant_transfers`, from this page and all following ones."""
        return self._items("transfers", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset, "fields": fields})

    def venues(
        self,
        *,
        q: str | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> VenuesReply:
        """Venues, most matches first.

        q: The beginnings of words of the name, of another name, or of the city, in any order
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        fields: Only these members of each item of `venues`, comma-separated. The entity tag changes only if one of them does
        """
        reply: VenuesReply = self._call("GET", "/v1/venues", {"q": q, "country": country, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def venues_pages(
        self,
        *,
        q: str | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[VenuesReply]:
        """Yields this page of `venues` and all following ones."""
        return self._pages("/v1/venues", {"q": q, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def venues_all(
        self,
        *,
        q: str | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Venue]:
        """Yields the venues of `venues`, from this page and all following ones."""
        return self._items("venues", "/v1/venues", {"q": q, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def venue(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> VenueDetail:
        """A venue: names, city, capacity, coordinates, teams and matches.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: VenueDetail = self._call("GET", "/v1/venue/{id}", {"id": id, "fields": fields})
        return reply

    def referees(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> RefereesReply:
        """Referees and umpires, most matches first.

        q: The beginnings of words of the name, in any order. Accents, alphabet and transliteration do not matter
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        fields: Only these members of each item of `referees`, comma-separated. The entity tag changes only if one of them does
        """
        reply: RefereesReply = self._call("GET", "/v1/referees", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def referees_pages(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[RefereesReply]:
        """Yields this page of `referees` and all following ones."""
        return self._pages("/v1/referees", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def referees_all(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Staff]:
        """Yields the referees of `referees`, from this page and all following ones."""
        return self._items("referees", "/v1/referees", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def referee(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> RefereeDetail:
        """A referee: matches, and cards and penalties per match, by season and tournament.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: RefereeDetail = self._call("GET", "/v1/referee/{id}", {"id": id, "fields": fields})
        return reply

    def coaches(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> CoachesReply:
        """Coaches, most matches first.

        q: The beginnings of words of the name, in any order. Accents, alphabet and transliteration do not matter
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        fields: Only these members of each item of `coaches`, comma-separated. The entity tag changes only if one of them does
        """
        reply: CoachesReply = self._call("GET", "/v1/coaches", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def coaches_pages(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[CoachesReply]:
        """Yields this page of `coaches` and all following ones."""
        return self._pages("/v1/coaches", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def coaches_all(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[Staff]:
        """Yields the coaches of `coaches`, from this page and all following ones."""
        return self._items("coaches", "/v1/coaches", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def coach(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> CoachDetail:
        """A coach: clubs by season, with the record.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: CoachDetail = self._call("GET", "/v1/coach/{id}", {"id": id, "fields": fields})
        return reply

    def event_analytics(
        self,
        id: int,
        *,
        sample: Literal["season", "window", "all"] | None = None,
        explain: bool | None = None,
        lang: Literal["en", "ru"] | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Analytics:
        """Pre-match analytics.

        sample: Sample of the form. season: matches of the same tournament and season; window: matches of the tournament in the last 913 days; all: matches of all tournaments
        explain: true or false; 1 and 0 are accepted as well
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: Analytics = self._call("GET", "/v1/event/{id}/analytics", {"id": id, "sample": sample, "explain": explain, "lang": lang, "fields": fields})
        return reply

    def participant_trends(
        self,
        id: int,
        *,
        last: int | None = None,
        scope: Literal["season", "all"] | None = None,
        lang: Literal["en", "ru"] | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TeamTrends:
        """A side's form and trends.

        last: Number of matches in `last_n` and `recent`
        scope: season: matches of the newest league season of the side; all: matches of all competitions in the last 913 days
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: TeamTrends = self._call("GET", "/v1/participant/{id}/trends", {"id": id, "last": last, "scope": scope, "lang": lang, "fields": fields})
        return reply

    def tournament_profile(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> LeagueProfile:
        """League profile.

        season: Season id; default: the last 913 days
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: LeagueProfile = self._call("GET", "/v1/tournament/{id}/profile", {"id": id, "season": season, "fields": fields})
        return reply

    def tournament_outlook(
        self,
        id: int,
        *,
        season: int | str | None = None,
        history: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Outlook:
        """Season outlook.

        season: Season id; default: the current season
        history: true or false; 1 and 0 are accepted as well
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: Outlook = self._call("GET", "/v1/tournament/{id}/outlook", {"id": id, "season": season, "history": history, "fields": fields})
        return reply

    def event_odds_history(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> OddsHistory:
        """History of prices.

        cursor: The previous page's `next_cursor`
        fields: Only these members of each item of `changes`, comma-separated. The entity tag changes only if one of them does
        """
        reply: OddsHistory = self._call("GET", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor, "fields": fields})
        return reply

    def event_odds_history_pages(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[OddsHistory]:
        """Yields this page of `event_odds_history` and all following ones."""
        return self._pages("/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor, "fields": fields})

    def event_odds_history_all(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Iterator[OddsHistoryChanges]:
        """Yields the changes of `event_odds_history`, from this page and all following ones."""
        return self._items("changes", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor, "fields": fields})

    def event_probabilities(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> MatchProbabilities:
        """Win probability with a timeline.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: MatchProbabilities = self._call("GET", "/v1/event/{id}/probabilities", {"id": id, "fields": fields})
        return reply

    def event_weather(
        self,
        id: int,
        *,
        lang: Literal["en", "ru"] | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> MatchWeather:
        """Weather at the kick-off.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: MatchWeather = self._call("GET", "/v1/event/{id}/weather", {"id": id, "lang": lang, "fields": fields})
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

    def account_events(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AccountEventsReply:
        """The account's audit log after a cursor.

        cursor: The previous reply's `next_cursor`
        """
        reply: AccountEventsReply = self._call("GET", "/v1/account/events", {"limit": limit, "cursor": cursor})
        return reply

    def account_events_pages(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> Iterator[AccountEventsReply]:
        """Yields this page of `account_events` and all following ones."""
        return self._pages("/v1/account/events", {"limit": limit, "cursor": cursor})

    def account_events_all(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> Iterator[AuditEvent]:
        """Yields the events of `account_events`, from this page and all following ones."""
        return self._items("events", "/v1/account/events", {"limit": limit, "cursor": cursor})

    def account_members(
        self,
    ) -> AccountMembersReply:
        """The organisation's members."""
        reply: AccountMembersReply = self._call("GET", "/v1/account/members", {})
        return reply

    def account_member_invitations(
        self,
    ) -> AccountMemberInvitationsReply:
        """Open invitations to the organisation."""
        reply: AccountMemberInvitationsReply = self._call("GET", "/v1/account/member-invitations", {})
        return reply

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
        body: PostAccountWebhooksBody | None = None,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookSubscription:
        """Create a webhook subscription."""
        reply: CreatedWebhookSubscription = self._call("POST", "/v1/account/webhooks", {}, body=body, idempotency_key=idempotency_key)
        return reply

    def post_account_webhooks_preview(
        self,
        *,
        body: PostAccountWebhooksPreviewBody | None = None,
        idempotency_key: str | None = None,
    ) -> FilterPreview:
        """Try a filter on the newest events."""
        reply: FilterPreview = self._call("POST", "/v1/account/webhooks/preview", {}, body=body, idempotency_key=idempotency_key)
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

    def post_account_webhook_delivery_skip(
        self,
        id: int,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookDeliveryDetail:
        """Give up a delivery that waits for a retry."""
        reply: WebhookDeliveryDetail = self._call("POST", "/v1/account/webhooks/{id}/deliveries/{delivery_id}/skip", {"id": id, "delivery_id": delivery_id}, idempotency_key=idempotency_key)
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

    def account_stored_events(
        self,
        *,
        event_type: EventFrameType | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> AccountStoredEventsReply:
        """Stored events, newest first.

        sport: A sport, by slug
        since: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        before: Only events before this cursor: the previous page's `next_before`
        """
        reply: AccountStoredEventsReply = self._call("GET", "/v1/account/stored-events", {"event_type": event_type, "sport": sport, "tournament": tournament, "match_id": match_id, "since": since, "before": before, "limit": limit})
        return reply

    def account_stored_events_pages(
        self,
        *,
        event_type: EventFrameType | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> Iterator[AccountStoredEventsReply]:
        """Yields this page of `account_stored_events` and all following ones."""
        return self._pages("/v1/account/stored-events", {"event_type": event_type, "sport": sport, "tournament": tournament, "match_id": match_id, "since": since, "before": before, "limit": limit})

    def account_stored_events_all(
        self,
        *,
        event_type: EventFrameType | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> Iterator[StoredEvent]:
        """Yields the events of `account_stored_events`, from this page and all following ones."""
        return self._items("events", "/v1/account/stored-events", {"event_type": event_type, "sport": sport, "tournament": tournament, "match_id": match_id, "since": since, "before": before, "limit": limit})

    def account_stored_event(
        self,
        id: int,
    ) -> StoredEventDetail:
        """A stored event, by its cursor, and how the account's subscriptions got it."""
        reply: StoredEventDetail = self._call("GET", "/v1/account/stored-event/{id}", {"id": id})
        return reply

    def post_account_webhook_send(
        self,
        id: int,
        *,
        body: PostAccountWebhookSendBody,
        idempotency_key: str | None = None,
    ) -> PostAccountWebhookSendReply:
        """Send one stored event to a subscription."""
        reply: PostAccountWebhookSendReply = self._call("POST", "/v1/account/webhooks/{id}/send", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    def post_account_trigger(
        self,
        *,
        body: PostAccountTriggerBody,
        idempotency_key: str | None = None,
    ) -> PostAccountTriggerReply:
        """Send a sample event to the open streams of the account."""
        reply: PostAccountTriggerReply = self._call("POST", "/v1/account/trigger", {}, body=body, idempotency_key=idempotency_key)
        return reply

    def stream_replay(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
        where: str | Sequence[str] | None = None,
        delay: int | None = None,
    ) -> StreamReplayReply:
        """Events after a cursor.

        since: The cursor after which events are wanted
        sport: Sports by slug, comma-separated
        league: Tournament ids, comma-separated
        event_type: Event types; `match.*` for all of a kind, comma-separated
        where: Conditions on fields that an event has to meet all, such as `data.match.minute>=80` or `data.incident.kind in goal|card` (`=`, `in`, `>=`, `<=`, `exists`), comma-separated
        delay: How many seconds after an event you get it, so that a score does not arrive before the television shows it
        """
        reply: StreamReplayReply = self._call("GET", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type, "where": where, "delay": delay})
        return reply

    def stream_replay_pages(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
        where: str | Sequence[str] | None = None,
        delay: int | None = None,
    ) -> Iterator[StreamReplayReply]:
        """Yields this page of `stream_replay` and all following ones."""
        return self._pages("/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type, "where": where, "delay": delay})

    def stream_replay_all(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
        where: str | Sequence[str] | None = None,
        delay: int | None = None,
    ) -> Iterator[EventFrame]:
        """Yields the events of `stream_replay`, from this page and all following ones."""
        return self._items("events", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type, "where": where, "delay": delay})


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
        *,
        fields: str | Sequence[str] | None = None,
    ) -> SportsReply:
        """All sports.

        fields: Only these members of each item of `sports`, comma-separated. The entity tag changes only if one of them does
        """
        reply: SportsReply = await self._call("GET", "/v1/sports", {"fields": fields})
        return reply

    async def countries(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> CountriesReply:
        """Countries with the number of leagues.

        sport: A sport, by slug
        fields: Only these members of each item of `countries`, comma-separated. The entity tag changes only if one of them does
        """
        reply: CountriesReply = await self._call("GET", "/v1/countries", {"sport": sport, "fields": fields})
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
        fields: str | Sequence[str] | None = None,
    ) -> TournamentsReply:
        """Leagues and cups, most important first; with `q` the best match first.

        ids: Up to 100 tournaments; unknown ids are left out
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        q: A name or abbreviation, in English or Russian; matched like participants, see /v1/participants/search
        fields: Only these members of each item of `tournaments`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentsReply = await self._call("GET", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset, "fields": fields})
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
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[TournamentsReply]:
        """Yields this page of `tournaments` and all following ones."""
        return self._pages("/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset, "fields": fields})

    def tournaments_all(
        self,
        *,
        ids: int | Sequence[int] | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Tournament]:
        """Yields the tournaments of `tournaments`, from this page and all following ones."""
        return self._items("tournaments", "/v1/tournaments", {"ids": ids, "sport": sport, "country": country, "q": q, "limit": limit, "offset": offset, "fields": fields})

    async def tournament(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TournamentDetail:
        """One tournament with the current season.

        external_ids: Adds `external_ids`: the ids at each provider
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentDetail = await self._call("GET", "/v1/tournament/{id}", {"id": id, "external_ids": external_ids, "fields": fields})
        return reply

    async def tournament_seasons(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> TournamentSeasonsReply:
        """A tournament's seasons, newest first.

        fields: Only these members of each item of `seasons`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentSeasonsReply = await self._call("GET", "/v1/tournament/{id}/seasons", {"id": id, "fields": fields})
        return reply

    async def participants(
        self,
        *,
        ids: int | Sequence[int],
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantsReply:
        """Teams and players by id.

        ids: Up to 100 participants
        fields: Only these members of each item of `participants`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantsReply = await self._call("GET", "/v1/participants", {"ids": ids, "fields": fields})
        return reply

    async def participants_search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        type: Literal["team", "player", "referee", "coach"] | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantsSearchReply:
        """Teams, players, referees and coaches by name, best first.

        sport: A sport, by slug
        fields: Only these members of each item of `participants`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantsSearchReply = await self._call("GET", "/v1/participants/search", {"q": q, "sport": sport, "type": type, "limit": limit, "fields": fields})
        return reply

    async def search(
        self,
        *,
        q: str,
        sport: SportParam | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> SearchReply:
        """Teams, players, referees, coaches and tournaments by name, best first.

        sport: A sport, by slug
        fields: Only these members of each item of `results`, comma-separated. The entity tag changes only if one of them does
        """
        reply: SearchReply = await self._call("GET", "/v1/search", {"q": q, "sport": sport, "limit": limit, "fields": fields})
        return reply

    async def map(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        provider: str,
        ids: str | Sequence[str],
        fields: str | Sequence[str] | None = None,
    ) -> MapReply:
        """Our ids by a provider's ids.

        ids: Up to 100 of the provider's ids
        fields: Only these members of each item of `external_ids`, comma-separated. The entity tag changes only if one of them does
        """
        reply: MapReply = await self._call("GET", "/v1/map", {"type": type, "provider": provider, "ids": ids, "fields": fields})
        return reply

    async def external_ids(
        self,
        *,
        type: Literal["tournament", "team", "player", "match", "venue"],
        ids: int | Sequence[int],
        provider: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ExternalIdsReply:
        """Providers' ids by our ids.

        provider: Only ids of this provider
        fields: Only these members of each item of `external_ids`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ExternalIdsReply = await self._call("GET", "/v1/external-ids", {"type": type, "ids": ids, "provider": provider, "fields": fields})
        return reply

    async def participant(
        self,
        id: int,
        *,
        external_ids: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantDetail:
        """A team, player, referee or coach.

        external_ids: Adds `external_ids`: the ids at each provider
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantDetail = await self._call("GET", "/v1/participant/{id}", {"id": id, "external_ids": external_ids, "fields": fields})
        return reply

    async def participant_events(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ParticipantEventsReply:
        """A team's or player's matches.

        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ParticipantEventsReply = await self._call("GET", "/v1/participant/{id}/events", {"id": id, "when": when, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def participant_events_pages(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[ParticipantEventsReply]:
        """Yields this page of `participant_events` and all following ones."""
        return self._pages("/v1/participant/{id}/events", {"id": id, "when": when, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    def participant_events_all(
        self,
        id: int,
        *,
        when: Literal["past", "upcoming", "all"] | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[ParticipantMatch]:
        """Yields the events of `participant_events`, from this page and all following ones."""
        return self._items("events", "/v1/participant/{id}/events", {"id": id, "when": when, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    async def reference_event_types(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ReferenceEventTypesReply:
        """Event types of streams, replay and webhooks.

        sport: A sport, by slug
        fields: Only these members of each item of `event_types`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ReferenceEventTypesReply = await self._call("GET", "/v1/reference/event-types", {"sport": sport, "fields": fields})
        return reply

    async def reference_incident_kinds(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ReferenceIncidentKindsReply:
        """Incident kinds.

        sport: A sport, by slug
        fields: Only these members of each item of `incident_kinds`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ReferenceIncidentKindsReply = await self._call("GET", "/v1/reference/incident-kinds", {"sport": sport, "fields": fields})
        return reply

    async def reference_statuses(
        self,
        *,
        sport: SportParam | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> ReferenceStatusesReply:
        """Values of status and status_detail.

        sport: A sport, by slug
        fields: Only these members of each item of `statuses`, comma-separated. The entity tag changes only if one of them does
        """
        reply: ReferenceStatusesReply = await self._call("GET", "/v1/reference/statuses", {"sport": sport, "fields": fields})
        return reply

    async def post_resolve(
        self,
        *,
        body: ResolveRequest,
        idempotency_key: str | None = None,
    ) -> ResolveReply:
        """Our ids by any provider's ids, or by names."""
        reply: ResolveReply = await self._call("POST", "/v1/resolve", {}, body=body, idempotency_key=idempotency_key)
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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> EventsReply:
        """Matches by id, date, status, tournament, season, round or participant.

        ids: Up to 100 matches; unknown ids are left out
        sport: One or several sports, by slug
        date: Start day in the time zone `tz`; a match without a time has one day in every zone
        tz: Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC
        status_detail: `awaiting_data`: long past the start, or live and silent, without a result
        top: Only important tournaments, no amateur or youth ones
        tournament: One tournament or several
        round: Number or name of a round, in any case
        country: The tournament's country
        participant: One participant or several
        from_: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        to: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        updated_since: Only matches that changed at this time or later; `/v1/sync` follows all changes without omissions
        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        after: The previous page's `next_after`, instead of `offset`, so that inserted matches do not make pages repeat or skip matches
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: EventsReply = await self._call("GET", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "blocks": blocks, "limit": limit, "offset": offset, "after": after, "fields": fields})
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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[EventsReply]:
        """Yields this page of `events` and all following ones."""
        return self._pages("/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "blocks": blocks, "limit": limit, "offset": offset, "after": after, "fields": fields})

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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Match]:
        """Yields the events of `events`, from this page and all following ones."""
        return self._items("events", "/v1/events", {"ids": ids, "sport": sport, "date": date, "tz": tz, "status": status, "status_detail": status_detail, "top": top, "min_importance": min_importance, "tournament": tournament, "season": season, "round": round, "country": country, "participant": participant, "from": from_, "to": to, "updated_since": updated_since, "order": order, "blocks": blocks, "limit": limit, "offset": offset, "after": after, "fields": fields})

    async def events_live(
        self,
        *,
        sport: SportParam | None = None,
        tournament: int | None = None,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> EventsLiveReply:
        """Live matches.

        sport: A sport, by slug
        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        limit: With `blocks` the default is 100
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: EventsLiveReply = await self._call("GET", "/v1/events/live", {"sport": sport, "tournament": tournament, "blocks": blocks, "limit": limit, "fields": fields})
        return reply

    async def event(
        self,
        id: int,
        *,
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        external_ids: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> MatchDetail:
        """Match detail.

        blocks: Only these detail blocks; the match fields are always returned. At least one, by its exact name: an empty value or an unknown block is an error, a repeated block counts once
        external_ids: Adds `external_ids`: the ids at each provider
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: MatchDetail = await self._call("GET", "/v1/event/{id}", {"id": id, "blocks": blocks, "external_ids": external_ids, "fields": fields})
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
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> HeadToHead:
        """Meetings of two teams, or of two players of a sport without teams.

        participants: Two ids, comma-separated
        blocks: Adds these detail blocks to each match. A list has at most 100 matches then, and costs 1, and 1 more for each 10 matches or part of them
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: HeadToHead = await self._call("GET", "/v1/h2h", {"participants": participants, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def h2h_pages(
        self,
        *,
        participants: int | Sequence[int],
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[HeadToHead]:
        """Yields this page of `h2h` and all following ones."""
        return self._pages("/v1/h2h", {"participants": participants, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    def h2h_all(
        self,
        *,
        participants: int | Sequence[int],
        blocks: BlocksParam | Sequence[BlocksParam] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Match]:
        """Yields the events of `h2h`, from this page and all following ones."""
        return self._items("events", "/v1/h2h", {"participants": participants, "blocks": blocks, "limit": limit, "offset": offset, "fields": fields})

    async def odds(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        market: str | None = None,
        bookmaker: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> OddsReply:
        """The odds of a day's matches.

        date: Start day, as in `/v1/events`
        tz: Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC
        sport: A sport, by slug
        tournament: One tournament or several
        market: Name or group of a market, in any case
        bookmaker: Name of a bookmaker, in any case
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: OddsReply = await self._call("GET", "/v1/odds", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "market": market, "bookmaker": bookmaker, "fields": fields})
        return reply

    def odds_pages(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        market: str | None = None,
        bookmaker: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[OddsReply]:
        """Yields this page of `odds` and all following ones."""
        return self._pages("/v1/odds", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "market": market, "bookmaker": bookmaker, "fields": fields})

    def odds_all(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        market: str | None = None,
        bookmaker: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Match]:
        """Yields the events of `odds`, from this page and all following ones."""
        return self._items("events", "/v1/odds", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "market": market, "bookmaker": bookmaker, "fields": fields})

    async def tv(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        country: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TvReply:
        """The television channels of a day's matches.

        date: Start day, as in `/v1/events`
        tz: Time zone of `date`: an IANA name, in any case; no offset such as `+03:00`. Default: UTC
        sport: A sport, by slug
        tournament: One tournament or several
        country: Only matches that are shown there, with the channels of that country
        fields: Only these members of each item of `events`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TvReply = await self._call("GET", "/v1/tv", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "country": country, "fields": fields})
        return reply

    def tv_pages(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        country: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[TvReply]:
        """Yields this page of `tv` and all following ones."""
        return self._pages("/v1/tv", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "country": country, "fields": fields})

    def tv_all(
        self,
        *,
        date: str | date,
        tz: str | None = None,
        sport: SportParam | None = None,
        tournament: int | Sequence[int] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        country: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Match]:
        """Yields the events of `tv`, from this page and all following ones."""
        return self._items("events", "/v1/tv", {"date": date, "tz": tz, "sport": sport, "tournament": tournament, "limit": limit, "offset": offset, "country": country, "fields": fields})

    async def tournament_standings(
        self,
        id: int,
        *,
        type: Literal["total", "home", "away", "form"] | None = None,
        grouping: Literal["division", "conference", "wild_card", "overall"] | None = None,
        season: int | str | None = None,
        date: str | date | None = None,
        tz: str | None = None,
        round: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Standings:
        """Season table.

        grouping: For seasons with conferences; default: the first of the `groupings` of the reply
        season: Season id; default: the current season
        date: The table at the end of this day, with the matches that had begun; each row has its `movement`
        tz: Time zone of `date`, an IANA name. Default: UTC
        round: The table after this round (number, or name in any case), with all matches of the rounds until then, whenever they were played; each row has its `movement`. Deductions count if they were decided before the round. Not with `date`
        fields: Only these members of each item of `table`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Standings = await self._call("GET", "/v1/tournament/{id}/standings", {"id": id, "type": type, "grouping": grouping, "season": season, "date": date, "tz": tz, "round": round, "fields": fields})
        return reply

    async def tournament_standings_history(
        self,
        id: int,
        *,
        season: int | str | None = None,
        grouping: Literal["division", "conference", "wild_card", "overall"] | None = None,
        participant: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> StandingsHistory:
        """Places and points from round to round.

        season: Season id; default: the current season
        participant: Only the rows of this side
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: StandingsHistory = await self._call("GET", "/v1/tournament/{id}/standings/history", {"id": id, "season": season, "grouping": grouping, "participant": participant, "fields": fields})
        return reply

    async def tournament_scorers(
        self,
        id: int,
        *,
        season: int | str | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Scorers:
        """A season's top scorers.

        season: Season id; default: the current season
        fields: Only these members of each item of `scorers`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Scorers = await self._call("GET", "/v1/tournament/{id}/scorers", {"id": id, "season": season, "limit": limit, "fields": fields})
        return reply

    async def tournament_bracket(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Bracket:
        """A season's knock-out rounds.

        season: Season id; default: the current season
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: Bracket = await self._call("GET", "/v1/tournament/{id}/bracket", {"id": id, "season": season, "fields": fields})
        return reply

    async def tournament_rounds(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Rounds:
        """A season's rounds.

        season: Season id; default: the current season
        fields: Only these members of each item of `rounds`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Rounds = await self._call("GET", "/v1/tournament/{id}/rounds", {"id": id, "season": season, "fields": fields})
        return reply

    async def participant_statistics(
        self,
        id: int,
        *,
        season: int | str | None = None,
        tournament: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Statistics:
        """A team's or player's statistics by season.

        season: Only this season
        tournament: Only seasons of this tournament
        fields: Only these members of each item of `statistics`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Statistics = await self._call("GET", "/v1/participant/{id}/statistics", {"id": id, "season": season, "tournament": tournament, "fields": fields})
        return reply

    async def participant_squad(
        self,
        id: int,
        *,
        season_label: str | None = None,
        season: int | str | None = None,
        tournament: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Squad:
        """A team's squad in a season.

        season_label: As in `season_labels`; default: the newest season with known players
        season: Only this season of a competition, as in `competitions`
        tournament: Only this competition; the default season is its newest
        fields: Only these members of each item of `squad`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Squad = await self._call("GET", "/v1/participant/{id}/squad", {"id": id, "season_label": season_label, "season": season, "tournament": tournament, "fields": fields})
        return reply

    async def participant_missing(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> Missing:
        """A team's injured and suspended players, or whether a player is injured or suspended.

        fields: Only these members of each item of `missing`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Missing = await self._call("GET", "/v1/participant/{id}/missing", {"id": id, "fields": fields})
        return reply

    async def tournament_missing(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TournamentMissing:
        """Injured and suspended players of all teams in a season.

        season: Season id; default: the current season
        fields: Only these members of each item of `missing`, comma-separated. The entity tag changes only if one of them does
        """
        reply: TournamentMissing = await self._call("GET", "/v1/tournament/{id}/missing", {"id": id, "season": season, "fields": fields})
        return reply

    async def tournament_leaders(
        self,
        id: int,
        *,
        stat: StatParam | None = None,
        season: int | str | None = None,
        limit: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Leaders:
        """A season's leading players by a figure.

        stat: Default: the sport's first figure, `goals` or (in cricket) `runs`
        season: Season id; default: the current season
        fields: Only these members of each item of `leaders`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Leaders = await self._call("GET", "/v1/tournament/{id}/leaders", {"id": id, "stat": stat, "season": season, "limit": limit, "fields": fields})
        return reply

    async def rankings(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Rankings:
        """A ranking of teams or players.

        date: Default: today
        fields: Only these members of each item of `rankings`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Rankings = await self._call("GET", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def rankings_pages(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Rankings]:
        """Yields this page of `rankings` and all following ones."""
        return self._pages("/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset, "fields": fields})

    def rankings_all(
        self,
        *,
        kind: KindParam,
        date: str | date | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[RankingEntry]:
        """Yields the rankings of `rankings`, from this page and all following ones."""
        return self._items("rankings", "/v1/rankings", {"kind": kind, "date": date, "limit": limit, "offset": offset, "fields": fields})

    async def participant_rating(
        self,
        id: int,
        *,
        from_: str | date | None = None,
        to: str | date | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Ratings:
        """A team's Elo rating over time.

        from_: First day
        to: Last day
        fields: Only these members of each item of `ratings`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Ratings = await self._call("GET", "/v1/participant/{id}/rating", {"id": id, "from": from_, "to": to, "fields": fields})
        return reply

    async def participant_transfers(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Transfers:
        """A player's or a team's transfers.

        fields: Only these members of each item of `transfers`, comma-separated. The entity tag changes only if one of them does
        """
        reply: Transfers = await self._call("GET", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def participant_transfers_pages(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Transfers]:
        """Yields this page of `participant_transfers` and all following ones."""
        return self._pages("/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset, "fields": fields})

    def participant_transfers_all(
        self,
        id: int,
        *,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Transfer]:
        """Yields the transfers of `participant_transfers`, from this page and all following ones."""
        return self._items("transfers", "/v1/participant/{id}/transfers", {"id": id, "limit": limit, "offset": offset, "fields": fields})

    async def venues(
        self,
        *,
        q: str | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> VenuesReply:
        """Venues, most matches first.

        q: The beginnings of words of the name, of another name, or of the city, in any order
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        fields: Only these members of each item of `venues`, comma-separated. The entity tag changes only if one of them does
        """
        reply: VenuesReply = await self._call("GET", "/v1/venues", {"q": q, "country": country, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def venues_pages(
        self,
        *,
        q: str | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[VenuesReply]:
        """Yields this page of `venues` and all following ones."""
        return self._pages("/v1/venues", {"q": q, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def venues_all(
        self,
        *,
        q: str | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Venue]:
        """Yields the venues of `venues`, from this page and all following ones."""
        return self._items("venues", "/v1/venues", {"q": q, "country": country, "limit": limit, "offset": offset, "fields": fields})

    async def venue(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> VenueDetail:
        """A venue: names, city, capacity, coordinates, teams and matches.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: VenueDetail = await self._call("GET", "/v1/venue/{id}", {"id": id, "fields": fields})
        return reply

    async def referees(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> RefereesReply:
        """Referees and umpires, most matches first.

        q: The beginnings of words of the name, in any order. Accents, alphabet and transliteration do not matter
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        fields: Only these members of each item of `referees`, comma-separated. The entity tag changes only if one of them does
        """
        reply: RefereesReply = await self._call("GET", "/v1/referees", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def referees_pages(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[RefereesReply]:
        """Yields this page of `referees` and all following ones."""
        return self._pages("/v1/referees", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def referees_all(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Staff]:
        """Yields the referees of `referees`, from this page and all following ones."""
        return self._items("referees", "/v1/referees", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    async def referee(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> RefereeDetail:
        """A referee: matches, and cards and penalties per match, by season and tournament.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: RefereeDetail = await self._call("GET", "/v1/referee/{id}", {"id": id, "fields": fields})
        return reply

    async def coaches(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> CoachesReply:
        """Coaches, most matches first.

        q: The beginnings of words of the name, in any order. Accents, alphabet and transliteration do not matter
        sport: A sport, by slug
        country: ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international
        fields: Only these members of each item of `coaches`, comma-separated. The entity tag changes only if one of them does
        """
        reply: CoachesReply = await self._call("GET", "/v1/coaches", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})
        return reply

    def coaches_pages(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[CoachesReply]:
        """Yields this page of `coaches` and all following ones."""
        return self._pages("/v1/coaches", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    def coaches_all(
        self,
        *,
        q: str | None = None,
        sport: SportParam | None = None,
        country: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Staff]:
        """Yields the coaches of `coaches`, from this page and all following ones."""
        return self._items("coaches", "/v1/coaches", {"q": q, "sport": sport, "country": country, "limit": limit, "offset": offset, "fields": fields})

    async def coach(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> CoachDetail:
        """A coach: clubs by season, with the record.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: CoachDetail = await self._call("GET", "/v1/coach/{id}", {"id": id, "fields": fields})
        return reply

    async def event_analytics(
        self,
        id: int,
        *,
        sample: Literal["season", "window", "all"] | None = None,
        explain: bool | None = None,
        lang: Literal["en", "ru"] | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Analytics:
        """Pre-match analytics.

        sample: Sample of the form. season: matches of the same tournament and season; window: matches of the tournament in the last 913 days; all: matches of all tournaments
        explain: true or false; 1 and 0 are accepted as well
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: Analytics = await self._call("GET", "/v1/event/{id}/analytics", {"id": id, "sample": sample, "explain": explain, "lang": lang, "fields": fields})
        return reply

    async def participant_trends(
        self,
        id: int,
        *,
        last: int | None = None,
        scope: Literal["season", "all"] | None = None,
        lang: Literal["en", "ru"] | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> TeamTrends:
        """A side's form and trends.

        last: Number of matches in `last_n` and `recent`
        scope: season: matches of the newest league season of the side; all: matches of all competitions in the last 913 days
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: TeamTrends = await self._call("GET", "/v1/participant/{id}/trends", {"id": id, "last": last, "scope": scope, "lang": lang, "fields": fields})
        return reply

    async def tournament_profile(
        self,
        id: int,
        *,
        season: int | str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> LeagueProfile:
        """League profile.

        season: Season id; default: the last 913 days
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: LeagueProfile = await self._call("GET", "/v1/tournament/{id}/profile", {"id": id, "season": season, "fields": fields})
        return reply

    async def tournament_outlook(
        self,
        id: int,
        *,
        season: int | str | None = None,
        history: bool | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> Outlook:
        """Season outlook.

        season: Season id; default: the current season
        history: true or false; 1 and 0 are accepted as well
        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: Outlook = await self._call("GET", "/v1/tournament/{id}/outlook", {"id": id, "season": season, "history": history, "fields": fields})
        return reply

    async def event_odds_history(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> OddsHistory:
        """History of prices.

        cursor: The previous page's `next_cursor`
        fields: Only these members of each item of `changes`, comma-separated. The entity tag changes only if one of them does
        """
        reply: OddsHistory = await self._call("GET", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor, "fields": fields})
        return reply

    def event_odds_history_pages(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[OddsHistory]:
        """Yields this page of `event_odds_history` and all following ones."""
        return self._pages("/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor, "fields": fields})

    def event_odds_history_all(
        self,
        id: int,
        *,
        market: str | None = None,
        bookmaker: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> AsyncIterator[OddsHistoryChanges]:
        """Yields the changes of `event_odds_history`, from this page and all following ones."""
        return self._items("changes", "/v1/event/{id}/odds/history", {"id": id, "market": market, "bookmaker": bookmaker, "limit": limit, "cursor": cursor, "fields": fields})

    async def event_probabilities(
        self,
        id: int,
        *,
        fields: str | Sequence[str] | None = None,
    ) -> MatchProbabilities:
        """Win probability with a timeline.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: MatchProbabilities = await self._call("GET", "/v1/event/{id}/probabilities", {"id": id, "fields": fields})
        return reply

    async def event_weather(
        self,
        id: int,
        *,
        lang: Literal["en", "ru"] | None = None,
        fields: str | Sequence[str] | None = None,
    ) -> MatchWeather:
        """Weather at the kick-off.

        fields: Only these members of the reply, comma-separated. The entity tag changes only if one of them does
        """
        reply: MatchWeather = await self._call("GET", "/v1/event/{id}/weather", {"id": id, "lang": lang, "fields": fields})
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

    async def account_events(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AccountEventsReply:
        """The account's audit log after a cursor.

        cursor: The previous reply's `next_cursor`
        """
        reply: AccountEventsReply = await self._call("GET", "/v1/account/events", {"limit": limit, "cursor": cursor})
        return reply

    def account_events_pages(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AsyncIterator[AccountEventsReply]:
        """Yields this page of `account_events` and all following ones."""
        return self._pages("/v1/account/events", {"limit": limit, "cursor": cursor})

    def account_events_all(
        self,
        *,
        limit: int | None = None,
        cursor: int | None = None,
    ) -> AsyncIterator[AuditEvent]:
        """Yields the events of `account_events`, from this page and all following ones."""
        return self._items("events", "/v1/account/events", {"limit": limit, "cursor": cursor})

    async def account_members(
        self,
    ) -> AccountMembersReply:
        """The organisation's members."""
        reply: AccountMembersReply = await self._call("GET", "/v1/account/members", {})
        return reply

    async def account_member_invitations(
        self,
    ) -> AccountMemberInvitationsReply:
        """Open invitations to the organisation."""
        reply: AccountMemberInvitationsReply = await self._call("GET", "/v1/account/member-invitations", {})
        return reply

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
        body: PostAccountWebhooksBody | None = None,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookSubscription:
        """Create a webhook subscription."""
        reply: CreatedWebhookSubscription = await self._call("POST", "/v1/account/webhooks", {}, body=body, idempotency_key=idempotency_key)
        return reply

    async def post_account_webhooks_preview(
        self,
        *,
        body: PostAccountWebhooksPreviewBody | None = None,
        idempotency_key: str | None = None,
    ) -> FilterPreview:
        """Try a filter on the newest events."""
        reply: FilterPreview = await self._call("POST", "/v1/account/webhooks/preview", {}, body=body, idempotency_key=idempotency_key)
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

    async def post_account_webhook_delivery_skip(
        self,
        id: int,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookDeliveryDetail:
        """Give up a delivery that waits for a retry."""
        reply: WebhookDeliveryDetail = await self._call("POST", "/v1/account/webhooks/{id}/deliveries/{delivery_id}/skip", {"id": id, "delivery_id": delivery_id}, idempotency_key=idempotency_key)
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

    async def account_stored_events(
        self,
        *,
        event_type: EventFrameType | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> AccountStoredEventsReply:
        """Stored events, newest first.

        sport: A sport, by slug
        since: A time with a zone, or a day, which stands for the start of that day in UTC. The years 1 to 9999 (UTC) are accepted
        before: Only events before this cursor: the previous page's `next_before`
        """
        reply: AccountStoredEventsReply = await self._call("GET", "/v1/account/stored-events", {"event_type": event_type, "sport": sport, "tournament": tournament, "match_id": match_id, "since": since, "before": before, "limit": limit})
        return reply

    def account_stored_events_pages(
        self,
        *,
        event_type: EventFrameType | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[AccountStoredEventsReply]:
        """Yields this page of `account_stored_events` and all following ones."""
        return self._pages("/v1/account/stored-events", {"event_type": event_type, "sport": sport, "tournament": tournament, "match_id": match_id, "since": since, "before": before, "limit": limit})

    def account_stored_events_all(
        self,
        *,
        event_type: EventFrameType | None = None,
        sport: SportParam | None = None,
        tournament: int | None = None,
        match_id: int | None = None,
        since: str | date | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[StoredEvent]:
        """Yields the events of `account_stored_events`, from this page and all following ones."""
        return self._items("events", "/v1/account/stored-events", {"event_type": event_type, "sport": sport, "tournament": tournament, "match_id": match_id, "since": since, "before": before, "limit": limit})

    async def account_stored_event(
        self,
        id: int,
    ) -> StoredEventDetail:
        """A stored event, by its cursor, and how the account's subscriptions got it."""
        reply: StoredEventDetail = await self._call("GET", "/v1/account/stored-event/{id}", {"id": id})
        return reply

    async def post_account_webhook_send(
        self,
        id: int,
        *,
        body: PostAccountWebhookSendBody,
        idempotency_key: str | None = None,
    ) -> PostAccountWebhookSendReply:
        """Send one stored event to a subscription."""
        reply: PostAccountWebhookSendReply = await self._call("POST", "/v1/account/webhooks/{id}/send", {"id": id}, body=body, idempotency_key=idempotency_key)
        return reply

    async def post_account_trigger(
        self,
        *,
        body: PostAccountTriggerBody,
        idempotency_key: str | None = None,
    ) -> PostAccountTriggerReply:
        """Send a sample event to the open streams of the account."""
        reply: PostAccountTriggerReply = await self._call("POST", "/v1/account/trigger", {}, body=body, idempotency_key=idempotency_key)
        return reply

    async def stream_replay(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
        where: str | Sequence[str] | None = None,
        delay: int | None = None,
    ) -> StreamReplayReply:
        """Events after a cursor.

        since: The cursor after which events are wanted
        sport: Sports by slug, comma-separated
        league: Tournament ids, comma-separated
        event_type: Event types; `match.*` for all of a kind, comma-separated
        where: Conditions on fields that an event has to meet all, such as `data.match.minute>=80` or `data.incident.kind in goal|card` (`=`, `in`, `>=`, `<=`, `exists`), comma-separated
        delay: How many seconds after an event you get it, so that a score does not arrive before the television shows it
        """
        reply: StreamReplayReply = await self._call("GET", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type, "where": where, "delay": delay})
        return reply

    def stream_replay_pages(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
        where: str | Sequence[str] | None = None,
        delay: int | None = None,
    ) -> AsyncIterator[StreamReplayReply]:
        """Yields this page of `stream_replay` and all following ones."""
        return self._pages("/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type, "where": where, "delay": delay})

    def stream_replay_all(
        self,
        *,
        since: int,
        limit: int | None = None,
        sport: SportParam | Sequence[SportParam] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: EventTypeParam | Sequence[EventTypeParam] | None = None,
        where: str | Sequence[str] | None = None,
        delay: int | None = None,
    ) -> AsyncIterator[EventFrame]:
        """Yields the events of `stream_replay`, from this page and all following ones."""
        return self._items("events", "/v1/stream/replay", {"since": since, "limit": limit, "sport": sport, "league": league, "event_type": event_type, "where": where, "delay": delay})
