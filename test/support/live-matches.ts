/** Live matches as a provider knows them, as feed updates that any service accepts. */

/**
 * Returns feed updates. A call with one more goal returns news about every match.
 * @param name the provider, after whom its league and teams are named
 * @param goals the home side's goals
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
