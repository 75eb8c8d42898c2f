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
import type { Context } from '../domain/context.ts';
import { consumeCostlyLimit } from '../domain/usage/costly-limit.ts';
import { DomainError } from '../platform/errors.ts';
import { errorResult } from './operation-budget.ts';

/** A result with its JSON, which yoga sends as it is. */
type SerializedResult = ExecutionResult & { readonly stringify: () => string };

/** How often one operation may select a root field of introspection. */
const maxRoots = new Map([
  ['__schema', 1],
  ['__type', 5],
]);

/**
 * Levels of lists of a type that may be nested in each other. Below `__schema`, which lists all types, one level is the
 * whole schema. The query of GraphiQL and of code generators needs no more.
 */
const maxLevels = new Map([
  ['__schema', 1],
  ['__type', 2],
]);
const listsOfType = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes', 'enumValues']);

/** Fields that one operation may select, with those of fragments wherever they are used. The usual query has about 200. */
const maxFields = 1_000;

/** Results that are kept in memory. Each has up to 1 MB, and a few tools send one query each. */
const maxStored = 4;

/**
 * Describes the schema to authenticated callers only, and limits what a description can cost: in a few hundred characters,
 * a query can ask for all fields of the types of all fields. An operation that reads nothing but the schema is answered
 * from memory when it is repeated. The others count towards a limit per minute.
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

/** Returns the selected fields, including those of fragments. */
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

/** Returns why the schema is not described, or null. */
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

/** Returns why the caller must wait, or null. */
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
  /** Levels of lists that are left. */
  readonly levels: number;
  /** Fields found so far, in all of the operation. */
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

/** Returns whether the result depends on the document alone. */
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
