/**
 * Go programs that are built once into a cache outside this repository, from sources pinned by a go.mod and a go.sum.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const KUBE_CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'touchline', 'kube');

interface Sources<P extends string> {
  /** Folder that contains the go.mod. */
  module: string;
  /** The programs, each with its package in the module. */
  packages: Readonly<Record<P, string>>;
  /** Linker flags. */
  link: string;
  /** First part of the folder's name in the cache. */
  cache: string;
  /** Folder in which the programs may already be. */
  assets?: string | undefined;
}

export class GoPrograms<P extends string> {
  readonly #sources: Sources<P>;
  readonly #names: P[];
  /** Folder for these versions of the programs. */
  readonly #bin: string;

  constructor(sources: Sources<P>) {
    const { module, packages, link, cache } = sources;
    this.#sources = sources;
    this.#names = Object.keys(packages) as P[];
    const versions = createHash('sha256')
      .update(readFileSync(join(module, 'go.mod')))
      .update(link)
      .digest('hex')
      .slice(0, 12);
    this.#bin = join(KUBE_CACHE, `${cache}-${versions}`);
  }

  /** Returns why the programs are not available here; null if they are. */
  whyNot(): string | null {
    if (this.#names.every((name) => this.#find(name) !== null)) return null;
    if (process.platform !== 'linux') return 'Linux is needed';
    const go = spawnSync('go', ['version'], { encoding: 'utf8' });
    return go.status === 0 ? null : 'Go is needed to build it (or KUBEBUILDER_ASSETS)';
  }

  /**
   * Returns each program's path. Missing programs are built first, which takes minutes. A file gets its final name only
   * when it is complete.
   */
  paths(): Record<P, string> {
    const missing = this.#names.filter((name) => this.#find(name) === null);
    if (missing.length > 0) this.#build(missing);
    return Object.fromEntries(this.#names.map((name) => [name, this.#find(name)!])) as Record<P, string>;
  }

  #find(name: P): string | null {
    const folders = [this.#sources.assets, this.#bin].filter((folder) => folder !== undefined && folder !== '');
    return folders.map((folder) => join(folder!, name)).find((path) => existsSync(path)) ?? null;
  }

  #build(names: P[]): void {
    const { module, packages, link } = this.#sources;
    console.log(`Building ${names.join(', ')} into ${this.#bin}: some minutes, once`);
    const partial = `${this.#bin}.part-${process.pid}`;
    mkdirSync(partial, { recursive: true });
    const { status } = spawnSync(
      'go',
      ['build', `-ldflags=${link}`, '-o', `${partial}/`, ...names.map((name) => packages[name])],
      { cwd: module, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CGO_ENABLED: '0' } },
    );
    if (status !== 0) {
      rmSync(partial, { recursive: true });
      throw new Error(`${names.join(', ')} could not be built by Go`);
    }
    mkdirSync(this.#bin, { recursive: true });
    for (const name of names) renameSync(join(partial, builtName(packages[name])), join(this.#bin, name));
    rmSync(partial, { recursive: true });
  }
}

/** Returns the name that Go gives a program, which is the last part of the package path that is not a version. */
const builtName = (path: string) =>
  path
    .replace(/\/v\d+$/, '')
    .split('/')
    .at(-1)!;
