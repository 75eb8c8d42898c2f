import { expect, it } from 'vitest';
import { hitsWithNamedRow } from '../../../src/domain/chat/evidence/named-rows.ts';
import type { Hit } from '../../../src/domain/knowledge/retrieval/hybrid-search.ts';

function hit(content: string, context = 'Backends › Backend | Kind | Since'): Hit {
  const place = {
    page: null,
    sourceUrl: null,
    metadata: {},
    startOffset: 0,
    endOffset: 1,
    context,
  };
  const document = { documentId: 'a', documentName: 'a.md', chunkId: content, content };
  return { ...document, ...place, score: 0.1, similarity: 0, lexical: 0 };
}

const rows = hit('redis | remote | 2019\ncitus | distributed | 2021');

it('finds the chunk with the row and the column that a question names', () => {
  expect(
    hitsWithNamedRow('What kind of backend is citus?', [hit('pg | local | 2018'), rows]),
  ).toEqual([rows]);
});

it.each([
  ['the row is not named', 'What kind of backend is it?'],
  ['the column is not named', 'Who made citus?'],
])('finds none if %s', (_, question) => {
  expect(hitsWithNamedRow(question, [rows])).toEqual([]);
});

it('finds none in text, and two at most', () => {
  const question = 'What kind of backend is citus?';
  expect(hitsWithNamedRow(question, [hit('citus | distributed | 2021', 'Backends')])).toEqual([]);
  expect(hitsWithNamedRow(question, [hit('citus is of the kind "distributed"')])).toEqual([]);
  expect(hitsWithNamedRow(question, [rows, rows, rows])).toHaveLength(2);
});
