/** What a provider knows of matches that are live: feed updates that any service takes. */

/**
 * Every call with a goal more is news of every match.
 * @param name of the provider; the names of its league and teams are made of it
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
