/** A GraphQL operation that is too expensive. The service must refuse it before it computes anything. */
export interface ExpensiveOperation {
  readonly name: string;
  readonly code: 'QUERY_TOO_COMPLEX' | 'GRAPHQL_VALIDATION_FAILED';
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const messages = 'edges { node { content } }';
const conversations = (page: string, inner = page) =>
  `conversations(projectId: $projectId, ${page}) { edges { node { messages(${inner}) { ${messages} } } } }`;

/** A short operation. Its variable makes the response 63 MB long. */
const nestedPages = operation(
  'pages in pages',
  `query ($projectId: ID!, $n: Int) { ${conversations('first: $n')} }`,
  { n: 100 },
);

const hundredKilobytes = (part: string) => part.repeat(Math.ceil(100_000 / part.length));

export const expensiveOperations: readonly ExpensiveOperation[] = [
  nestedPages,
  operation(
    'pages in pages, 20 aliases',
    `query ($projectId: ID!, $n: Int) { ${aliases(20, conversations('first: $n'))} }`,
    { n: 100 },
  ),
  operation(
    'default page size',
    `query ($projectId: ID!, $n: Int = 100) { ${conversations('first: $n')} }`,
  ),
  operation(
    'last',
    `query ($projectId: ID!, $n: Int) { ${conversations('first: null, last: $n')} }`,
    { n: 100 },
  ),
  operation('literal page size', `query ($projectId: ID!) { ${conversations('first: 100')} }`),
  operation(
    'limit',
    `query ($projectId: ID!, $n: Int!) { conversationPage(projectId: $projectId, limit: $n) { data { messages(first: $n) { ${messages} } } } }`,
    { n: 100 },
  ),
  operation(
    'fragment',
    `query ($projectId: ID!, $n: Int) { ...all } fragment all on Query { ${conversations('first: $n')} }`,
    { n: 100 },
  ),
  operation('10,000 aliases', `{ ${aliases(10_000, '__typename')} }`),
  operation('100 kB of equal fields', `{ ${hundredKilobytes('__typename ')} }`),
  operation('100 kB of unknown fields', `{ ${aliases(8_000, 'unknown')} }`),
  operation('1,990 equal fields', `{ ${'__typename '.repeat(1_990)} }`),
  {
    ...operation('100 kB of one name', `{ ${hundredKilobytes('a')} }`),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
  operation(
    '100 kB of a comment and too many pages',
    `#${hundredKilobytes('a')}\n${nestedPages.query}`,
    nestedPages.variables,
  ),
  operation('100 kB of directives', `{ __typename ${hundredKilobytes('@skip(if: false) ')} }`),
  operation('100 kB of nested fields', `{ ${nested(16_000, 'a {', '}')} }`),
  operation(
    'fragments that double',
    `{ ...f0 } ${Array.from({ length: 100 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`).join(' ')} fragment f100 on Query { a }`,
  ),
  operation(
    'deep aliases',
    `query ($projectId: ID!) { ${aliases(29, conversations('first: 20'))} }`,
  ),
  operation(
    'overlapping fragments',
    `query ($projectId: ID!) { ${Array.from({ length: 60 }, (_, n) => `...f${n}`).join(' ')} } ${Array.from({ length: 60 }, (_, n) => `fragment f${n} on Query { ${conversations('first: 100')} }`).join(' ')}`,
  ),
  {
    ...operation(
      '100,000 invalid items of a variable',
      'mutation ($ids: [ID!]!) { deleteDocuments(input: { documentIds: $ids }) { __typename } }',
      { ids: Array.from({ length: 100_000 }, () => ({})) },
    ),
    code: 'GRAPHQL_VALIDATION_FAILED',
  },
];

function operation(
  name: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): ExpensiveOperation {
  return { name, code: 'QUERY_TOO_COMPLEX', query, variables };
}

function aliases(count: number, field: string): string {
  return Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join('\n');
}

function nested(count: number, open: string, close: string): string {
  return open.repeat(count) + close.repeat(count);
}
