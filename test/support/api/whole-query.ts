import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';

/** Types within types that a selection contains. Edges and nodes of a connection count as two. */
const maxDepth = 4;

/**
 * Returns the text of a query with one root field and all that it contains: every field without required arguments,
 * to a depth of four types. A type is not selected again within itself.
 */
export function wholeQuery(field: GraphQLField<unknown, unknown>, argumentText: string): string {
  return `{ ${field.name}${argumentText} ${selectionOf(field.type, [])} }`;
}

function selectionOf(type: GraphQLOutputType, outer: readonly string[]): string {
  const named = getNamedType(type);
  if (isUnionType(named)) {
    // Two types of a union may have a field with the same name and different types.
    const parts = named
      .getTypes()
      .map(
        (one) =>
          `... on ${one.name} { ${fieldsOf(one.getFields(), [...outer, one.name], `${one.name}_`)} }`,
      );
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(named) && !isInterfaceType(named)) return '';
  return `{ __typename ${fieldsOf(named.getFields(), [...outer, named.name])} }`;
}

function fieldsOf(
  fields: Readonly<Record<string, GraphQLField<unknown, unknown>>>,
  outer: readonly string[],
  prefix = '',
): string {
  return Object.values(fields)
    .filter(({ args, type }) => !args.some(isRequired) && isSelected(type, outer))
    .map(
      ({ name, type }) =>
        `${prefix === '' ? '' : `${prefix}${name}: `}${name} ${selectionOf(type, outer)}`,
    )
    .join(' ');
}

const isRequired = (argument: GraphQLArgument) => isRequiredArgument(argument);

function isSelected(type: GraphQLOutputType, outer: readonly string[]): boolean {
  const named = getNamedType(type);
  const hasFields = isObjectType(named) || isInterfaceType(named) || isUnionType(named);
  return !hasFields || (outer.length < maxDepth && !outer.includes(named.name));
}
