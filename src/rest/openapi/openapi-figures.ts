import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType, isObjectType } from 'graphql';

/** Schemas with figures of evaluation, and the GraphQL types that describe their properties. */
const describedBy = {
  FigureCounts: 'EvaluationCounts',
  EvaluationFiguresRecord: 'EvaluationFigures',
  FigureBoundsRecord: 'FigureBounds',
  FigureBoundsRequest: 'FigureBoundsInput',
};

interface Property {
  readonly type?: string;
  readonly description?: string;
}

type Schemas = Readonly<Record<string, { properties?: Readonly<Record<string, Property>> }>>;

/** Adds descriptions, limits and examples to the figures, whose interfaces only list their names. */
export function describeFigures(schemas: Schemas): void {
  const path = new URL('../../schema/schema.graphql', import.meta.url);
  const graphql = buildSchema(readFileSync(path, 'utf8'));
  for (const [name, typeName] of Object.entries(describedBy)) {
    const schema = schemas[name];
    const type = graphql.getType(typeName);
    if (schema === undefined || !(isObjectType(type) || isInputObjectType(type))) {
      throw new Error(`${name} or ${typeName} does not exist`);
    }
    const fields = type.getFields();
    const described = Object.entries(schema.properties ?? {}).map(([figure, property]) => {
      if (property.type !== 'number') return [figure, property];
      const description = fields[figure]?.description;
      const facts = name === 'FigureCounts' ? countFacts : factsOf(figure);
      return [figure, { ...property, ...facts, description }];
    });
    schema.properties = Object.fromEntries(described);
  }
}

const countFacts = { type: 'integer', format: 'int32', minimum: 0, example: 120 };

/** Figures are shares, except times in milliseconds and numbers of tokens. */
function factsOf(figure: string) {
  if (figure.endsWith('Ms')) return { minimum: 0, maximum: 1e12, example: 420 };
  if (figure === 'tokens') return { minimum: 0, maximum: 1e12, example: 184_201 };
  const isLow = figure === 'refusedWrongly' || figure.startsWith('calibrationError');
  return { minimum: 0, maximum: 1, example: isLow ? 0.05 : 0.9 };
}
