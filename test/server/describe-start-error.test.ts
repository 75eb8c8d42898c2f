import { expect, test } from 'vitest';
import { describeStartError } from '../../src/server/describe-start-error.ts';

test('a start on the target of an unfinished move says what locks the tables', () => {
  const error = Object.assign(new Error('canceling statement due to user request'), {
    code: '57014',
  });
  expect(describeStartError(error)).toMatch(/^The database does not answer in time: .*cli -- move/);
  expect(describeStartError(error)).not.toContain('\n');
});
