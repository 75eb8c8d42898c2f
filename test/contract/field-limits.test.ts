import { beforeAll, expect, test } from 'vitest';
import { createProject } from '../../src/domain/organizations/projects.ts';
import {
  type ApiOperation,
  type OpenApiSchema,
  operations,
  operationTitle,
  resolveSchema,
} from '../support/api/openapi-document.ts';
import { type ApiRequest, sampleRequest, sendRequest } from '../support/api/openapi-request.ts';
import { expectErrorBody } from '../support/api/rest-client.ts';
import { makeKey, makeOrganization } from '../support/canary-project.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

// The limits are those of the committed OpenAPI document. Its diff shows whether a limit has changed.

let service: TestService;
let authorization: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
  const organizationId = await makeOrganization(service.system);
  const { id } = await createProject(service.system, { organizationId, name: 'Limits' });
  authorization = `Bearer ${await makeKey(service.system, organizationId, id)}`;
});

/** An invalid value of a field, and the error message without the name of the field. */
type Violation = readonly [value: unknown, message: string];
type InvalidRequest = readonly [request: ApiRequest, message: string];

test.each(operations.map((operation) => [operationTitle(operation), operation] as const))(
  '%s enforces every limit of its fields with a message that names the field',
  { timeout: 20_000 },
  async (_title, operation) => {
    for (const [request, message] of [...invalidQueries(operation), ...invalidBodies(operation)]) {
      const response = sendRequest(`${service.url}/api/v1`, authorization, request);
      expect(await expectErrorBody(response), message).toMatchObject({
        statusCode: 400,
        code: 'VALIDATION_FAILED',
        message: [message],
      });
    }
  },
);

function invalidQueries(operation: ApiOperation): InvalidRequest[] {
  const sample = sampleRequest(operation);
  const withQuery = (name: string, ...values: unknown[]) => {
    const others = sample.query.filter(([other]) => other !== name);
    return { ...sample, query: [...others, ...values.map((value) => [name, `${value}`] as const)] };
  };
  const ofParameters = operation.parameters.flatMap(({ name, in: place, schema }) => {
    if (place !== 'query' || name === 'projectId') return [];
    const ofValues = violations(schema).map(
      ([value, text]) => [withQuery(name, value), `${name} ${text}`] as const,
    );
    // All values of a query are texts.
    const sent = ofValues.filter(([, message]) => !message.endsWith('must be a string'));
    return [...sent, [withQuery(name, 1, 1), `${name} must be passed once`] as const];
  });
  return [...ofParameters, [withQuery('notAField', 1), 'notAField is not a known parameter']];
}

function invalidBodies(operation: ApiOperation): InvalidRequest[] {
  const sample = sampleRequest(operation);
  if (operation.body?.mediaType !== 'application/json') return [];
  const { properties = {}, required = [] } = operation.body.schema;
  const withField = (name: string, value?: unknown) => ({
    ...sample,
    body: { ...sample.body, [name]: value },
  });
  const ofFields = Object.entries(properties).flatMap(([name, schema]) =>
    violations(schema).map(([value, text]) => [withField(name, value), `${name} ${text}`] as const),
  );
  return [
    ...ofFields,
    ...required.map((name) => [withField(name), `${name} is required`] as const),
    [withField('notAField', 1), 'notAField is not a known field'],
  ];
}

/** Returns a value for each limit of a field that violates only this limit. */
function violations(given: OpenApiSchema): Violation[] {
  const schema = resolveSchema(given);
  const { type, enum: values, anyOf, minimum, maximum } = schema;
  const all = (invalid: readonly unknown[], message: string) =>
    invalid.map((value): Violation => [value, message]);
  if (anyOf?.some(({ format }) => format === 'date')) {
    return all(['yesterday'], 'must be an ISO 8601 date or date-time');
  }
  if (anyOf !== undefined) {
    return all([1], `must be of type ${anyOf.map(({ type }) => type).join(', ')}`);
  }
  if (values !== undefined) return all(['NOPE', ''], `must be one of ${values.join(', ')}`);
  switch (type) {
    case 'integer':
      return all(
        [Number(minimum) - 1, Number(maximum) + 1, 1.5, 'x', ''],
        `must be an integer between ${minimum} and ${maximum}`,
      );
    case 'number':
      return [
        ...all(
          [Number(minimum) - 1, Number(maximum) + 1],
          `must be a number between ${minimum} and ${maximum}`,
        ),
        ['x', 'must be a number'],
      ];
    case 'boolean':
      return all(['yes', 1], 'must be a boolean');
    case 'object':
      return all(['x', []], 'must be an object');
    case 'array':
      return violationsOfList(schema);
    default:
      return violationsOfText(schema);
  }
}

function violationsOfList({ items = {}, minItems, maxItems, example }: OpenApiSchema): Violation[] {
  const [item] = Array.isArray(example) ? example : [];
  const tooMany = Array(Number(maxItems) + 1).fill(item);
  return [
    ['x', 'must be an array'],
    ...(item ? [[tooMany, `must have at most ${maxItems} entries`] as const] : []),
    ...(minItems === 1 ? [[[], 'must not be empty'] as const] : []),
    ...violations(items)
      .filter(([value]) => value !== textWithNul)
      .map(([value, message]) => [[value], message] as const),
  ];
}

const textWithNul = 'a\0b';

function violationsOfText(schema: OpenApiSchema): Violation[] {
  const { format, minLength, maxLength, pattern, 'x-pattern-message': allowed = '' } = schema;
  const violates = (text: string) => pattern !== undefined && !RegExp(pattern, 'u').test(text);
  const tooLong = 'a'.repeat(Number(maxLength) + 1);
  if (format === 'date-time') return [['yesterday', 'must be an ISO 8601 date-time']];
  return [
    [1, 'must be a string'],
    [textWithNul, 'must not contain NUL characters'],
    ...(maxLength === undefined
      ? []
      : [
          [
            tooLong,
            violates(tooLong) ? allowed : `must be at most ${maxLength} characters`,
          ] as const,
        ]),
    ...(minLength === 1 ? [['', violates('') ? allowed : 'must not be empty'] as const] : []),
    ...(violates(' \n') ? [[' \n', allowed] as const] : []),
  ];
}
