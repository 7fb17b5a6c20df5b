/**
 * A namespace on the shared control plane for the tests in one suite, with all kinds of objects that the chart can
 * create.
 */
import { listOf, prepareNamespace } from './chart.ts';
import { type Kube, needKube, sharedKube, stopSharedKube } from './kube.ts';
import type { Resource } from './kube-api.ts';

/** Timeout for the first start, since the control plane's programs may have to be built. */
const BUILD_MS = 1_800_000;

export interface ChartNamespace {
  /** Available from the suite's first `before` on. */
  readonly kube: Kube;
  /**
   * Sends objects to the API server, which checks them against the real schemas.
   * @throws with the server's message about an object
   */
  dryRun(resources: Resource[]): Promise<string>;
}

/** Registers the suite's hooks. Without a control plane, the suite is skipped with a message. */
export function chartNamespace(name: string): ChartNamespace {
  let kube: Kube | undefined;
  before(async function () {
    this.timeout(BUILD_MS);
    needKube(this);
    kube = await sharedKube();
    await prepareNamespace(kube, name);
  });
  after(async () => {
    await kube?.kubectl(['delete', 'namespace', name, '--wait=false']);
    await stopSharedKube();
  });
  return {
    get kube() {
      return kube!;
    },
    dryRun: (resources) =>
      kube!.kubectl(
        ['apply', '--server-side', '--validate=strict', '--dry-run=server', '-f', '-'],
        listOf(resources.map((one) => ({ ...one, metadata: { ...one.metadata, namespace: name } }))),
      ),
  };
}
