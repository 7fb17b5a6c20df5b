/**
 * Builds the image from the Dockerfile with buildah. The base images are not available everywhere, so Debian packages
 * and npm's Node replace them. The replacements have the same libraries as the real base images, and no more.
 */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { imageNode } from './image-node.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const OUTPUT_BYTES = 1e8;

/** Packages in gcr.io/distroless/cc-debian12. */
const BASE_PACKAGES = [
  'base-files',
  'ca-certificates',
  'libc6',
  'libgcc-s1',
  'libssl3',
  'libstdc++6',
  'netbase',
  'tzdata',
];
/** Further packages that the RUN lines need. */
const BUILD_PACKAGES = [
  'coreutils',
  'dash',
  'findutils',
  'libacl1',
  'libattr1',
  'libgmp10',
  'libpcre2-8-0',
  'libselinux1',
];

/** Returns why no image can be built here; null if one can. */
export function whyNoBuilder(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Linux and root are needed';
  for (const program of ['buildah', 'apt-get', 'dpkg-deb', 'unshare'])
    if (spawnSync(program, ['--version']).status !== 0) return `${program} is not installed`;
  return null;
}

export interface Running {
  /** Kills the container. Resolves when it has ended. */
  kill(): Promise<void>;
  /**
   * Waits until the output matches, and resolves with the match.
   * @throws if the process ends before that
   */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface Image {
  /** Folder with the image's files, as root sees them. */
  files: string;
  config: { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; WorkingDir: string };
  /**
   * Starts a container as the image's user, on a read-only root with an empty /tmp, and on this machine's network.
   * @param files files to put into /tmp, by name
   */
  start(command: readonly string[], env?: Record<string, string>, files?: Record<string, string>): Running;
  /**
   * Runs a container until it ends.
   * @param entrypoint replaces the image's entrypoint
   * @throws with the output if the container fails
   */
  run(command: readonly string[], env?: Record<string, string>, entrypoint?: readonly string[]): Promise<string>;
  remove(): void;
}

/** Unpacks Debian packages into a folder, without running install scripts. */
function unpack(names: readonly string[], folder: string): void {
  const downloads = join(folder, '..', 'packages');
  mkdirSync(downloads, { recursive: true });
  const download = () => spawnSync('apt-get', ['download', ...names], { cwd: downloads, encoding: 'utf8' });
  let result = download();
  if (result.status !== 0) {
    execFileSync('apt-get', ['update', '-qq']);
    result = download();
  }
  if (result.status !== 0) throw new Error(`apt-get download: ${result.stderr}`);
  mkdirSync(folder, { recursive: true });
  for (const name of names)
    execFileSync('sh', ['-c', 'dpkg-deb --extract "$1"/"$2"_*.deb "$3"', 'sh', downloads, name, folder]);
  mkdirSync(join(folder, 'tmp'), { recursive: true, mode: 0o1777 });
}

/** Adds Node and npm, and what npm needs to reach the registry as it does on this machine. */
function addNode(folder: string): void {
  const bin = join(folder, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(imageNode()!, join(bin, 'node'));
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  cpSync(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'));
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const own = join(homedir(), '.npmrc');
  mkdirSync(join(folder, 'usr/local/etc'), { recursive: true });
  if (certificates !== undefined) copyFileSync(certificates, join(folder, 'usr/local/etc/certificates.pem'));
  writeFileSync(
    join(folder, 'usr/local/etc/npmrc'),
    `${existsSync(own) ? readFileSync(own, 'utf8') : ''}\n${certificates === undefined ? '' : 'cafile=/usr/local/etc/certificates.pem\n'}`,
  );
}

export async function buildImage(): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-image-'));
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = async (...args: string[]) =>
    (await promisify(execFile)('buildah', [...store, ...args], { maxBuffer: OUTPUT_BYTES })).stdout.trim();
  /** Makes an image with one layer from a folder. */
  async function imageFrom(name: string, source: string): Promise<void> {
    const container = await buildah('from', 'scratch');
    await buildah('add', '--quiet', container, source, '/');
    await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
    await buildah('commit', '--quiet', '--rm', container, name);
  }
  try {
    const [base, build] = [join(folder, 'base'), join(folder, 'build')];
    unpack(BASE_PACKAGES, base);
    await imageFrom('localhost/base:1', base);
    cpSync(base, build, { recursive: true, verbatimSymlinks: true });
    unpack(BUILD_PACKAGES, build);
    addNode(build);
    await imageFrom('localhost/node:1', build);
    const bases = ['--build-arg', 'BASE=localhost/base:1', '--build-arg', 'NODE=localhost/node:1'];
    await buildah(
      'bud',
      '--isolation',
      'chroot',
      '--pull-never',
      '--format',
      'docker',
      ...bases,
      '--tag',
      'localhost/touchline:1',
      ROOT,
    );
    for (const part of [base, build]) rmSync(part, { recursive: true });
    const { config } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/touchline:1')).OCIv1;
    const container = await buildah('from', '--pull-never', 'localhost/touchline:1');
    const files = await buildah('mount', container);
    return { files, config, ...containers(files, config), remove: () => rmSync(folder, { recursive: true }) };
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

/**
 * Script that runs a command in a new mount namespace. The root is read-only. /tmp contains only the given files and
 * the sockets of this machine's Postgres. $1: the root, $2: the working folder in it, $3 and $4: user and group, $5:
 * files for /tmp, $6: the folder with the sockets, or empty.
 */
const ENTER = `
set -e
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
cp -R "$5/." "$1/tmp"
chmod 1777 "$1/tmp"
if [ -n "$6" ]; then mkdir -p "$1$6"; mount --bind "$6" "$1$6"; fi
root=$1 folder=$2 user=$3 group=$4
shift 6
exec /usr/bin/setpriv --clear-groups /usr/bin/unshare --root "$root" --wd "$folder" --setuid "$user" --setgid "$group" "$@"`;

function containers(root: string, config: Image['config']): Pick<Image, 'start' | 'run'> {
  for (const name of ['proc', 'dev']) mkdirSync(join(root, name), { recursive: true });
  function begin(command: readonly string[], env: Record<string, string>, files: Record<string, string>): ChildProcess {
    const given = mkdtempSync(join(tmpdir(), 'touchline-files-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(given, name), text);
    const [user, group] = config.User.split(':') as [string, string];
    const sockets = new URL(env.DATABASE_URL ?? 'postgresql://host').searchParams.get('host') ?? '';
    const inside = [root, config.WorkingDir, user, group, given, sockets, ...command];
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', ENTER, 'sh', ...inside];
    const own = Object.fromEntries(config.Env.map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string]));
    const child = spawn('unshare', args, { env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    child.once('exit', () => rmSync(given, { recursive: true }));
    return child;
  }
  function follow(child: ChildProcess): Running & { ended: Promise<{ code: number | null; output: string }> } {
    let text = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part) => (text += part));
    const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, output: text })),
    );
    return {
      ended,
      async kill() {
        child.kill('SIGKILL');
        await ended;
      },
      until: (pattern) =>
        new Promise((resolve, reject) => {
          const look = () => {
            const match = pattern.exec(text);
            if (match !== null) resolve(match);
          };
          for (const stream of [child.stdout!, child.stderr!]) stream.on('data', look);
          void ended.then(({ code }) => reject(new Error(`it ended with ${code}: ${text}`)));
          look();
        }),
    };
  }
  return {
    start: (command, env = {}, files = {}) => follow(begin([...config.Entrypoint, ...command], env, files)),
    async run(command, env = {}, entrypoint = config.Entrypoint) {
      const { code, output } = await follow(begin([...entrypoint, ...command], env, {})).ended;
      if (code !== 0) throw new Error(`it ended with ${code}: ${output}`);
      return output;
    },
  };
}
