import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputField,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import {
  exampleBoolean,
  exampleId,
  exampleInteger,
  exampleTime,
  figureFacts,
  wordsOf,
} from './openapi-examples.ts';

/** GraphQL types of schemas that have another name than their type, or the fields of several types. */
const typeNames: Readonly<Record<string, readonly string[]>> = {
  DeliveryRecord: ['WebhookDelivery'],
  EvaluationResultRecord: ['EvaluationResult', 'SetQuestion'],
  FigureCounts: ['EvaluationCounts'],
  KeyRecord: ['ApiKey'],
  KeyWithSecret: ['ApiKey'],
  ReliabilityRecord: ['ReliabilityBin'],
  SatisfactionRecord: ['HandoffSatisfaction'],
  UsageResponse: ['Usage'],
  WebhookRecord: ['WebhookEndpoint'],
  WebhookWithSecret: ['WebhookEndpoint'],
  WrittenDocument: ['Document'],
};

/** Types whose fields are figures of evaluation. */
const figureTypes = ['EvaluationFigures', 'FigureBounds', 'FigureBoundsInput'];

interface Property {
  readonly $ref?: string;
  readonly type?: string;
  readonly minimum?: number;
  readonly description?: string;
}

type Schemas = Readonly<Record<string, { properties?: Readonly<Record<string, Property>> }>>;

interface Field {
  readonly field: GraphQLField<unknown, unknown> | GraphQLInputField;
  readonly typeName: string;
}

/**
 * Completes the properties of schemas from the fields of the same name in GraphQL: description, format, limits and
 * example. Keeps everything that an interface declares itself, so an interface declares only what GraphQL lacks.
 */
export function completeFromGraphql(schemas: Schemas): void {
  const fieldsOf = readFields();
  for (const [name, schema] of Object.entries(schemas)) {
    const fields = fieldsOf(name);
    const completed = Object.entries(schema.properties ?? {}).map(([property, own]) => {
      const found = fields.get(property);
      return [property, found === undefined ? own : complete(property, own, found)];
    });
    if (fields.size > 0) schema.properties = Object.fromEntries(completed);
  }
}

/** Returns a function that returns the fields of GraphQL that a schema has, too. */
function readFields(): (schemaName: string) => ReadonlyMap<string, Field> {
  const file = new URL('../../schema/schema.graphql', import.meta.url);
  const graphql = buildSchema(readFileSync(file, 'utf8'));
  return (schemaName) => {
    // `DocumentRecord` has the fields of the GraphQL type `Document`, `CreateSourceRequest` those of `CreateSourceInput`.
    const usual = schemaName.replace(/Record$/, '').replace(/Request$/, 'Input');
    const fields = (typeNames[schemaName] ?? [usual]).flatMap((typeName) => {
      const type = graphql.getType(typeName);
      if (!isObjectType(type) && !isInputObjectType(type)) return [];
      const own = Object.entries<Field['field']>(type.getFields());
      return own.map(([name, field]): [string, Field] => [name, { field, typeName }]);
    });
    // Of two types with the same field, the one with a description counts.
    return new Map(fields.sort(([, left], [, right]) => weight(left) - weight(right)));
  };
}

function weight({ field }: Field): number {
  return field.description ? 1 : 0;
}

function complete(property: string, own: Property, { field, typeName }: Field): Property {
  const said = own.description ?? field.description;
  if (own.$ref !== undefined) {
    return said && !typeName.endsWith('Input') ? { ...own, description: said } : own;
  }
  const description = said ?? conventional(property, typeName);
  const isFigure = figureTypes.includes(typeName) && own.type === 'number';
  const facts = isFigure ? figureFacts(property) : factsOf(property, field.type, typeName);
  return { ...own, ...withoutOwn(facts, own), ...(description && { description }) };
}

/** Leaves out what the interface says itself. A number without a limit has the type that GraphQL names. */
function withoutOwn(facts: Readonly<Record<string, unknown>>, own: Property): object {
  const isBare = own.type === 'number' && own.minimum === undefined;
  const isOpen = (keyword: string) =>
    !(keyword in own) || (isBare && (keyword === 'type' || keyword === 'format'));
  return Object.fromEntries(Object.entries(facts).filter(([keyword]) => isOpen(keyword)));
}

function factsOf(property: string, type: Field['field']['type'], typeName: string) {
  const plain = getNullableType(type);
  if (isListType(plain)) return {};
  if (isEnumType(plain)) return { example: plain.getValues()[0]?.name };
  switch (String(plain)) {
    case 'ID':
      return { format: 'uuid', example: exampleId(property === 'id' ? typeName : property) };
    case 'DateTime':
      return { format: 'date-time', example: exampleTime(property) };
    case 'Int':
      return { type: 'integer', format: 'int32', minimum: 0, example: exampleInteger(property) };
    case 'Boolean':
      return { example: exampleBoolean(property) };
    default:
      return {};
  }
}

/** Describes fields that mean the same in every type. */
function conventional(property: string, typeName: string): string | undefined {
  if (property === 'id') return `Id of the ${wordsOf(typeName)}.`;
  if (property === 'createdAt') return 'Time of creation.';
  if (property === 'updatedAt') return 'Time of the last change.';
  return property.endsWith('Id') ? `Id of the ${wordsOf(property.slice(0, -2))}.` : undefined;
}
