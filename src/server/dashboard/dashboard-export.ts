import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Adapters } from '../../domain/context.ts';
import {
  type ExportedMessage,
  exportConversations,
} from '../../domain/conversations/export-conversations.ts';
import { type ExportFormat, exportFormats } from '../../domain/conversations/export-format.ts';
import { readWhileAuthorized } from '../../domain/subscriptions/read-while-authorized.ts';
import { reauthorizeSubscription } from '../../domain/subscriptions/reauthorize-subscription.ts';
import { attachmentHeader } from '../../http/attachment-header.ts';
import { applyResponseDefaults } from '../../http/exchange.ts';
import { endWithBackpressure, writeWithBackpressure } from '../../http/send-events.ts';
import { createStreamLimiter } from '../../http/stream-limiter.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  ConversationChannel,
  ConversationStatus,
  FeedbackRating,
} from '../../platform/postgres/generated/prisma/enums.ts';
import { readJsonBody } from '../../rest/request/read-json-body.ts';
import { optionalEndUserId, optionalNumber, optionalText } from '../../schema/input-rules.ts';
import { createOperatorContext, type OperatorAccess } from './operator-context.ts';

/** Maximum number of exports that an operator may have open in this process. */
const maxExports = 2;

/**
 * Sends an operator the conversations that match a filter, as CSV or NDJSON. The body contains the filter, because a
 * filter may contain words of end users, which must not get into the logs of proxies. The export stops when the
 * operator cancels it.
 */
export function dashboardExport(
  adapters: Adapters,
  access: OperatorAccess & { readonly stallTimeoutMs: number },
): RequestHandler[] {
  const exports = createStreamLimiter(maxExports, 'Too many exports are running. Try again soon');
  return [
    applyResponseDefaults(),
    async (request, response) => {
      const context = await createOperatorContext(adapters, access, request, response);
      const body = await readJsonBody(request, { schema: noLongTexts, isRequired: true });
      const { format, ...filter } = parseInput(body);
      const { caller, log, signal } = context;
      const release = exports.acquire(caller.type === 'operator' ? caller.userId : caller.type);
      try {
        const client = { response, stallTimeoutMs: access.stallTimeoutMs, log };
        const pages = readWhileAuthorized(
          context,
          () => reauthorizeSubscription(context, filter.projectId, 'end-users:manage'),
          (signal) => exportConversations({ ...context, signal }, filter),
        );
        await sendExport(client, format, pages);
      } catch (error) {
        if (!response.headersSent) throw error;
        if (!signal.aborted) log.error({ err: error }, 'export failed');
        // The file is incomplete. Destroy the connection, so that the browser does not accept the file as complete.
        response.destroy();
      } finally {
        release();
      }
    },
  ];
}

/** Sends the status with the first page, so that an earlier error becomes a plain HTTP error. */
async function sendExport(
  client: Parameters<typeof writeWithBackpressure>[0] & { readonly response: Response },
  format: ExportFormat,
  pages: AsyncGenerator<ExportedMessage[]>,
): Promise<void> {
  const { response } = client;
  const { mimeType, start, write } = exportFormats[format];
  let page = await pages.next();
  response.writeHead(200, {
    'Content-Type': mimeType,
    'Content-Disposition': attachmentHeader(`conversations.${format}`),
  });
  await writeWithBackpressure(client, start());
  while (!page.done && !response.destroyed) {
    await writeWithBackpressure(client, page.value.map(write).join(''));
    page = await pages.next();
  }
  await endWithBackpressure(client);
}

const noLongTexts = { type: 'object', properties: {} };

const isoTime = z.iso
  .datetime({ offset: true, error: 'must be a time in ISO 8601' })
  .transform((text) => new Date(text))
  .nullish();

const inputSchema = z.strictObject({
  projectId: z.string(),
  format: z.enum(['csv', 'ndjson'], 'must be csv or ndjson'),
  status: z.enum(ConversationStatus).nullish(),
  endUserId: optionalEndUserId,
  search: optionalText(255),
  feedback: z.enum(FeedbackRating).nullish(),
  labelId: z.string().nullish(),
  confidenceBelow: optionalNumber(0, 1),
  channel: z.enum(ConversationChannel).nullish(),
  hasHandoff: z.boolean().nullish(),
  from: isoTime,
  to: isoTime,
});

/** @throws DomainError VALIDATION_FAILED with a message for each invalid field */
function parseInput(body: object): z.infer<typeof inputSchema> {
  const { data, error } = inputSchema.safeParse(body);
  if (data !== undefined) return data;
  throw new DomainError(
    'VALIDATION_FAILED',
    error.issues.map(({ path, message }) => `${path.join('.') || 'the body'} ${message}`),
  );
}
