import { callOperation } from './call-operation.ts';
import { type List, listOf, type Page } from './pages.ts';
import type { Body, Entry, OperationId, Query, Result } from './routes.ts';
import type { Access, CallOptions } from './send-request.ts';

type BodyArguments<Id extends OperationId> =
  Record<never, never> extends Body<Id>
    ? [body?: Body<Id>, options?: CallOptions]
    : [body: Body<Id>, options?: CallOptions];

/** Returns functions that create the methods of the client. Each function creates methods for one kind of operation. */
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
    /** For an operation without ids and without a body. */
    plain:
      <Id extends OperationId>(operation: Id) =>
      (options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, {}, options),
    /** For an operation with a query, which is not a list. */
    read:
      <Id extends OperationId>(operation: Id) =>
      (query?: Query<Id>, options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, { query: { ...query } as Query<Id> }, options),
    /** For an operation on one resource, without a body. */
    onId:
      <Id extends OperationId>(operation: Id) =>
      (id: string, options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, { ids: [id] }, options),
    /** For an operation on two resources, without a body. */
    onIds:
      <Id extends OperationId>(operation: Id) =>
      (id: string, otherId: string, options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, { ids: [id, otherId] }, options),
    /** For an operation with a body and without ids. */
    send:
      <Id extends OperationId>(operation: Id) =>
      (body: Body<Id>, options?: CallOptions): Promise<Result<Id>> =>
        callOperation(access, operation, { body }, options),
    /** For an operation on one resource, with a body. */
    sendTo:
      <Id extends OperationId>(operation: Id) =>
      (id: string, ...[body, options]: BodyArguments<Id>): Promise<Result<Id>> =>
        callOperation(access, operation, { ids: [id], body }, options),
    /** For an operation on two resources, with a body. */
    sendToIds:
      <Id extends OperationId>(operation: Id) =>
      (id: string, otherId: string, ...[body, options]: BodyArguments<Id>): Promise<Result<Id>> =>
        callOperation(access, operation, { ids: [id, otherId], body }, options),
    list:
      <Id extends OperationId>(operation: Id) =>
      (query?: Query<Id>, options?: CallOptions): List<Entry<Id>> =>
        readList(operation, [], { ...query } as Query<Id>, options),
    /** For a list that belongs to one resource. */
    listOf:
      <Id extends OperationId>(operation: Id) =>
      (id: string, query?: Query<Id>, options?: CallOptions): List<Entry<Id>> =>
        readList(operation, [id], { ...query } as Query<Id>, options),
  };
}
