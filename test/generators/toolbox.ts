/** Installs client generators at pinned versions, once for each list of pins, and finds the commands that they need. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const SOURCES = import.meta.dirname;
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'touchline', 'generators');
const PYTHON_PACKAGES = join(SOURCES, 'python', 'package-requirements.txt');
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
/** Timeout, which includes downloads. */
const PATIENCE_MS = 600_000;

/** Returns those commands that this machine lacks. */
export const missingOf = (commands: readonly string[]): string[] =>
  commands.filter((command) => spawnSync(command, [command === 'go' ? 'version' : '--version']).error !== undefined);

interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

interface Output {
  /** Standard output. */
  out: string;
  /** Standard output and standard error. */
  all: string;
}

/**
 * Runs a command without blocking the service in this process.
 * @throws {Error} with all output if it fails
 */
export function run(command: string, args: readonly string[], { cwd, env = {} }: RunOptions = {}): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
    });
    let [out, all] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      all += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve({ out, all });
      else reject(new Error(`${command} ${args.join(' ')} ends with ${code}:\n${all.slice(-8_000)}`));
    });
  });
}

/** Returns the folder that `install` has filled. It is filled once for these pins. */
async function installed(name: string, pins: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(CACHE, `${name}-${createHash('sha256').update(pins).digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  try {
    await install(made);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Returns an environment for Python with all packages in `requirements.txt`. */
export async function pythonTools(): Promise<Record<string, string>> {
  const requirements = join(SOURCES, 'python', 'requirements.txt');
  const version = spawnSync('python3', ['--version']).stdout.toString();
  const folder = await installed('python', version + readFileSync(requirements, 'utf8'), (made) =>
    run('python3', [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--target',
      made,
      '-r',
      requirements,
    ]),
  );
  return { PYTHONPATH: folder, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
}

/**
 * Builds the Python client's wheel, and installs it into an empty environment.
 * @returns the path of that environment's Python
 */
export async function installPythonClient(folder: string): Promise<string> {
  const environment = join(folder, 'environment');
  const python = join(environment, 'bin', 'python');
  await run('python3', ['-m', 'venv', environment]);
  const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check'];
  const source = join(SOURCES, '../../clients/python');
  await run(python, [...pip, 'wheel', '--no-deps', '--wheel-dir', folder, source]);
  const wheels = readdirSync(folder).filter((name) => name.endsWith('.whl'));
  if (wheels.length !== 1) throw new Error(`one wheel is expected: ${wheels}`);
  await run(python, [...pip, 'install', '-c', PYTHON_PACKAGES, join(folder, wheels[0]!)]);
  return python;
}

/** Installs packages that the Python client's users and tests need in addition. */
export async function installPythonTools(python: string): Promise<void> {
  await run(python, ['-m', 'pip', '--quiet', '--disable-pip-version-check', 'install', '-r', PYTHON_PACKAGES]);
}

/** Copies the TypeScript project into `folder`, together with its packages. */
export async function copyTypeScript(folder: string): Promise<void> {
  const sources = join(SOURCES, 'typescript');
  const cached = await installed('npm', readFileSync(join(sources, 'package-lock.json'), 'utf8'), async (made) => {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(sources, file), join(made, file));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: made });
  });
  cpSync(sources, folder, { recursive: true });
  cpSync(join(cached, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
}

/** Generates the package `client` for Go. */
export async function oapiCodegen(document: string, file: string): Promise<void> {
  const config = join(SOURCES, 'oapi-codegen', 'config.yml');
  await run('go', ['run', OAPI_CODEGEN, '-config', config, '-o', file, document]);
}

/** Generates a client with one of openapi-generator's generators. Its program is part of a Python package. */
export async function openApiGenerator(
  generator: string,
  document: string,
  folder: string,
  ...options: string[]
): Promise<void> {
  const { PYTHONPATH } = await pythonTools();
  const jar = join(PYTHONPATH!, 'openapi_generator_cli', 'openapi-generator.jar');
  await run('java', ['-jar', jar, 'generate', '-i', document, '-g', generator, '-o', folder, ...options]);
}
