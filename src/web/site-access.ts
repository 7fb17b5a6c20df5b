/** Access to matches on our pages: everybody if the site is public, otherwise signed-in members. */
import type { Config } from '../config/config.ts';
import type { MemberPrincipal } from '../http/auth.ts';
import type { RouteInput } from '../http/route.ts';

type SiteConfig = Pick<Config, 'demo' | 'publicSite'>;

/** Member who views a non-public site; null if the site is public. */
export type SiteViewer = MemberPrincipal | null;

/**
 * @returns undefined for strangers on a non-public site, and for scripts of other sites: what pages show is for their
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
