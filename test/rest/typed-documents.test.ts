import { expect, expectTypeOf, test } from 'vitest';
import { executeGraphql, graphql } from '../../src/rest/graphql/execute-graphql.ts';
import type { GraphqlCall } from '../../src/rest/request/rest-call.ts';
import { type BodyOf, object } from '../../src/rest/widget/body-schema.ts';

// The compiler checks these tests in `npm run check`. They are not executed.

const documentFields = 'id error { code message } tags';

const getDocument = graphql(`
  query getDocument($id: ID!, $projectId: ID!) {
    document(id: $id, projectId: $projectId) { ${documentFields} }
  }
`);

const rateAnswer = graphql(
  'mutation rate($input: GiveFeedbackInput!) { giveFeedback(input: $input) { comment } }',
);

test('the result of a document follows from its text and the schema', () => {
  type Code = 'UNSUPPORTED_FILE' | 'EMPTY_TEXT' | 'ENCRYPTED' | 'CORRUPT_FILE' | 'TOO_LARGE';
  expectTypeOf<NonNullable<typeof getDocument.result>>().branded.toEqualTypeOf<{
    document: {
      id: string;
      error: { code: Code | 'EMBEDDING_ERROR' | 'INTERNAL'; message: string } | null;
      tags: string[];
    };
  }>();
});

test('a document cannot select a field that the schema does not have', () => {
  // @ts-expect-error The top-level field does not exist.
  expect(graphql('{ keyProject { id } }').source).toContain('keyProject');
  // @ts-expect-error The nested field does not exist.
  expect(graphql('{ keyProjects { id title } }').source).toContain('title');
});

test('the text of a document is constant and complete', () => {
  const text: string = 'query projects { keyProjects { id } }';
  // @ts-expect-error The compiler does not know the value of the text.
  expect(graphql(text).source).toBe(text);
  // @ts-expect-error A brace is missing.
  expect(graphql('query projects { keyProjects { id }').source).toContain('id');
});

test('a document is executed with its own variables only', () => {
  const id = '01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a';
  const input = { messageId: id, rating: 'UP' } as const;
  const calls = (call: GraphqlCall) => [
    executeGraphql(call, getDocument, { id, projectId: id }),
    executeGraphql(call, rateAnswer, { input }),
    executeGraphql(call, rateAnswer, { input: { ...input, comment: undefined } }),
    // @ts-expect-error A variable is missing.
    executeGraphql(call, getDocument, { id }),
    // @ts-expect-error The document has no such variable.
    executeGraphql(call, getDocument, { ...{ id, projectId: id, tag: 'hr' } }),
    // @ts-expect-error A field of the input is missing.
    executeGraphql(call, rateAnswer, { input: { messageId: id } }),
    // @ts-expect-error The input has no such field.
    executeGraphql(call, rateAnswer, { input: { ...input, ...{ remark: 'Thanks' } } }),
    // @ts-expect-error The enum has no such value.
    executeGraphql(call, rateAnswer, { input: { ...input, rating: 'GOOD' } }),
  ];
  expectTypeOf(calls).returns.items.resolves.not.toBeAny();
});

test('a nullable field cannot be used as one that always has a value', () => {
  const read = async (call: GraphqlCall) => {
    const { document } = await executeGraphql(call, getDocument, { id: '', projectId: '' });
    // @ts-expect-error
    return document.error.code;
  };
  expectTypeOf(read).returns.resolves.toBeString();
});

test('the body of a visitor follows from its schema', () => {
  const body = object(
    { name: { type: 'string' }, rating: { type: 'string', enum: ['UP', 'DOWN'] } },
    ['rating'],
  );
  expectTypeOf<BodyOf<typeof body>>().branded.toEqualTypeOf<{
    readonly name?: string;
    readonly rating: 'UP' | 'DOWN';
  }>();
});
