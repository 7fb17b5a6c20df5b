/** The role `api` serves the REST routes of all features, and the pages. */
import { routes as accountRoutes } from '../accounts/api/routes.ts';
import { accountVariables, planVariables } from '../accounts/config.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import { openMail } from '../accounts/mail.ts';
import { createSignInLimits, PasswordHasher } from '../accounts/members/index.ts';
import { withinAccess } from '../accounts/plans/index.ts';
import { sendWindowNotice } from '../accounts/quota-mail.ts';
import { Providers, systemTxt } from '../accounts/single-sign-on/index.ts';
import { usageRoutes } from '../accounts/usage/index.ts';
import { agentVariables } from '../agents/config.ts';
import type { AgentDeps } from '../agents/deps.ts';
import { agentRoutes } from '../agents/routes.ts';
import { Cards } from '../analytics/cards/index.ts';
import { routes as analyticsRoutes } from '../analytics/routes.ts';
import { routes as calendarRoutes } from '../calendars/routes.ts';
import { routes as catalogueRoutes } from '../catalogue/routes.ts';
import { routes as competitionRoutes } from '../competitions/routes.ts';
import { routes as guideRoutes } from '../guides/routes.ts';
import { bindRoutes, createBuckets, type RouteValue, type WindowNotice } from '../http/index.ts';
import { routes as matchRoutes } from '../matches/routes.ts';
import { createGuard } from '../outbound/index.ts';
import { routes as peopleRoutes } from '../people/routes.ts';
import { portalVariables } from '../portal/config.ts';
import type { PortalDeps } from '../portal/deps.ts';
import { openMatchPool } from '../portal/match-pool.ts';
import { routes as portalRoutes } from '../portal/routes.ts';
import { routes as rankingRoutes } from '../rankings/routes.ts';
import { routes as resolveRoutes } from '../resolve/routes.ts';
import { baseDeps, defineRole } from '../role.ts';
import { webhookMail } from '../site/texts/index.ts';
import { routes as statisticsRoutes } from '../statistics/routes.ts';
import { routes as transferRoutes } from '../transfers/routes.ts';
import { routes as weatherRoutes } from '../weather/routes.ts';
import { routes as webRoutes } from '../web/routes.ts';
import { routes as webhookRoutes } from '../webhooks/api/routes.ts';
import { webhookVariables } from '../webhooks/config.ts';
import { startNoticeMail } from '../webhooks/delivery/index.ts';
import type { WebhookDeps } from '../webhooks/deps.ts';
import { openDestinations, openSender } from '../webhooks/destinations/index.ts';
import { webhookPolicy } from '../webhooks/subscriptions/index.ts';
import { widgetVariables } from '../widgets/config.ts';
import type { WidgetDeps } from '../widgets/deps.ts';
import { routes as widgetRoutes } from '../widgets/routes.ts';

type ApiDeps = WidgetDeps & AccountDeps & WebhookDeps & AgentDeps & Pick<PortalDeps, 'matchPool'>;

/** Routes whose statements only read what is public or in every plan, so that a read replica may answer them. */
const dataRoutes: readonly RouteValue<ApiDeps>[] = withinAccess<ApiDeps>([
  ...catalogueRoutes,
  ...resolveRoutes,
  ...matchRoutes,
  ...competitionRoutes,
  ...statisticsRoutes,
  ...rankingRoutes,
  ...transferRoutes,
  ...peopleRoutes,
  ...analyticsRoutes,
  ...weatherRoutes,
]);
/** Routes with pages. A replica may answer what they read by `reads`, but not what they read about members. */
const pageRoutes: readonly RouteValue<ApiDeps>[] = withinAccess<ApiDeps>([
  ...webRoutes,
  ...widgetRoutes,
  ...calendarRoutes,
]);
const accountsRoutes: readonly RouteValue<ApiDeps>[] = withinAccess<ApiDeps>([
  ...accountRoutes,
  ...usageRoutes,
  ...portalRoutes,
  ...webhookRoutes,
  ...guideRoutes,
]);
const ownRoutes = [...pageRoutes, ...dataRoutes, ...accountsRoutes];
const toolRoutes = agentRoutes(ownRoutes);
const routes: readonly RouteValue<ApiDeps>[] = [...ownRoutes, ...toolRoutes];

/** Binds the routes, so that each reads from a replica what it may. */
function bindByStore(deps: ApiDeps): RouteValue<unknown>[] {
  const { router } = deps;
  if (router === undefined) return bindRoutes(routes, deps);
  const { pool, reads } = router;
  return [
    ...bindRoutes(pageRoutes, { ...deps, reads }),
    ...bindRoutes(dataRoutes, { ...deps, pool, reads, positions: router, onPrimary: router.primary }),
    ...bindRoutes([...accountsRoutes, ...toolRoutes], deps),
  ];
}

export const api = defineRole({
  name: 'api',
  summary: 'REST, the pages and the documentation',
  variables: {
    ...widgetVariables,
    ...accountVariables,
    ...planVariables,
    ...webhookVariables,
    ...agentVariables,
    ...portalVariables,
  },
  secrets: ['secretKeys'],
  connections: 20,
  needs: ['clickhouse', 'lateEventLog'],
  usesReplicas: true,
  routes,
  start: async (context) => {
    const { config, clickhouse, clock, logger, plans, lateEventLog: log } = context;
    const mail = await openMail(config, logger);
    const signInLimits = createSignInLimits(() => clock.now());
    const passwords = await PasswordHasher.open();
    const guard = createGuard({ allow: config.webhookAllow });
    const sender = openSender({ guard });
    const destinations = openDestinations({ guard, sender });
    const hostBuckets = createBuckets(() => clock.now());
    const webhooks = { guard, sender, destinations, policy: webhookPolicy(config), hostBuckets };
    const cards = new Cards(context);
    const matchPool = openMatchPool(config, logger);
    const deps = {
      ...baseDeps(context),
      ...webhooks,
      config,
      plans,
      clickhouse,
      cards,
      mail,
      passwords,
      signInLimits,
      providers: new Providers(guard),
      readTxt: systemTxt(),
      log,
      matchPool: matchPool ?? context.pool,
    };
    return {
      routes: bindByStore(deps),
      ...(mail.isConfigured && {
        notifyWindow: (notice: WindowNotice) =>
          sendWindowNotice(context.pool, mail, notice, config.baseUrl && `${config.baseUrl}/account/usage`),
      }),
      ...(mail.isConfigured && {
        serving() {
          const notices = startNoticeMail({ pool: context.pool, clock, mail, write: webhookMail }, logger);
          return () => notices.stop();
        },
      }),
      async stop() {
        sender.close();
        destinations.close();
        await matchPool?.end();
        await mail.close();
      },
    };
  },
});
