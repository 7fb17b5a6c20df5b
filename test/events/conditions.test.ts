import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ConditionError,
  meetsConditions,
  parseConditions,
  splitConditions,
  writeCondition,
} from '../../src/events/conditions.ts';
import { EXAMPLE_EVENT } from '../../src/wire/envelope.ts';

const GOAL = { envelope: JSON.stringify(EXAMPLE_EVENT) };
const meets = (...conditions: string[]) => meetsConditions(parseConditions(conditions), GOAL);
const refuses = (condition: string, message: RegExp) =>
  assert.throws(
    () => parseConditions([condition]),
    (error: Error) => error instanceof ConditionError && message.test(error.message) && error.message.length < 3_000,
    condition,
  );

describe('conditions on the fields of events', () => {
  it('compare texts, numbers and lists, and ask whether a field has a value', () => {
    // The example is a penalty in minute 80, whose score is 2:1, without an assist, in a competition of tier 1.
    for (const condition of [
      'data.incident.kind = goal',
      'data.incident.kind="goal"',
      'data.incident.kind in card | goal',
      'data.match.minute >= 80',
      'data.match.minute<=80',
      'data.match.tier = 1',
      'data.match.importance in 90|100',
      'data.incident.payload.score.home = 2',
      'data.incident.payload.goal_type = penalty',
      'data.incident exists',
      'data.match.away.name_ru = Франция',
      'type = match.goal',
    ])
      assert.equal(meets(condition), true, condition);
    for (const condition of [
      'data.incident.kind = card',
      'data.incident.kind in card|var',
      'data.match.minute >= 80.5',
      'data.match.minute <= 79',
      'data.incident.assist_name exists',
      'data.changes exists',
      'data.incident.payload.nothing exists',
      'data.incident.payload.score.home = 3',
      'data.changes.minute >= 1',
      'data.incident.payload.toString exists',
    ])
      assert.equal(meets(condition), false, condition);
  });

  it('have to be met all', () => {
    assert.equal(meets('data.match.minute >= 80', 'data.incident.kind = goal'), true);
    assert.equal(meets('data.match.minute >= 81', 'data.incident.kind = goal'), false);
    assert.equal(meets(), true);
  });

  it('are refused with the reason if they cannot be used', () => {
    refuses('', /empty/);
    refuses('data.match.minute', /is not a field with/);
    refuses('data.match.minute > 80', /is not a field with/);
    refuses('data.match.minute >= ', /is not a field with/);
    refuses('data.match.minutes >= 80', /no field data\.match\.minutes/);
    refuses('data.match.__proto__ exists', /no field/);
    refuses('data.match.constructor = x', /no field/);
    refuses('incident.kind = goal', /no field/);
    refuses('data.match.minute = late', /is a number/);
    refuses('data.match.minute in 1 || 2', /missing/);
    refuses('data.match.status = over', /is one of scheduled, live, finished/);
    refuses('data.match.home >= 1', /no single value/);
    refuses('data.incident.kind >= goal', /not a number/);
    refuses('data.incident.kind = "goal', /quotation marks/);
    refuses(`data.incident.payload.${'a.'.repeat(20)}a = 1`, /more than 8 names/);
    refuses(
      `data.incident.kind in ${Array.from({ length: 101 }, (_, i) => `k${i}`).join('|')}`,
      /more than 100 values/,
    );
    refuses(`data.incident.player_name = ${'x'.repeat(2_000)}`, /more than 2000 characters/);
    refuses('data.match.minute >= 1e400', /is a number/);
    assert.throws(() => parseConditions(Array.from({ length: 11 }, () => 'data exists')), /more than 10/);
    assert.equal(parseConditions(Array.from({ length: 10 }, () => 'data exists')).length, 10);
  });

  it('are separated by commas in an address, but not within quotation marks', () => {
    assert.deepEqual(splitConditions('data.match.minute>=80,data.incident.player_name="Ada, B"'), [
      'data.match.minute>=80',
      'data.incident.player_name="Ada, B"',
    ]);
    assert.deepEqual(splitConditions('a,,b'), ['a', '', 'b']);
    assert.deepEqual(splitConditions(''), ['']);
  });

  it('keep their meaning when they are written again, whatever text they compare', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 5 }), (values) => {
        const text = `data.incident.player_name in ${values.map((value) => JSON.stringify(value)).join('|')}`;
        const [parsed] = parseConditions([text]);
        assert.deepEqual(parsed!.values, values);
        assert.deepEqual(parseConditions([writeCondition(parsed!)]), [parsed]);
        assert.deepEqual(parseConditions(splitConditions(`${text},data exists`))[0], parsed);
      }),
    );
  });

  it('are read in linear time, whatever is sent', () => {
    const hostile = [
      `${'"\\'.repeat(900)}`,
      `a${'.a'.repeat(900)}`,
      `data.x in ${'|'.repeat(1_900)}`,
      `${' '.repeat(1_999)}=`,
    ];
    for (const text of hostile) assert.throws(() => parseConditions([text]), ConditionError, text.slice(0, 20));
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300, unit: fc.constantFrom('"', '\\', '|', ',', '=', '>', ' ', 'a', '.') }),
        (text) => {
          try {
            parseConditions(splitConditions(text).slice(0, 10));
          } catch (error) {
            assert.ok(error instanceof ConditionError, String(error));
          }
        },
      ),
    );
  });
});
