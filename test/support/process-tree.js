// Ends a process and all its descendants, even in other process groups. The embedded Postgres has a separate group.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns pairs of a process id and the parent's id. */
function processes() {
  if (!existsSync('/proc/self/stat')) {
    const lines = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n');
    return lines.map((line) => line.trim().split(/\s+/).map(Number));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The format is `pid (name) state parent`, and the name may contain any characters.
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
      // The process has already ended by itself.
    }
  }
}
