/** CORS headers that let pages from any origin read replies, but without credentials. */
import cors from '@koa/cors';
import { POSITION_HEADER } from '../wire/position.ts';
import { DAY_SECONDS } from '../wire/time.ts';

const EXPOSED = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'X-Request-Id',
  'Link',
  'Deprecation',
  'Sunset',
  'Preference-Applied',
  'X-Ignored-Parameters',
  'Content-Language',
  POSITION_HEADER,
];
const PREFLIGHT_SECONDS = DAY_SECONDS;

/** Sets the CORS headers. The origins to which a publishable key is bound are checked in auth.ts. */
export const corsHeaders = cors({
  origin: '*',
  exposeHeaders: EXPOSED,
  allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  maxAge: PREFLIGHT_SECONDS,
  keepHeadersOnError: false,
});
