/** An operation as tsoa prints it. */
interface SecuredOperation {
  readonly operationId?: string;
  description?: string;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  'x-scopes'?: readonly string[];
}

/** Keywords of a schema. The programs that read the schema differ in how they treat some of these keywords. */
interface Keywords {
  readonly $ref?: string;
  readonly allOf?: readonly Keywords[];
  readonly nullable?: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly [keyword: string]: unknown;
}

interface NamedSchema {
  additionalProperties?: boolean;
  readonly properties?: object;
}

type NamedSchemas = Readonly<Record<string, NamedSchema>>;

/**
 * Names the scopes of an operation in its description and in `x-scopes`, because `security` cannot contain scopes of a
 * bearer token in OpenAPI 3.0.
 */
export function nameScopes(operation: SecuredOperation): void {
  const { security = [] } = operation;
  const scopes = security.flatMap((requirement) => Object.values(requirement).flat());
  const named = scopes.map((scope) => `\`${scope}\``).join(' and ');
  const sentence = `Needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${named}.`;
  operation['x-scopes'] = scopes;
  if (!operation.description) throw new Error(`${operation.operationId} has no description`);
  operation.description = `${operation.description}\n\n${sentence}`;
  operation.security = security.map((requirement) =>
    Object.fromEntries(Object.keys(requirement).map((name) => [name, []])),
  );
}

/** Rewrites the properties of named schemas so that all validators and client generators read them in the same way. */
export function makePortable(schemas: NamedSchemas): void {
  for (const schema of Object.values(schemas)) {
    // True is the default. If it were written, generated clients would accept any field as known.
    if (schema.additionalProperties === true) delete schema.additionalProperties;
    const { properties = {} } = schema;
    for (const [name, property] of Object.entries<Keywords>({ ...properties })) {
      Reflect.set(properties, name, portable(property, schemas));
    }
  }
}

function portable(property: Keywords, schemas: NamedSchemas): Keywords {
  return withoutDefault(withTypeBesideNullable(withoutReferenceSiblings(property), schemas));
}

/** In an object with `$ref`, readers ignore all other fields. */
function withoutReferenceSiblings({ $ref, ...siblings }: Keywords): Keywords {
  if ($ref === undefined) return siblings;
  return Object.keys(siblings).length === 0 ? { $ref } : { allOf: [{ $ref }], ...siblings };
}

/**
 * `nullable` works only next to `type`, and the referenced object itself is not nullable. So this function replaces the
 * reference with a copy of the object.
 */
function withTypeBesideNullable(property: Keywords, schemas: NamedSchemas): Keywords {
  const { allOf, ...siblings } = property;
  const name = allOf?.[0]?.$ref?.split('/').at(-1) ?? '';
  const referenced = schemas[name];
  return property.nullable && referenced !== undefined ? { ...referenced, ...siblings } : property;
}

/** Client generators treat a field with `default` as required, although a request may omit it. */
function withoutDefault(property: Keywords): Keywords {
  if (!('default' in property)) return property;
  const { default: value, description = '', example = value, ...others } = property;
  return {
    ...others,
    description: `${description} Default: ${value}.`,
    example,
    'x-default': value,
  };
}
