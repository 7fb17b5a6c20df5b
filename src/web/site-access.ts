/** Access to the matches on our pages: for everybody if the site is public, for members who have signed in always. */
import type { Config } from '../config/config.ts';
import type { MemberPrincipal } from '../http/auth.ts';
import type { RouteInput } from '../http/route.ts';

type SiteConfig = Pick<Config, 'demo' | 'publicSite'>;

/** The member to whom a site that is not public is shown; null: the site is public. */
export type SiteViewer = MemberPrincipal | null;

/**
 * @returns undefined for a stranger to a site that is not public, and for a script of another site: what pages show is for their
 * readers, data is for keys
 */
export function findViewer(
  { demo, publicSite }: SiteConfig,
  { principal, headers, baseUrl }: Pick<RouteInput<unknown, unknown, unknown>, 'principal' | 'headers' | 'baseUrl'>,
): SiteViewer | undefined {
  if (headers.origin !== undefined && headers.origin !== new URL(baseUrl).origin) return undefined;
  if (demo || publicSite) return null;
  return principal?.kind === 'member' ? principal : undefined;
}
