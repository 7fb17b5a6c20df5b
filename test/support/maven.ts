/** Downloads Java libraries with Maven into a cache outside this repository. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const hasMaven = (): boolean => spawnSync('mvn', ['-version']).status === 0;

const dependency = (library: string) => {
  const [group, artifact, version] = library.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
};

/**
 * Downloads the libraries and what they need into `folder`, unless it exists. Maven resumes a partial download. The folder gets its
 * final name only when it is complete.
 * @param libraries each as `group:artifact:version`
 */
export function fetchLibraries(folder: string, libraries: readonly string[]): void {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  console.log(`Fetching ${libraries.join(' and ')} into ${folder}`);
  const partial = `${folder}.part-${process.pid}`;
  const pom = `${partial}.xml`;
  writeFileSync(
    pom,
    `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>touchline</groupId><artifactId>libraries</artifactId><version>1</version>
<dependencies>${libraries.map(dependency).join('\n')}</dependencies>
</project>`,
  );
  const copy = ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
  const { status } = spawnSync('mvn', copy, { stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(pom);
  if (status !== 0) throw new Error(`Maven could not fetch ${libraries.join(' and ')}`);
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
}
