import { sampleBodies } from './openapi-code-samples.ts';

interface Schema {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; example?: unknown }>>;
  };
}

/** Example bodies for operations whose required fields contain objects. Such objects have no example of their own. */
const ownBodies: Readonly<Record<string, object>> = {
  createSource: {
    kind: 'WEBSITE',
    name: 'Help center',
    config: { startUrls: ['https://example.com/'] },
  },
};

/**
 * Adds an example of a JSON body: the body of the code samples, or the required fields. Without this example, tools
 * send the examples of all fields, such as ids of a project and a conversation that do not exist.
 */
export function addBodyExample(
  { operationId, requestBody }: Operation,
  schemas: Readonly<Record<string, Schema>>,
): void {
  const media = requestBody?.content['application/json'];
  if (media === undefined) return;
  media.example =
    sampleBodies[operationId] ?? ownBodies[operationId] ?? requiredFields(media.schema, schemas);
}

function requiredFields(
  given: Schema,
  schemas: Readonly<Record<string, Schema>>,
): Readonly<Record<string, unknown>> {
  const { required = [], properties = {} } = schemas[given.$ref?.split('/').at(-1) ?? ''] ?? given;
  return Object.fromEntries(
    required.map((name) => {
      const example = properties[name]?.example;
      if (example === undefined) throw new Error(`The required field ${name} has no example`);
      return [name, example];
    }),
  );
}
