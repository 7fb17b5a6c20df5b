/** CORS headers, by which any origin may read without credentials. */
import cors from '@koa/cors';
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
];
const PREFLIGHT_SECONDS = DAY_SECONDS;

/** Sets the CORS headers. Authentication (auth.ts) checks a publishable key's origins. */
export const corsHeaders = cors({
  origin: '*',
  exposeHeaders: EXPOSED,
  allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  maxAge: PREFLIGHT_SECONDS,
  keepHeadersOnError: false,
});
