import { expect, test } from 'vitest';
import { attachCode } from '../../../src/models/extractive/attach-code.ts';
import { joinProcedures } from '../../../src/models/extractive/procedures.ts';
import { sentencesOf } from '../../../src/text/sentences.ts';

const linesOf = (text: string) =>
  joinProcedures(attachCode(sentencesOf(text))).map(({ kind, text }) => `${kind}: ${text}`);

test('commands and notes between steps are parts of the steps', () => {
  const text = `To switch the engine:

1. Stop all containers:

$ docker compose -f docker/compose.yml down -v

:::caution WARNING This deletes all volumes. :::

2. Set ENGINE=b in .env
3. Restart:

$ docker compose up -d`;
  expect(linesOf(text)).toEqual([
    'sentence: To switch the engine:',
    'list-item: 1. Stop all containers: docker compose -f docker/compose.yml down -v WARNING This deletes all volumes.',
    'list-item: 2. Set ENGINE=b in .env',
    'list-item: 3. Restart: docker compose up -d',
  ]);
});

test.each([
  [
    'two lists',
    '1. Call us.\n2. Write to us.\n\nSay what happened:\n\n1. The time.\n2. The place.\n3. Who.',
  ],
  ['a list without anything between', 'Do this:\n\n1. Open it.\n2. Close it.'],
  [
    'headings with a number',
    '1. Refunds\n\nRefunds take a week.\n\nWhat is a refund?\n\n2. Returns',
  ],
])('%s stays as it is', (_, text) => {
  expect(linesOf(text)).toEqual(sentencesOf(text).map(({ kind, text }) => `${kind}: ${text}`));
});
