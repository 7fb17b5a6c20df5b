/**
 * Handles requests to switch protocols. They are authenticated and checked like any request, and then passed to the
 * route.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Addresses } from './address.ts';
import { Problem, toProblem } from './errors.ts';
import type { LogRequest } from './request-log.ts';
import { type RecordRequest, RequestRecord } from './request-record.ts';
import type { Found } from './route-finder.ts';
import type { RouteRunner } from './run-route.ts';
import type { TakeUpgrade } from './upgrade.ts';

const SWITCHING_PROTOCOLS = 101;

/** A listener that keeps no objects in memory. */
function destroySelf(this: Duplex): void {
  this.destroy();
}

interface UpgradeOptions<D> {
  deps: D;
  logger: Logger;
  addresses: Addresses;
  find: (path: string) => Found<D> | null;
  runner: RouteRunner<D>;
  record: RecordRequest;
  logRequest: LogRequest;
}

export function createUpgradeTaker<D>(options: UpgradeOptions<D>): TakeUpgrade {
  const { deps, logger, addresses, find, runner, record, logRequest } = options;

  /** Returns null if the route at this path does not offer the protocol. The request is then answered as usual. */
  function offerFor(request: IncomingMessage, facts: RequestRecord) {
    try {
      facts.readAddress(request, addresses);
    } catch {
      return null;
    }
    const found = find(facts.path);
    const prepared = found?.resource.byMethod.get(request.method!);
    const upgrade = prepared?.route.upgrade;
    if (upgrade === undefined || upgrade.protocol !== request.headers.upgrade?.toLowerCase()) return null;
    facts.matched(found!.resource.path);
    return { prepared: prepared!, params: found!.params, take: upgrade.take };
  }

  return (connection) => {
    const { request, socket } = connection;
    const facts = new RequestRecord(request);
    const offer = offerFor(request, facts);
    if (offer === null) return false;
    // Removed once the new protocol has its own listener.
    socket.on('error', destroySelf);
    runner
      .admit(request, offer.prepared, offer.params, facts)
      .catch(toProblem)
      .then((input) => {
        const failed = input instanceof Problem;
        const cause = failed && input.status >= 500 ? (input.options.cause ?? input) : undefined;
        const status = failed ? input.status : SWITCHING_PROTOCOLS;
        record(facts, status);
        if (facts.trace === null) logRequest(request, status, facts, cause);
        else facts.trace.end(status, () => logRequest(request, status, facts, cause));
        const headers = failed
          ? Object.entries(input.options.headers ?? {}).filter(([name]) => name.startsWith('RateLimit'))
          : facts.limitHeaders;
        offer.take({ ...connection, headers }, input, deps);
      })
      .catch((error: unknown) => {
        logger.error({ err: error }, 'protocol upgrade failed, closing the connection');
        socket.destroy();
      });
    return true;
  };
}
