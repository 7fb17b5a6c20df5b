/** Live matches as a provider knows them: feed updates that any service accepts. */

/**
 * Returns updates; every call with one more goal is news of every match.
 * @param name of the provider; its league and teams are named after it
 * @param goals of the home side
 */
export const liveMatches = (name: string, count: number, goals: number) =>
  Array.from({ length: count }, (_, match) => ({
    schema: 1,
    kind: 'match',
    provider: name,
    observed_at: new Date(Date.parse('2026-03-01T12:00:00Z') + goals * 1_000).toISOString(),
    match: {
      id: `${name}-${match}`,
      sport: 'football',
      tournament: { name: `League of ${name}`, country: 'INT' },
      season: { label: '2026' },
      home: { name: `Home ${match} of ${name}` },
      away: { name: `Away ${match} of ${name}` },
      scheduled_start: '2026-03-01T12:00:00Z',
      status: 'live',
      score: { home: goals, away: 0 },
    },
  }));
