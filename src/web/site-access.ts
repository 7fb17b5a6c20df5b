/** Decides who may see matches on pages: everybody if the site is public, only signed-in members otherwise. */
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/network.ts';
import type { MemberPrincipal, Reply, RouteInput } from '../http/index.ts';

type SiteConfig = Pick<Config, 'host' | 'publicSite'>;
type Asked = Pick<RouteInput<unknown, unknown, unknown>, 'principal' | 'headers' | 'baseUrl'>;

/** The member who views a non-public site; null if the site is public. */
export type SiteViewer = MemberPrincipal | null;

const isForeign = ({ headers, baseUrl }: Asked) =>
  headers.origin !== undefined && headers.origin !== new URL(baseUrl).origin;

/** Whether the site is public. By default, it is public if only this machine can reach it. */
export const isPublic = ({ host, publicSite }: SiteConfig): boolean => publicSite ?? isLoopback(host);

/**
 * @returns undefined for strangers on a non-public site, and for requests from scripts on other sites. Pages are for readers; programs have
 * to use a key
 */
export function findViewer(config: SiteConfig, asked: Asked): SiteViewer | undefined {
  if (isForeign(asked)) return undefined;
  if (isPublic(config)) return null;
  return asked.principal?.kind === 'member' ? asked.principal : undefined;
}

/**
 * Returns what a visitor gets instead of a page. Strangers are redirected to the sign-in form, which leads back to the page.
 * @param path page path, relative to the service's root
 * @param notFound returns the reply to scripts on other sites
 * @returns null if the visitor may see the page
 */
export function turnedAway(config: SiteConfig, asked: Asked, path: string, notFound: () => Reply): Reply | null {
  if (findViewer(config, asked) !== undefined) return null;
  if (isForeign(asked)) return notFound();
  const location = `${asked.baseUrl}/account/sign-in?next=${encodeURIComponent(path)}`;
  return { status: 303, body: '', headers: { Location: location } };
}
