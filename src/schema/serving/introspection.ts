import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../../domain/context.ts';
import { consumeCostlyLimit } from '../../domain/usage/costly-limit.ts';
import { DomainError } from '../../platform/errors.ts';
import { errorResult } from './operation-budget.ts';

/** A result and its JSON text, which yoga sends unchanged. */
type SerializedResult = ExecutionResult & { readonly stringify: () => string };

/** Maximum number of times that one operation may select each root field of introspection. */
const maxRoots = new Map([
  ['__schema', 1],
  ['__type', 5],
]);

/**
 * How deeply lists of a type may be nested below each root field. `__schema` lists all types, so one level below
 * `__schema` describes the whole schema. The query of GraphiQL and of code generators needs no more.
 */
const maxLevels = new Map([
  ['__schema', 1],
  ['__type', 2],
]);
const listsOfType = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes', 'enumValues']);

/** Maximum number of fields in one operation. A fragment's fields count at each use. The usual query has about 200. */
const maxFields = 1_000;

/**
 * Maximum number of results in memory. A result has up to 1 MB. Only a few tools use introspection, with one query
 * each.
 */
const maxStored = 4;

/**
 * Describes the schema to authenticated callers only, and limits the cost: in a few hundred characters, a query can ask
 * for all fields of the types of all fields. If a repeated operation reads only the schema, its result comes from
 * memory. All other introspections count towards a limit per minute.
 */
export function limitIntrospection(): Plugin<Context> {
  const stored = new Map<DocumentNode, SerializedResult>();
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const { document } = args;
      const operation = getOperationAST(document, args.operationName);
      if (operation == null) return;
      const fragments = fragmentsOf(document);
      const roots = fieldsOf(operation.selectionSet, fragments);
      if (!roots.some(isIntrospection)) return;
      const context = args.contextValue as Context;
      const isKept = isStorable(document, operation, roots);
      const known = isKept ? stored.get(document) : undefined;
      const refusal =
        refuse(context, roots, fragments) ??
        (known === undefined ? await countIntrospection(context) : null);
      if (refusal !== null) return setResultAndStopExecution(errorResult(refusal));
      if (known !== undefined) return setResultAndStopExecution(known);
      if (!isKept) return;
      return {
        onExecuteDone({ result }) {
          if (isAsyncIterable(result) || result.errors !== undefined) return;
          for (const oldest of [...stored.keys()].slice(0, 1 - maxStored)) stored.delete(oldest);
          const text = JSON.stringify(result);
          stored.set(document, { data: result.data, stringify: () => text });
        },
      };
    },
  };
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
}

/** Returns the selected fields, including the fields of fragments. */
function fieldsOf(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  seen = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fieldsOf(selection.selectionSet, fragments, seen);
    }
    const fragment = fragments.get(selection.name.value);
    if (fragment === undefined || seen.has(selection.name.value)) return [];
    seen.add(selection.name.value);
    return fieldsOf(fragment.selectionSet, fragments, seen);
  });
}

function isIntrospection({ name }: FieldNode): boolean {
  return maxRoots.has(name.value);
}

/** Returns the error for an introspection that is not allowed, or null. */
function refuse(
  { caller }: Context,
  roots: readonly FieldNode[],
  fragments: Fragments,
): DomainError | null {
  if (caller.type === 'anonymous') {
    return new DomainError(
      'UNAUTHENTICATED',
      'Introspection requires an API key or a token: send the header "Authorization: Bearer …"',
    );
  }
  for (const [name, most] of maxRoots) {
    const count = roots.filter((root) => root.name.value === name).length;
    if (count > most) return tooComplex(`selects ${name} more than ${most} times`);
  }
  const count = { fields: 0 };
  for (const { name, selectionSet } of roots.filter(isIntrospection)) {
    const levels = maxLevels.get(name.value) ?? 0;
    const fault = selectionSet && findFault(selectionSet, { fragments, levels, count });
    if (fault) return tooComplex(fault);
  }
  return null;
}

/** Returns the error for a caller who has used up the limit per minute, or null. */
async function countIntrospection(context: Context): Promise<DomainError | null> {
  try {
    await consumeCostlyLimit(context, 'introspections');
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

interface Limits {
  readonly fragments: Fragments;
  /** How many more levels of lists may be nested. */
  readonly levels: number;
  /** Number of fields found so far in the whole operation. */
  readonly count: { fields: number };
}

function findFault(selections: SelectionSetNode, limits: Limits): string | null {
  for (const { name, alias, selectionSet } of fieldsOf(selections, limits.fragments)) {
    limits.count.fields += 1;
    if (limits.count.fields > maxFields) return `selects more than ${maxFields} fields`;
    if (alias !== undefined && alias.value !== name.value) return 'has an alias';
    const levels = limits.levels - (listsOfType.has(name.value) ? 1 : 0);
    if (levels < 0) return `nests ${name.value} in other lists of a type`;
    const fault = selectionSet && findFault(selectionSet, { ...limits, levels });
    if (fault) return fault;
  }
  return null;
}

function tooComplex(fault: string): DomainError {
  return new DomainError(
    'QUERY_TOO_COMPLEX',
    `The introspection ${fault}. Send the usual introspection query, or read the schema's file`,
  );
}

/** Returns whether the result depends only on the document. */
function isStorable(
  { definitions }: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  roots: readonly FieldNode[],
): boolean {
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return (
    operations.length === 1 && variableDefinitions.length === 0 && roots.every(isIntrospection)
  );
}
