/** A namespace of the shared control plane, with the kinds that the chart can make objects of, for the tests of one suite. */
import { listOf, prepareNamespace } from './chart.ts';
import { type Kube, needKube, sharedKube, stopSharedKube } from './kube.ts';
import type { Resource } from './kube-api.ts';

/** The programs of the control plane may have to be built first. */
const BUILD_MS = 1_800_000;

export interface ChartNamespace {
  /** There from the first `before` of the suite on. */
  readonly kube: Kube;
  /** Asks the API server, which has the real schemas. @throws with what it says about an object */
  dryRun(resources: Resource[]): Promise<string>;
}

/** Registers the hooks of the suite; without a control plane it is skipped loudly. */
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
