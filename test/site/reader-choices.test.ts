import assert from 'node:assert/strict';
import { adaptPage, choiceCookies, readChoices } from '../../src/site/reader-choices.ts';

const NOW = Date.parse('2026-05-24T12:00:00Z');
const page = (body: string, more = '') =>
  `<!doctype html>\n<html lang="en"${more}>
<head><script type="module" src="../assets/site.js"></script></head><body>${body}</body></html>`;
const time = (at: string, text: string, more = '') => `<time datetime="${at}"${more}>${text}</time>`;
const adapt = (cookie: string, body: string, more?: string) => adaptPage(cookie, NOW)!(page(body, more));

describe('a reader’s choices', () => {
  it('are read from cookies, and an invalid value is ignored', () => {
    assert.deepEqual(readChoices('a=b; touchline_theme=dark; touchline_zone=Asia%2FTokyo'), {
      theme: 'dark',
      zone: 'Asia/Tokyo',
    });
    for (const cookie of [
      undefined,
      '',
      'touchline_theme=pink; touchline_zone=Mars%2FBase',
      'touchline_zone=%2B03:00',
      `touchline_zone=${'A'.repeat(65)}`,
      'touchline_zone=%E0%A4%A',
      'touchline_zone=<script>; touchline_theme="><script>',
    ])
      assert.deepEqual(readChoices(cookie), { theme: null, zone: null }, cookie);
  });

  it('are kept for a year, and forgotten if the browser’s setting is chosen', () => {
    assert.deepEqual(choiceCookies({ theme: 'dark', zone: null }, 'https://touchline.example'), [
      'touchline_theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; Secure',
      'touchline_zone=; Path=/; Max-Age=0; SameSite=Lax; Secure',
    ]);
    assert.deepEqual(choiceCookies({ zone: 'Europe/Berlin' }, 'http://localhost'), [
      'touchline_zone=Europe%2FBerlin; Path=/; Max-Age=31536000; SameSite=Lax',
    ]);
  });

  it('tell the page’s scripts that a member may have signed in', () => {
    for (const cookie of ['touchline_member=tls_abc', 'a=b; __Host-touchline_member=x'])
      assert.match(adapt(cookie, ''), /<html lang="en" data-member>/);
    assert.equal(adaptPage('my_touchline_member=x', NOW), null);
  });

  it('leave a page unchanged for a reader without choices', () => {
    assert.equal(adaptPage('touchline_tz=Asia/Tokyo; touchline_lang=ru', NOW), null);
  });

  it('set the theme of the page, and which source of a picture is shown', () => {
    const picture = '<source media="(prefers-color-scheme: dark)" srcset="dark.svg">';
    const dark = adapt('touchline_theme=dark', picture);
    assert.match(dark, /<html lang="en" data-theme="dark">/);
    assert.match(dark, /<source media="all" srcset/);
    assert.match(adapt('touchline_theme=light', picture), /<source media="not all" srcset/);
  });

  it('mark the chosen theme in the menu', () => {
    const menu = '<a data-choose="auto" aria-current="true"></a><a data-choose="dark"></a>';
    assert.match(
      adapt('touchline_theme=dark', menu),
      /<a data-choose="auto"><\/a><a data-choose="dark" aria-current="true"><\/a>/,
    );
    assert.match(adapt('touchline_zone=UTC', menu), /data-choose="auto" aria-current="true"/);
  });

  it('write times in the zone, with the day if it is not today there', () => {
    const cookie = 'touchline_zone=Asia%2FTokyo';
    for (const [given, shown] of [
      [time('2026-05-24T14:30:00Z', '14:30'), '>23:30<'],
      [time('2026-05-24T15:30:00Z', '15:30'), '>25 May, 00:30<'],
      [time('2026-05-24T15:30:00Z', '24 May', ' data-part="day"'), ' data-part="day">25 May<'],
      [time('2026-05-24T15:30:00Z', '15:30', ' data-part="time"'), ' data-part="time">00:30<'],
      [time('2025-12-31T15:00:00Z', '31 Dec 2025'), '>1 Jan, 00:00<'],
      [time('2025-12-31T14:00:00Z', '31 Dec 2025'), '>31 Dec 2025, 23:00<'],
      [time('2026-05-25', '25 May', ' data-day'), ' data-day>25 May<'],
      ['<span lang="en" data-zone-name>UTC</span>', '>Asia/Tokyo<'],
    ])
      assert.ok(adapt(cookie, given!).includes(shown!), `${adapt(cookie, given!)} should have ${shown}`);
    assert.match(adapt(cookie, ''), /<html lang="en" data-zone="Asia\/Tokyo">/);
  });

  it('leave the times of pages that name their zone, and pages with a theme of their own', () => {
    const logged = `<html lang="en"><body>${time('2026-05-24T14:30:00Z', '2026-05-24 14:30')} UTC</body>`;
    assert.match(adaptPage('touchline_zone=Asia%2FTokyo', NOW)!(logged), />2026-05-24 14:30</);
    const widget = page(time('2026-05-24T14:30:00Z', '14:30'), ' data-theme="light"');
    assert.equal(adaptPage('touchline_theme=dark; touchline_zone=Asia%2FTokyo', NOW)!(widget), widget);
  });
});
