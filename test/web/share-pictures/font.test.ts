import assert from 'node:assert/strict';
import sharp from 'sharp';
import { html } from '../../../src/site/html.ts';
import { drawable, loadFont, readFont } from '../../../src/web/share-pictures/font.ts';
import { fitted, renderPicture, textLine } from '../../../src/web/share-pictures/picture.ts';

const font = loadFont(400);

describe('text on pictures for sharing', () => {
  it('keeps Latin letters with accents, Cyrillic and Greek', () => {
    for (const name of [
      'Beşiktaş JK',
      'Łódź',
      'Đức Nguyễn',
      'Зенит',
      'Ќиро Ѓорѓиев',
      'Ολυμπιακός',
      'Sint-Truiden 2:1 · 45+2′ (pen.)',
    ])
      assert.equal(drawable(name, font), name);
    // The letter and its accent as two characters.
    assert.equal(drawable('Mu\u0308ller', font), 'Müller');
  });

  it('leaves out what the font cannot draw, so that no picture has empty boxes', () => {
    assert.equal(drawable('الأهلي', font), '');
    assert.equal(drawable('浦和レッズ', font), '');
    assert.equal(drawable('Al Ahly الأهلي  SC 🏆', font), 'Al Ahly SC');
    assert.equal(drawable('ﬁve', font), 'five', 'a ligature becomes its letters');
    assert.equal(textLine({ text: '浦和', x: 0, y: 0, size: 20, maxWidth: 100 }), '');
    for (const letter of drawable('Ünïcode ﷽ test ☃', font).replaceAll(' ', '')) assert.ok(font.has(letter), letter);
  });

  it('shrinks a long name, and cuts it at the smallest size', () => {
    const line = { x: 0, y: 0, size: 40, weight: 700, maxWidth: 400, minSize: 28 } as const;
    assert.deepEqual(fitted({ ...line, text: 'Ajax' }), { text: 'Ajax', size: 40 });
    const smaller = fitted({ ...line, text: 'Wolverhampton Wand.' });
    assert.equal(smaller.text, 'Wolverhampton Wand.');
    assert.ok(smaller.size < 40 && smaller.size >= 28, `${smaller.size}`);
    const cut = fitted({ ...line, text: 'Football Club of the Very Long Name of a Whole Region United' });
    assert.match(cut.text, /^Football Club .*\S…$/);
    assert.equal(cut.size, 28);
    for (const { text, size } of [smaller, cut]) assert.ok(loadFont(700).width(text, size) <= 400);
  });

  it('computes the width with which the text is drawn', async () => {
    for (const text of ['Борусси́я Мёнхенгладбах', 'Wolverhampton Wanderers', 'iiiiiiiiiiii']) {
      const width = font.width(drawable(text, font), 40);
      const png = await renderPicture(html`${textLine({ text, x: 100, y: 300, size: 40, maxWidth: 1_000 })}`);
      const { info } = await sharp(png).trim().toBuffer({ resolveWithObject: true });
      assert.ok(Math.abs(info.width - width) < 12, `${text}: ${info.width} instead of ${width}`);
    }
  });

  it('refuses a file that is not a TrueType font', () => {
    const empty = Buffer.alloc(12);
    assert.throws(() => readFont(empty), /not a TrueType font/);
  });
});
