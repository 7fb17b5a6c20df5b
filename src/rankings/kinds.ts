/** The ranking kinds, and what each kind ranks. */

interface KindFacts {
  title: string;
  sport: string;
  gender: 'men' | 'women';
  /** `nation` means the national team, even if the source ranks countries or associations. */
  of: 'nation' | 'club' | 'player';
  /** Set if `touchline ratings` computes the ranking. An imported file must not contain this kind. */
  computed?: true;
}

const tennis = (title: string, gender: KindFacts['gender']): KindFacts => ({
  title,
  sport: 'tennis',
  gender,
  of: 'player',
});
const football = (title: string, of: 'nation' | 'club'): KindFacts => ({ title, sport: 'football', gender: 'men', of });
const rating = (title: string, sport: string) => ({ title, sport, gender: 'men', of: 'club', computed: true }) as const;

/** The rankings that the specification names, then those that we compute. */
export const RANKING_KINDS = {
  fifa: football('FIFA ranking of national teams', 'nation'),
  uefa_clubs: football('UEFA club coefficients', 'club'),
  uefa_countries: football('UEFA association coefficients', 'nation'),
  atp_singles: tennis('ATP singles', 'men'),
  atp_doubles: tennis('ATP doubles', 'men'),
  atp_singles_race: tennis('ATP race, singles', 'men'),
  atp_doubles_race: tennis('ATP race, doubles', 'men'),
  wta_singles: tennis('WTA singles', 'women'),
  wta_doubles: tennis('WTA doubles', 'women'),
  wta_singles_race: tennis('WTA race, singles', 'women'),
  wta_doubles_race: tennis('WTA race, doubles', 'women'),
  elo_national_teams: { ...football('Elo ratings of national teams', 'nation'), computed: true },
  elo_clubs: { ...football('Elo ratings of clubs', 'club'), computed: true },
  elo_american_football: rating('Elo ratings of American football teams', 'american-football'),
  elo_basketball: rating('Elo ratings of basketball teams', 'basketball'),
  elo_baseball: rating('Elo ratings of baseball teams', 'baseball'),
  elo_rugby: rating('Elo ratings of rugby teams', 'rugby'),
  elo_ice_hockey: rating('Elo ratings of ice hockey teams', 'ice-hockey'),
  elo_aussie_rules: rating('Elo ratings of Australian rules football teams', 'aussie-rules'),
  elo_cricket: rating('Elo ratings of cricket teams', 'cricket'),
  elo_volleyball: rating('Elo ratings of volleyball teams', 'volleyball'),
} as const satisfies Record<string, KindFacts>;

export type RankingKind = keyof typeof RANKING_KINDS;
export const KIND_NAMES = Object.keys(RANKING_KINDS) as [RankingKind, ...RankingKind[]];

/** Kinds that `touchline ratings` computes. Each team is in at most one of them. */
export const COMPUTED_KINDS: readonly RankingKind[] = KIND_NAMES.filter((kind) => 'computed' in RANKING_KINDS[kind]);

/** Returns the kind that ranks a sport's teams by margin rating; undefined for a sport without margin rating. */
export const marginKind = (sport: string): RankingKind | undefined =>
  COMPUTED_KINDS.find((kind) => RANKING_KINDS[kind].sport === sport && sport !== 'football');

export const kindFacts = (kind: RankingKind): KindFacts => RANKING_KINDS[kind];
export const isRankingKind = (text: string): text is RankingKind => Object.hasOwn(RANKING_KINDS, text);
