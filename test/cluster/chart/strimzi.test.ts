/**
 * Reads the resources for Kafka with the classes of Strimzi's operators, from Maven. Unlike the custom resource definitions, they
 * also know which broker settings Strimzi ignores.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { K8S } from '../../support/chart.ts';
import { fetchLibraries, hasMaven } from '../../support/maven.ts';

const VERSION = '1.2.0';
/** Strimzi's classes are compiled for this Java. */
const JAVA_VERSION = 21;
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'touchline', 'strimzi');
const LIBS = join(CACHE, `libs-${VERSION}`);
const JAVAS = '/usr/lib/jvm';
const MANIFEST = readFileSync(`${K8S}/overlays/production/kafka.yaml`, 'utf8');

/** Returns the first java that is new enough: that of JAVA_HOME, the one on the path, or one that Debian has installed. */
function newJava(): string | undefined {
  const homes = [
    process.env.JAVA_HOME,
    ...(existsSync(JAVAS) ? readdirSync(JAVAS).map((name) => join(JAVAS, name)) : []),
  ];
  const programs = ['java', ...homes.filter((home) => home !== undefined).map((home) => join(home, 'bin', 'java'))];
  return programs.find((program) => {
    const [, version] = /version "(\d+)/.exec(String(spawnSync(program, ['-version']).stderr)) ?? [];
    return Number(version) >= JAVA_VERSION;
  });
}

describe('the resources for Strimzi', function () {
  this.timeout(60_000);
  const java = newJava();

  before(function () {
    this.timeout(600_000);
    if (java === undefined || (!existsSync(LIBS) && !hasMaven())) {
      console.log(`Java ${JAVA_VERSION} and Maven are needed to read resources as Strimzi does`);
      this.skip();
    }
    fetchLibraries(LIBS, [`io.strimzi:api:${VERSION}`, 'org.slf4j:slf4j-nop:2.0.18']);
  });

  function read(yaml: string): string[] {
    const program = join(import.meta.dirname, 'ReadStrimzi.java');
    const { status, stdout, stderr } = spawnSync(java!, ['-cp', join(LIBS, '*'), program], {
      input: yaml,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim().split('\n');
  }

  function changed(from: string, to: string): string {
    assert.ok(MANIFEST.includes(from), from);
    return MANIFEST.replace(from, to);
  }

  it('are read by the operators of the version that the documentation names', () => {
    assert.match(
      readFileSync(`${K8S}/README.md`, 'utf8'),
      new RegExp(`\\[Strimzi\\]\\(https://strimzi.io\\) \\| ${VERSION} \\|`),
    );
    assert.deepEqual(read(MANIFEST), [
      'Kafka touchline-kafka',
      'KafkaNodePool controllers',
      'KafkaNodePool brokers',
      'KafkaTopic touchline.events.production',
      'KafkaUser touchline-relay',
      'KafkaUser touchline-api',
      'KafkaUser touchline-stream',
      'KafkaUser touchline-dispatcher',
      'KafkaUser touchline-service',
    ]);
  });

  it('are read with the lines of the documentation for brokers in several zones', () => {
    const [, lines] = /```yaml\nspec:\n {2}kafka:\n( {4}rack: [^`]*)```/.exec(
      readFileSync('docs/configuration.md', 'utf8'),
    )!;
    const [rack, config] = lines!.split('    config:\n') as [string, string];
    const zoned = changed('  kafka:\n', `  kafka:\n${rack}`).replace('    config:\n', `    config:\n${config}`);
    assert.match(zoned, /RackAwareReplicaSelector/);
    assert.equal(read(zoned).length, 9);
  });

  for (const [from, to, error] of [
    ['metadataVersion:', 'metadataVersoin:', /Unrecognized field "metadataVersoin"/],
    ['kraftMetadata:', 'kraftMetadat:', /Unrecognized field "kraftMetadat"/],
    ['podAntiAffinity:', 'podAntiAfinity:', /Unrecognized field "podAntiAfinity"/],
    ['operations:', 'operation:', /Unrecognized field "operation"/],
    ['partitions: 1', 'partitions: one', /not a valid .*Integer/],
    ['min.insync.replicas:', 'broker.rack: a\n      min.insync.replicas:', /Strimzi ignores the setting broker\.rack/],
  ] as const)
    it(`are refused if ${from} becomes ${JSON.stringify(to)}`, () => {
      assert.throws(() => read(changed(from, to)), error);
    });
});
