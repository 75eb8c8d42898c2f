import openApiJson from '../../rest/openapi.json' with { type: 'json' };

/** The parts of a JSON schema that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly 'x-default'?: unknown;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | number | null)[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Reference {
  readonly $ref: string;
}

interface GivenOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Operation extends Omit<GivenOperation, 'parameters' | 'responses'> {
  readonly method: string;
  /** Path below `/api/v1`, with parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, GivenOperation>>>>;
  readonly 'x-webhooks': Readonly<Record<string, { readonly post: GivenOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** The published OpenAPI document. The file is generated, and a test checks that it is valid. */
const document = openApiJson as unknown as Document;

export const { info, tags } = document;

/** All operations, in the order of their paths. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => complete(method, path, operation)),
);

/** The events of webhooks by their type. */
export const webhookEvents: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries(document['x-webhooks']).map(([type, { post }]) => [
    type,
    complete('post', '', post),
  ]),
);

function complete(method: string, path: string, given: GivenOperation): Operation {
  const { parameters = [], responses } = given;
  return {
    ...given,
    method: method.toUpperCase(),
    path,
    parameters: parameters.map((parameter) => resolve('parameters', parameter)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        resolve('responses', response),
      ]),
    ),
  };
}

function resolve<Value extends object>(kind: 'parameters' | 'responses', given: Value | Reference) {
  if (!('$ref' in given)) return given;
  const name = given.$ref.split('/').at(-1) ?? '';
  const found = document.components[kind][name] as Value | undefined;
  if (found === undefined) throw new Error(`openapi.json has no ${given.$ref}`);
  return found;
}

/** A schema without references at its top. */
export interface ResolvedSchema {
  readonly schema: Schema;
  /** Name of the schema that was referred to, or null. */
  readonly name: string | null;
}

/** Follows a reference, also in `allOf` with one entry, which openapi.json uses to describe a reference. */
export function resolveSchema(given: Schema): ResolvedSchema {
  const reference = given.$ref ?? given.allOf?.[0]?.$ref;
  if (reference === undefined) return { schema: given, name: null };
  const name = reference.split('/').at(-1) ?? '';
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`openapi.json has no ${reference}`);
  const { $ref: _reference, allOf: _all, ...own } = given;
  return { schema: { ...found, ...own }, name };
}
