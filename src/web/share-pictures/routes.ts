/** Routes for the pictures that chat programs show beside shared links. */
import { z } from 'zod';
import { DRAWINGS_VERSION } from '../../catalogue/index.ts';
import { idParam, idParams, type Lang, oneValue, Problem, type Reply, type RouteValue } from '../../http/index.ts';
import { findMatchVersion } from '../../matches/index.ts';
import { participantVersion, tournamentVersion } from '../../statistics/index.ts';
import { matchTag, participantTag, tournamentTag } from '../../wire/cache-tags.ts';
import { DAY_SECONDS, utcDay } from '../../wire/time.ts';
import { cacheTags } from '../cache-tags.ts';
import { route, type WebDeps } from '../deps.ts';
import type { PageOptions } from '../page-options.ts';
import { type Asked, picture } from '../page-route.ts';
import { findViewer } from '../site-access.ts';
import type { Shown } from './address.ts';
import { matchPicture } from './match-picture.ts';
import { playerPicture, teamPicture, tournamentPicture } from './subject-pictures.ts';

/** For addresses with the current version. */
const CURRENT_MAX_AGE_SECONDS = 7 * DAY_SECONDS;
/**
 * A new picture takes 100 ms of processor time. With this limit, a visitor who requests one after another takes at most a tenth of a
 * core.
 */
const NEW_PICTURES = { requests: 20, seconds: 20 };

const query = z.object({
  v: z.string().max(200).optional(),
  c: z.string().max(20).optional(),
  language: oneValue(['en', 'ru']).default('en'),
  season: idParam.optional(),
});
type PictureQuery = z.infer<typeof query>;

type Options = Pick<PageOptions, 'lang' | 'now' | 'baseUrl'>;

interface Subject {
  summary: string;
  tag: (id: number) => string;
  /** Returns a version that changes with what the picture shows. @returns null for an unknown match */
  version: (deps: WebDeps, id: number, asked: PictureQuery, now: number) => Promise<string | number | null>;
  /** @returns null for an unknown subject */
  draw: (
    deps: WebDeps,
    id: number,
    season: { season?: number | undefined; version: string },
    options: Options,
  ) => Promise<Buffer | null>;
}

const SUBJECTS: Record<Shown['kind'], Subject> = {
  match: {
    summary: 'The picture of a match that chats show beside its link',
    tag: matchTag,
    version: ({ pool }, id) => findMatchVersion(pool, id),
    draw: ({ pool }, id, _, options) => matchPicture(pool, id, options),
  },
  team: {
    summary: 'The picture of a team that chats show beside its link',
    tag: participantTag,
    version: ({ reads }, id) => participantVersion(reads, id),
    draw: (deps, id, _, options) => teamPicture(deps, id, options),
  },
  player: {
    summary: 'The picture of a player that chats show beside its link',
    tag: participantTag,
    version: ({ reads }, id) => participantVersion(reads, id),
    draw: (deps, id, _, options) => playerPicture(deps, id, options),
  },
  tournament: {
    summary: 'The picture of a season that chats show beside its link',
    tag: tournamentTag,
    version: ({ reads }, id, { season }, now) => tournamentVersion(reads, id, season, utcDay(now)),
    draw: tournamentPicture,
  },
};

function pictureRoute(kind: Shown['kind']): RouteValue<WebDeps> {
  const { summary, tag, version: versionOf, draw } = SUBJECTS[kind];
  return route({
    ...picture,
    perAddress: { requests: 60, seconds: 60 },
    path: `/${kind}/{id}/share.png`,
    summary,
    params: idParams,
    query,
    response: { contentType: 'image/png' },
    handler: async ({ params: { id }, query: asked, ...input }: Asked<{ id: number }, PictureQuery>, deps) => {
      const unknown = () => new Problem('not_found', `There is no ${kind} ${id}.`);
      if (findViewer(deps.config, input) === undefined) throw unknown();
      const options: Options = { lang: asked.language as Lang, now: deps.clock.now(), baseUrl: input.baseUrl };
      const reply = await deps.caches.pages.get({
        key: `share ${kind} ${id} ${JSON.stringify([asked.language, asked.season, input.baseUrl])}`,
        match: kind === 'match' ? id : null,
        limit: NEW_PICTURES,
        isCurrent: async ({ version }) => version === (await versionOf(deps, id, asked, options.now)),
        make: async () => {
          const version = await versionOf(deps, id, asked, options.now);
          const season = { season: asked.season, version: String(version) };
          const body = version === null ? null : await draw(deps, id, season, options);
          if (version === null || body === null) throw unknown();
          return { body, version, etag: toEtag(version), ...cacheTags(deps.config, tag(id)) };
        },
      });
      return withMaxAge(reply, asked);
    },
  });
}

const toEtag = (version: string | number): string => `${version} ${DRAWINGS_VERSION}`;

/** An address with the current version is kept for long, and one with another version not at all. */
function withMaxAge(reply: Reply, { v, c }: PictureQuery): Reply {
  if (v === undefined) return reply;
  return { ...reply, maxAge: reply.etag === toEtag(`${v}`) && c === DRAWINGS_VERSION ? CURRENT_MAX_AGE_SECONDS : 0 };
}

export const sharePictureRoutes: RouteValue<WebDeps>[] = [
  pictureRoute('match'),
  pictureRoute('team'),
  pictureRoute('player'),
  pictureRoute('tournament'),
];
