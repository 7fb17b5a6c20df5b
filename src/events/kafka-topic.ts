/** Creates the topic if it does not exist. If an operator has created it, checks its settings. */
import type { Logger } from 'pino';
import { readMember } from '../runtime/unknown-values.ts';
import { type Cluster, isType } from './kafka-cluster.ts';
import { RETENTION_MS } from './retention.ts';

/**
 * One partition keeps the event order. The rest of the settings keep all acknowledged records for the whole retention,
 * whatever their size.
 */
const SETTINGS = {
  'cleanup.policy': 'delete',
  'retention.ms': String(RETENTION_MS),
  'retention.bytes': '-1',
  'unclean.leader.election.enable': 'false',
  'max.message.bytes': '1048588',
} as const;
const REPLICAS = 3;
const IN_SYNC_REPLICAS = 2;
/**
 * How many times to ask for the leader (15 s in total). A topic has no leader for some time after it has been created,
 * or after a busy broker has come back.
 */
const LEADER_TRIES = 300;
const LEADER_WAIT_MS = 50;

export interface KafkaTopic {
  partitions: number;
  replicas: number;
  settings: Readonly<Record<string, string>>;
}

/** Resolves when the topic exists and has a leader. */
export async function ensureTopic(cluster: Cluster, topic: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await cluster.addTargetTopic(topic);
      const [first] = cluster.findTopicPartitionMetadata(topic);
      if (first !== undefined && first.leader >= 0) return;
      await cluster.refreshMetadata();
    } catch (error) {
      if (tries === LEADER_TRIES) throw error;
      if (isType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) await createTopic(cluster, topic);
      else if (!isElecting(error)) throw error;
    }
    if (tries === LEADER_TRIES) throw new Error(`Kafka's topic ${topic} has no leader`);
    await new Promise((resolve) => setTimeout(resolve, LEADER_WAIT_MS));
  }
}

/** For some requests, kafkajs wraps the error. */
function isElecting(error: unknown): boolean {
  return [error, readMember(error, 'cause')].some((one) => isType(one, 'LEADER_NOT_AVAILABLE'));
}

async function createTopic(cluster: Cluster, topic: string): Promise<void> {
  await cluster.refreshMetadata();
  const replicas = Math.min(REPLICAS, cluster.brokerPool.metadata.brokers.length);
  const settings = { ...SETTINGS, 'min.insync.replicas': String(Math.min(IN_SYNC_REPLICAS, replicas)) };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  try {
    const controller = await cluster.findControllerBroker();
    await controller.createTopics({
      topics: [{ topic, numPartitions: 1, replicationFactor: replicas, configEntries }],
    });
  } catch (error) {
    // The topic has been created in the meantime.
    const errors = readMember(error, 'errors');
    const all = Array.isArray(errors) ? errors : [error];
    if (!all.every((one) => isType(one, 'TOPIC_ALREADY_EXISTS'))) throw error;
  }
}

/** @throws with `strict`, if events could be lost or reordered */
export function checkTopic(
  { partitions, replicas, settings }: KafkaTopic,
  { strict, logger }: { strict: boolean; logger: Pick<Logger, 'warn'> },
): void {
  const problems: string[] = [];
  const demand = (isValid: boolean, text: string) => {
    if (!isValid) problems.push(text);
  };
  const number = (name: string) => Number(settings[name]);
  demand(partitions === 1, `it has ${partitions} partitions, not 1`);
  demand(replicas >= REPLICAS, `it has ${replicas} replicas, not ${REPLICAS}`);
  demand(number('min.insync.replicas') >= IN_SYNC_REPLICAS, `min.insync.replicas is below ${IN_SYNC_REPLICAS}`);
  const retention = number('retention.ms');
  demand(retention === -1 || retention >= RETENTION_MS, 'retention.ms is below 7 days');
  const maxMessage = SETTINGS['max.message.bytes'];
  demand(number('max.message.bytes') >= Number(maxMessage), `max.message.bytes is below ${maxMessage}`);
  for (const name of ['cleanup.policy', 'retention.bytes', 'unclean.leader.election.enable'] as const) {
    demand(settings[name] === SETTINGS[name], `${name} is ${settings[name]}, not ${SETTINGS[name]}`);
  }
  if (problems.length === 0) return;
  if (strict) throw new Error(`the Kafka topic is not safe: ${problems.join('; ')}`);
  logger.warn({ problems }, 'the Kafka topic may lose events');
}
