/** Access to matches on pages. Everybody has it if the site is public, otherwise signed-in members. */
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/network.ts';
import type { MemberPrincipal, Reply, RouteInput } from '../http/index.ts';

type SiteConfig = Pick<Config, 'host' | 'publicSite'>;
type Asked = Pick<RouteInput<unknown, unknown, unknown>, 'principal' | 'headers' | 'baseUrl'>;

/** Member who views a non-public site; null if the site is public. */
export type SiteViewer = MemberPrincipal | null;

const isForeign = ({ headers, baseUrl }: Asked) =>
  headers.origin !== undefined && headers.origin !== new URL(baseUrl).origin;

/** The site is public by default if only this machine can reach it. */
export const isPublic = ({ host, publicSite }: SiteConfig): boolean => publicSite ?? isLoopback(host);

/**
 * @returns undefined for strangers on a non-public site, and for scripts from other sites, because what pages show is
 * for their readers, and data is for keys
 */
export function findViewer(config: SiteConfig, asked: Asked): SiteViewer | undefined {
  if (isForeign(asked)) return undefined;
  if (isPublic(config)) return null;
  return asked.principal?.kind === 'member' ? asked.principal : undefined;
}

/**
 * Returns what a visitor gets instead of a page. A stranger is led to the form to sign in, and from there back.
 * @param path page path from the service's root
 * @param notFound reply to scripts from other sites
 * @returns null if the visitor may see the page
 */
export function turnedAway(config: SiteConfig, asked: Asked, path: string, notFound: () => Reply): Reply | null {
  if (findViewer(config, asked) !== undefined) return null;
  if (isForeign(asked)) return notFound();
  const location = `${asked.baseUrl}/account/sign-in?next=${encodeURIComponent(path)}`;
  return { status: 303, body: '', headers: { Location: location } };
}
