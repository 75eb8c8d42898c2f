import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** An operation whose variables are known. */
export interface KnownOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Returns the number of rows that an operation can return. The page sizes of nested fields are multiplied, and the
 * results of all fields and aliases are added. Stops counting above `maxRows`.
 */
export function countRows(known: KnownOperation, maxRows: number): number {
  const { schema, operation } = known;
  let rows = 0;
  const visit = (selections: SelectionSetNode, type: GraphQLOutputType, parents: Parents): void => {
    for (const selection of selections.selections) {
      if (rows > maxRows) return;
      if (selection.kind === Kind.FIELD) {
        visitField(selection, type, parents);
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const fragment = isSpread ? known.fragments[selection.name.value] : selection;
      if (fragment === undefined) continue;
      const name = fragment.typeCondition?.name.value;
      const condition = name === undefined ? type : schema.getType(name);
      if (isCompositeType(condition)) visit(fragment.selectionSet, condition, parents);
    }
  };
  const visitField = (node: FieldNode, type: GraphQLOutputType, parents: Parents): void => {
    const hasFields = isObjectType(type) || isInterfaceType(type);
    const field = hasFields ? type.getFields()[node.name.value] : undefined;
    if (field === undefined || node.selectionSet === undefined) return;
    const pageSize = pageSizeOf(field, node, known.variables);
    const isList = isListType(getNullableType(field.type));
    // The list inside a page has as many items as the page.
    const length = pageSize ?? (isList && !parents.isPage ? unpagedListLength : 1);
    const count = parents.count * length;
    if (length > 1 || pageSize !== null) rows += count;
    const fields = getNamedType(field.type);
    if (isCompositeType(fields)) {
      visit(node.selectionSet, fields, { count, isPage: pageSize !== null && !isList });
    }
  };
  const root = schema.getRootType(operation.operation);
  if (root) visit(operation.selectionSet, root, { count: 1, isPage: false });
  return rows;
}

/** Parents of a field: the number of parent rows, and whether the parent is a page of rows. */
interface Parents {
  readonly count: number;
  readonly isPage: boolean;
}

/** Assumed length of a list without a page size, such as the citations of an answer. */
const unpagedListLength = 5;
const defaultPageSize = 20;
const maxPageSize = 100;

/** Returns the page size that a field is called with, or null if it has none. */
function pageSizeOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number | null {
  const names = field.args.map(({ name }) => name).filter((name) => pageArguments.has(name));
  const hasIds = field.args.some(({ name }) => name === 'ids');
  if (names.length === 0 && !hasIds) return null;
  const values = argumentValues(field, node, variables);
  if (Array.isArray(values.ids)) return values.ids.length;
  const sizes = names.map((name) => values[name]).filter((value) => typeof value === 'number');
  return Math.max(
    0,
    Math.min(maxPageSize, Math.max(...sizes, ...(sizes.length ? [] : [defaultPageSize]))),
  );
}

const pageArguments = new Set(['first', 'last', 'limit']);

/** Returns {} if the arguments are invalid. The execution then refuses the operation. */
function argumentValues(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, variables);
  } catch (error) {
    if (error instanceof GraphQLError) return {};
    throw error;
  }
}
