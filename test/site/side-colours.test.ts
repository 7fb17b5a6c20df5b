import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { colourRows } from '../../src/identity/listed-colours.ts';
import { PALETTES, THEMES } from '../../src/site/plots/palette.ts';
import { sideColours } from '../../src/site/plots/side-colours.ts';
import { contrast, difference, type ShirtPattern, type TeamColours } from '../../src/wire/team-colours.ts';

const TEAMS = colourRows().map(
  ({ pattern, colour1, colour2, colour3 }): TeamColours => ({
    pattern: pattern as ShirtPattern,
    colours: [colour1, colour2, colour3 || undefined],
  }),
);
const plain = (...colours: [string, string, string?]): TeamColours => ({ pattern: 'plain', colours });

const RED = plain('#c8102e', '#ffffff');
const OTHER_RED = plain('#da291c', '#111111');
const YELLOW = plain('#fde100', '#111111');
const WHITE = plain('#ffffff', '#111111');
const BLUE = plain('#1450a8', '#ffffff');
/** Neither colour is visible on a light page. */
const PALE = plain('#ffffff', '#fff200');

describe('the colours of both sides on charts', () => {
  const inLight = (home: TeamColours | null, away: TeamColours | null) => sideColours(home, away)!.light;
  const inDark = (home: TeamColours | null, away: TeamColours | null) => sideColours(home, away)!.dark;

  it('are their own main colours, if these are visible and told apart', () => {
    assert.deepEqual(inLight(RED, BLUE), { home: '#c8102e', away: '#1450a8' });
    assert.deepEqual(inDark(YELLOW, WHITE), { home: '#fde100', away: '#ffffff' });
  });

  it('are the second colour if the main one cannot be seen on the page', () => {
    assert.equal(inLight(WHITE, RED).home, '#111111');
    assert.equal(inDark(plain('#111111', '#ffffff'), RED).home, '#ffffff');
    assert.equal(inLight(YELLOW, RED).home, '#111111');
  });

  it('are the away side’s second colour if the main ones are alike, also to those who see no red or no green', () => {
    assert.deepEqual(inLight(RED, OTHER_RED), { home: '#c8102e', away: '#111111' });
    assert.deepEqual(inLight(RED, plain('#00843d', '#1450a8')), { home: '#c8102e', away: '#1450a8' });
  });

  it('are neutral for the away side if none of its own will do, and for a side that is not listed', () => {
    assert.equal(inLight(RED, PALE).away, PALETTES.light.away);
    assert.equal(inLight(RED, plain('#c8102e', '#ffffff')).away, PALETTES.light.away);
    assert.equal(inLight(BLUE, null).away, PALETTES.light.home, 'the neutral blue is too near');
    assert.deepEqual(inDark(null, WHITE), { home: PALETTES.dark.home, away: '#ffffff' });
    assert.equal(inLight(PALE, RED).home, PALETTES.light.home);
    assert.equal(sideColours(null, null), null);
  });

  it('are shaded a little to be seen, and are never the grey of a draw', () => {
    const sky = inLight(plain('#6cabdd', '#ffffff'), RED).home;
    assert.notEqual(sky, '#6cabdd');
    assert.ok(difference(sky, '#6cabdd') < 0.1, sky);
    assert.equal(inLight(plain('#c1c7cb', '#b01030'), BLUE).home, '#b01030');
    assert.equal(inDark(plain('#66717a', '#b01030'), BLUE).home, '#c44c64');
    assert.equal(inDark(plain('#c1c7cb', '#b01030'), BLUE).home, '#c1c7cb');
  });

  it('are visible and told apart for all listed teams, against each other and against an unlisted team', () => {
    const check = (home: TeamColours | null, away: TeamColours | null) => {
      const chosen = sideColours(home, away)!;
      for (const theme of THEMES) {
        const { paper, level } = PALETTES[theme];
        const [one, other] = [chosen[theme].home, chosen[theme].away];
        const text = `${theme} ${one} ${other} from ${home?.colours} and ${away?.colours}`;
        assert.ok(contrast(one, paper) >= 3 && contrast(other, paper) >= 3, text);
        assert.ok(difference(one, other) >= 0.14, text);
        assert.ok(difference(one, level) >= 0.035, text);
      }
    };
    const OPPONENTS = 12;
    TEAMS.forEach((team, index) => {
      check(team, null);
      check(null, team);
      check(team, team);
      for (let step = 1; step <= OPPONENTS; step += 1) check(team, TEAMS[(index * 31 + step * 97) % TEAMS.length]!);
    });
  });
});

describe('the palettes', () => {
  it('have the colours of the pages', () => {
    const css = readFileSync(new URL('../../src/site/assets/site.css', import.meta.url), 'utf8');
    for (const name of ['home', 'away', 'level', 'paper'] as const)
      assert.ok(css.includes(`--${name}: light-dark(${PALETTES.light[name]}, ${PALETTES.dark[name]});`), name);
  });
});
