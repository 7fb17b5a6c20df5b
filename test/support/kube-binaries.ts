/**
 * The programs of a Kubernetes control plane, and the programs that check the chart's objects. They are in
 * `KUBEBUILDER_ASSETS` if it is set, otherwise Go builds them once.
 */
import { GoPrograms } from './go-programs.ts';

const folder = (name: string) => new URL(name, import.meta.url).pathname;

const KUBE = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  helm: 'helm.sh/helm/v3/cmd/helm',
} as const;

export type Program = keyof typeof KUBE;

/** Versions that are set by the linker, because charts and clients ask for them. */
const LINK = [
  '-s -w',
  ...['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((place) => [
    `-X ${place}.gitVersion=v1.34.4`,
    `-X ${place}.gitMajor=1`,
    `-X ${place}.gitMinor=34`,
  ]),
  ...['Major=1', 'Minor=34'].map((part) => `-X helm.sh/helm/v3/pkg/chartutil.k8sVersion${part}`),
].join(' ');

const kube = new GoPrograms({
  module: folder('kube'),
  packages: KUBE,
  link: LINK,
  cache: 'bin',
  assets: process.env.KUBEBUILDER_ASSETS,
});
const judges = new GoPrograms({
  module: folder('kube-lint'),
  packages: {
    'kube-score': 'github.com/zegl/kube-score/cmd/kube-score',
    kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform',
  },
  link: '-s -w',
  cache: 'lint',
});

/** Returns why no control plane is available here; null if one is. */
export const whyNoKube = (): string | null => kube.whyNot();

/** Returns each program's path. Missing programs are built first, which takes minutes. */
export const kubePrograms = (): Record<Program, string> => kube.paths();

/** Returns why kube-score and kubeconform are not available here; null if they are. */
export const whyNoJudges = (): string | null => judges.whyNot();

/** Returns the paths of kube-score and kubeconform. Missing ones are built first. */
export const judgePrograms = () => judges.paths();
