import {
  defaultFieldResolver,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isLeafType,
  isObjectType,
  Kind,
} from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import {
  isWithinBudget,
  type ResponseBudget,
  responseBudgetOf,
  responseTooLong,
  startResponseBudget,
} from '../../http/response-budget.ts';
import { DomainError } from '../../platform/errors.ts';
import { countRows } from './operation-rows.ts';

/** Maximum number of rows that one operation may request. */
const maxRows = 5_000;

/**
 * Before any field is resolved, refuses operations that request too many rows. This happens at execution and not at
 * validation, because the rows depend on the variables. Also stops operations whose response becomes too long.
 */
export const limitOperations: Plugin = {
  onExecute({ args, setResultAndStopExecution }) {
    const refusal = refuseTooManyRows(args);
    if (refusal !== null) {
      setResultAndStopExecution(refusal);
      return;
    }
    const budget = startResponseBudget(args.contextValue as object);
    return {
      onExecuteDone({ result, setResult }) {
        if (isAsyncIterable(result) || isWithinBudget(budget)) return;
        setResult(errorResult(responseTooLong()));
      },
    };
  },
  onSubscribe({ args, setResultAndStopExecution }) {
    const refusal = refuseTooManyRows(args);
    if (refusal !== null) setResultAndStopExecution(refusal);
  },
};

function refuseTooManyRows(args: ExecutionArgs): ExecutionResult | null {
  const operation = getOperationAST(args.document, args.operationName);
  if (operation == null) return null;
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const definition of args.document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  const { schema, variableValues = {} } = args;
  const definitions = operation.variableDefinitions ?? [];
  // The result includes default values. The execution refuses invalid variables.
  const values = { ...variableValues };
  const { coerced } = getVariableValues(schema, definitions, values, { maxErrors: 1 });
  if (coerced === undefined) return null;
  const known = { schema, operation, fragments, variables: coerced };
  if (countRows(known, maxRows) <= maxRows) return null;
  return errorResult(
    new DomainError(
      'QUERY_TOO_COMPLEX',
      `The operation requests more than ${maxRows} rows: request smaller pages, or nest fewer lists`,
    ),
  );
}

/** Returns the result of an operation that `error` has stopped. */
export function errorResult(error: Error): ExecutionResult {
  return { errors: [new GraphQLError(error.message, { originalError: error })] };
}

/**
 * Makes every field of the schema count the bytes of its value, and fail as soon as the response is too long. Only
 * operations with a budget (`startResponseBudget`) have a limit.
 */
export function countResponseBytes(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = field.resolve ?? defaultFieldResolver;
      const isLeaf = isLeafType(getNamedType(field.type));
      field.resolve = (source, args, context, info) => {
        const budget = responseBudgetOf(context);
        if (budget === undefined) return resolve(source, args, context, info);
        if (!isWithinBudget(budget)) throw responseTooLong();
        const value = resolve(source, args, context, info);
        if (!isLeaf) return value;
        if (value instanceof Promise) return value.then((known) => count(known, budget));
        return count(value, budget);
      };
    }
  }
  return schema;
}

function count<Value>(value: Value, budget: ResponseBudget): Value {
  budget.bytes += sizeOf(value);
  if (!isWithinBudget(budget)) throw responseTooLong();
  return value;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 8;
  return value instanceof Date ? 24 : Buffer.byteLength(JSON.stringify(value));
}
