/** The share of processor time that the event loop uses. */
import { readFileSync } from 'node:fs';

/** Returns the part of a core that the container's limit leaves to the event loop, which can use one core at most. */
function allowedCores(): number {
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(' ').map(Number);
    return Math.min(1, quota! / period!) || 1;
  } catch {
    return 1;
  }
}

/**
 * Returns a function that reads which share of the allowed processor time the event loop has used since the previous
 * reading, 0 to 1. The loop's utilization as Node measures it also counts the time in which the loop has work but gets
 * no processor, because other processes use it.
 */
export function measureProcessorShare(cores: number = allowedCores()): () => number {
  let at = performance.now();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  return () => {
    const [now, cpuNow, loopNow] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()];
    const cpuMs = (cpuNow.user + cpuNow.system - cpu.user - cpu.system) / 1_000;
    const { utilization } = performance.eventLoopUtilization(loopNow, loop);
    // All threads count as processor time, also those that collect garbage beside the loop.
    const share = Math.min(utilization, cpuMs / Math.max(1, now - at) / cores);
    [at, cpu, loop] = [now, cpuNow, loopNow];
    return share;
  };
}
