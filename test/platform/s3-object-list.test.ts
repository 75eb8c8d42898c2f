import { expect, test } from 'vitest';
import { readObjectList } from '../../src/platform/s3/object-list.ts';

test('keys are read as other servers write them', () => {
  const contents = ['a &amp;#39; b&#x27;&#33;', '%41+b'].map((key) => objectOf(key)).join('');
  expect(readObjectList(listOf(contents))?.objects.map(({ key }) => key)).toEqual([
    "a &#39; b'!",
    '%41+b',
  ]);
  const encoded = readObjectList(listOf(`${contents}<EncodingType>url</EncodingType>`));
  expect(encoded?.objects.map(({ key }) => key)).toEqual(["a &#39; b'!", 'A b']);
});

test('an empty bucket and the pages of a large one are read', () => {
  expect(readObjectList(`${listOf('')}\n`)).toEqual({ objects: [], next: null });
  const token = '<NextContinuationToken>t</NextContinuationToken>';
  expect(readObjectList(listOf(objectOf('a') + token, 'true'))).toEqual({
    objects: [{ key: 'a', etag: '"1"' }],
    next: 't',
  });
});

test('an answer that is no list of objects is recognized', () => {
  expect(readObjectList('<html>Sign in</html>')).toBeNull();
  expect(readObjectList('<ListBucketResult></ListBucketResult>')).toBeNull();
});

test('a list that is cut off anywhere is refused', () => {
  const whole = listOf(objectOf('a') + objectOf('b'));
  expect(readObjectList(whole)?.objects).toHaveLength(2);
  for (let length = 0; length < whole.length; length += 1) {
    expect(readObjectList(whole.slice(0, length)), whole.slice(0, length)).toBeNull();
  }
  for (const isTruncated of ['true', 'True', '', '1']) {
    expect(readObjectList(listOf(objectOf('a'), isTruncated)), isTruncated).toBeNull();
  }
});

test('a list with an entry that cannot be read is refused, so that no document counts as deleted', () => {
  const encoded = '<EncodingType>url</EncodingType>';
  expect(readObjectList(listOf(`${objectOf('a')}${objectOf('%zz')}${encoded}`))).toBeNull();
  const bad = [
    '<Contents><Key>b</Key></Contents>',
    '<Contents><ETag>"1"</ETag></Contents>',
    '<Contents><Key></Key><ETag>"1"</ETag></Contents>',
    '<Contents type="x"><Key>b</Key><ETag>"1"</ETag></Contents>',
    '<Contents/>',
    objectOf('b'.repeat(9_000)),
    objectOf('b').replace('</Contents>', ''),
    objectOf('b').repeat(1_001),
  ];
  for (const entry of bad) {
    expect(readObjectList(listOf(objectOf('a') + entry)), entry.slice(0, 60)).toBeNull();
    expect(readObjectList(listOf(entry + objectOf('a'))), entry.slice(0, 60)).toBeNull();
  }
});

function objectOf(key: string): string {
  return `<Contents><Key>${key}</Key><ETag>"1"</ETag><Size>1</Size></Contents>`;
}

function listOf(contents: string, isTruncated = 'false'): string {
  return `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${isTruncated}</IsTruncated>${contents}</ListBucketResult>`;
}
