import { type ExecutionArgs, getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import { DomainError } from '../../platform/errors.ts';

/**
 * Refuses `@skip` and `@include` on the field of a subscription, as the GraphQL specification does (section 5.2.4).
 * graphql-js 16 has no rule for it and throws a TypeError if the field is skipped.
 * @throws DomainError MALFORMED_REQUEST
 */
export function requireSubscribedField({ document, operationName }: ExecutionArgs): void {
  const operation = getOperationAST(document, operationName);
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    fragments.set(definition.name.value, definition.selectionSet);
  }
  const seen = new Set<SelectionSetNode>();
  const check = (selectionSet: SelectionSetNode | undefined): void => {
    if (selectionSet === undefined || seen.has(selectionSet)) return;
    seen.add(selectionSet);
    for (const selection of selectionSet.selections) {
      if (selection.directives?.length) {
        throw new DomainError(
          'MALFORMED_REQUEST',
          'The field of a subscription cannot have directives: remove @skip and @include',
        );
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) check(fragments.get(selection.name.value));
      if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet);
    }
  };
  check(operation?.selectionSet);
}
