import { callOperation } from './call-operation.ts';
import { type List, listOf, type Page } from './pages.ts';
import type { Body, Entry, OperationId, Query, Result } from './routes.ts';
import type { Access, CallOptions } from './send-request.ts';

type BodyArguments<Id extends OperationId> =
  Record<never, never> extends Body<Id>
    ? [body?: Body<Id>, options?: CallOptions]
    : [body: Body<Id>, options?: CallOptions];

/** Returns functions that make the methods of the client, each for one kind of operation. */
export function createCallers(access: Access) {
  const readList = <Id extends OperationId>(
    operation: Id,
    ids: readonly string[],
    query: Query<Id> & { readonly page?: number },
    options: CallOptions | undefined,
  ): List<Entry<Id>> =>
    listOf(query, async (page) => {
      const result = callOperation(access, operation, { ids, query: { ...query, page } }, options);
      return (await result) as Page<Entry<Id>>;
    });
  return {
    /** An operation without ids and body. */
    plain:
      <Id extends OperationId>(operation: Id) =>
      (options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, {}, options),
    /** An operation on one thing, without a body. */
    onId:
      <Id extends OperationId>(operation: Id) =>
      (id: string, options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, { ids: [id] }, options),
    /** An operation with a body. */
    send:
      <Id extends OperationId>(operation: Id) =>
      (body: Body<Id>, options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, { body }, options),
    /** An operation on one thing, with a body. */
    sendTo:
      <Id extends OperationId>(operation: Id) =>
      (id: string, ...[body, options]: BodyArguments<Id>): Promise<Result<Id>> =>
        callOperation(access, operation, { ids: [id], body }, options),
    list:
      <Id extends OperationId>(operation: Id) =>
      (query?: Query<Id>, options?: CallOptions): List<Entry<Id>> =>
        readList(operation, [], { ...query } as Query<Id>, options),
    /** A list that belongs to one thing. */
    listOf:
      <Id extends OperationId>(operation: Id) =>
      (id: string, query?: Query<Id>, options?: CallOptions): List<Entry<Id>> =>
        readList(operation, [id], { ...query } as Query<Id>, options),
  };
}
