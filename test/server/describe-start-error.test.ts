import { expect, test } from 'vitest';
import { describeStartError } from '../../src/server/describe-start-error.ts';
import { ListenError } from '../../src/server/listen-error.ts';

test('a start on the target of an unfinished move says what locks the tables', () => {
  const error = Object.assign(new Error('canceling statement due to user request'), {
    code: '57014',
  });
  expect(describeStartError(error)).toMatch(/^The database does not answer in time: .*cli -- move/);
  expect(describeStartError(error)).not.toContain('\n');
});

test.each(['PORT', 'WORKER_PORT'])('a port that needs rights is an error of %s', (setting) => {
  const denied = Object.assign(new Error('listen EACCES: permission denied 127.0.0.1:80'), {
    code: 'EACCES',
  });
  const text = describeStartError(new ListenError(denied), setting);
  expect(text).toMatch(new RegExp(`ports below 1024 .* Set ${setting} to 1024`));
  expect(text).not.toContain('DATA_DIR');
});
