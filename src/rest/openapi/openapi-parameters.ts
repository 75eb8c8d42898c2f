import { exampleId, wordsOf } from './openapi-examples.ts';

/** A parameter of an operation, or a reference to one. */
export interface Parameter {
  readonly in?: string;
  readonly name?: string;
  description?: string;
  example?: unknown;
  required?: boolean;
  schema?: ParameterSchema;
  readonly $ref?: string;
}

interface ParameterSchema {
  readonly type?: string;
  format?: string;
  'x-pattern-message'?: string;
  readonly anyOf?: readonly ParameterSchema[];
}

/**
 * Adds the formats and extensions that tsoa omits from parameters. Every path parameter is an id, which its name
 * describes.
 */
export function completeParameters(parameters: readonly Parameter[]): void {
  for (const parameter of parameters) {
    const { in: place, name = '', schema } = parameter;
    if (place === 'path') {
      parameter.description ??= `Id of the ${wordsOf(name.replace(/Id$/, ''))}.`;
      parameter.example ??= exampleId(name);
    }
    const format = place === 'path' ? 'uuid' : parameterFormats[name];
    const message = patternMessages[name];
    if (schema !== undefined && format !== undefined) schema.format = format;
    if (schema !== undefined && dateParameters.has(name)) {
      parameter.schema = {
        anyOf: ['date', 'date-time'].map((format) => ({ type: 'string', format })),
      };
    }
    if (schema !== undefined && message !== undefined) schema['x-pattern-message'] = message;
  }
}

const patternMessages: Readonly<Record<string, string>> = {
  endUserId: 'must be printable characters',
};

const parameterFormats: Readonly<Record<string, string>> = {
  projectId: 'uuid',
  sourceId: 'uuid',
};

/** Parameters that take a date or a date-time. */
const dateParameters: ReadonlySet<string> = new Set(['from', 'to', 'since']);
