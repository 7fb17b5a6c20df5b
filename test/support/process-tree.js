// Ends a process with all its descendants in any process group: the embedded Postgres has one of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns pairs of process id and parent's id. */
function processes() {
  if (!existsSync('/proc/self/stat')) {
    const lines = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n');
    return lines.map((line) => line.trim().split(/\s+/).map(Number));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // `pid (name) state parent`, with any characters in the name.
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [[Number(name), Number(parent)]];
      } catch {
        return [];
      }
    });
}

export function killTree(root) {
  const all = processes();
  const tree = [root];
  for (const one of tree) tree.push(...all.filter(([, parent]) => parent === one).map(([pid]) => pid));
  for (const pid of tree) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
