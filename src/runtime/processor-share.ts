/** Measures the share of processor time that the event loop uses. */
import { readFileSync } from 'node:fs';

/** Returns the share of one core that the container's limit allows. It is at most 1, since the event loop cannot use more than one core. */
function allowedCores(): number {
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(' ').map(Number);
    return Math.min(1, quota! / period!) || 1;
  } catch {
    return 1;
  }
}

/**
 * Returns a function that reads how much of the allowed processor time the event loop has used since the previous
 * reading, 0 to 1. Node's own measure would be too high, since it includes the time in which the loop has work but
 * other processes use the processor.
 */
export function measureProcessorShare(cores: number = allowedCores()): () => number {
  let at = performance.now();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  return () => {
    const [now, cpuNow, loopNow] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()];
    const cpuMs = (cpuNow.user + cpuNow.system - cpu.user - cpu.system) / 1_000;
    const { utilization } = performance.eventLoopUtilization(loopNow, loop);
    // Processor time includes all threads, for example garbage collection, so the loop's own utilization is the upper limit.
    const share = Math.min(utilization, cpuMs / Math.max(1, now - at) / cores);
    [at, cpu, loop] = [now, cpuNow, loopNow];
    return share;
  };
}
