import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { AuditAction } from './audit-actions.ts';

/** Kind, id and current name of the caller, as the audit log stores them. */
interface Actor {
  readonly actorType: 'OPERATOR' | 'API_KEY' | 'SERVICE' | 'CLI';
  readonly actorId: string | null;
  readonly actorName: string | null;
}

interface AuditEntryInput {
  readonly organizationId: string;
  readonly action: AuditAction;
  readonly target: {
    readonly type:
      | 'API_KEY'
      | 'MEMBER'
      | 'WEBHOOK_ENDPOINT'
      | 'ORGANIZATION'
      | 'PROJECT'
      | 'WIDGET'
      | 'SAVED_REPLY'
      | 'LABEL'
      | 'HANDOFF'
      | 'QUESTION'
      | 'SOURCE'
      | 'QUESTION_SET'
      | 'EVALUATION_RUN'
      | 'DOCUMENT'
      | 'END_USER'
      | 'AUDIT_LOG';
    readonly id: string;
    readonly name?: string | null;
  };
  /** The fields that the change sets, without secrets. */
  readonly change?: Readonly<Record<string, unknown>>;
}

const maxTextLength = 500;
const maxChangeLength = 8_000;

/** Appends an entry to the audit log. Call it in the transaction of the change. */
export async function recordAuditEntry(
  context: Context,
  { organizationId, action, target, change = {} }: AuditEntryInput,
): Promise<void> {
  const { origin } = context;
  await context.db.auditEntry.createMany({
    data: {
      id: newId(),
      organizationId,
      action,
      ...(await findActor(context)),
      targetType: target.type,
      targetId: target.id,
      targetName: shorten(target.name ?? null),
      change: summarize(change),
      ipAddress: origin.ipAddress,
      userAgent: shorten(origin.userAgent),
      requestId: context.requestId,
    },
  });
}

/**
 * Appends an entry about a change in a project to the audit log of its organization. The entry contains the project's
 * id.
 */
export async function recordProjectAuditEntry(
  context: Context,
  projectId: string,
  entry: Omit<AuditEntryInput, 'organizationId'>,
): Promise<void> {
  const { organizationId } = await context.db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { organizationId: true },
  });
  const change = { projectId, ...entry.change };
  await recordAuditEntry(context, { ...entry, organizationId, change });
}

async function findActor({ caller, db, origin }: Context): Promise<Actor> {
  switch (caller.type) {
    case 'operator':
      return { actorType: 'OPERATOR', actorId: caller.userId, actorName: caller.email };
    case 'key': {
      const where = { id: caller.keyId, organizationId: caller.organizationId };
      const key = await db.apiKey.findFirst({ where, select: { name: true } });
      return { actorType: 'API_KEY', actorId: caller.keyId, actorName: key?.name ?? null };
    }
    default:
      return {
        actorType: origin.isCommandLine ? 'CLI' : 'SERVICE',
        actorId: null,
        actorName: null,
      };
  }
}

/**
 * Shortens long texts, such as the instructions of an assistant. If the change is still too large, lists only its
 * fields.
 */
function summarize(change: Readonly<Record<string, unknown>>): Prisma.InputJsonObject {
  const text = JSON.stringify(change, (_key, value) =>
    typeof value === 'string' ? shorten(value) : value,
  );
  if (text.length <= maxChangeLength) return JSON.parse(text);
  return { fields: Object.keys(change) };
}

/** Cuts off a text after 500 characters. */
export function shorten<T extends string | null>(text: T): T | string {
  if (text === null || text.length <= maxTextLength) return text;
  return `${text.slice(0, maxTextLength).toWellFormed()}…`;
}

/**
 * Appends an entry about an operator's session to the audit log of each organization that the operator has joined.
 * Organizations with a pending invitation receive no entry. If the session is limited to some organizations, only these
 * receive the entry. Call it in the transaction of the change. `db` must have the rights of the system, because only
 * the e-mail address of the operator is known.
 */
export async function recordSessionAudit(
  db: Prisma.TransactionClient,
  action: 'MEMBER_JOINED' | 'SIGNED_IN' | 'SIGNED_OUT' | 'SIGNED_OUT_EVERYWHERE',
  { email, organizationIds, origin, requestId }: SessionAudit,
): Promise<void> {
  await runSql(
    db,
    `insert into grounded.audit_entries (organization_id, action, actor_type, actor_id, actor_name, target_type,
       target_id, target_name, ip_address, user_agent, request_id)
     select organization_id, $2, 'OPERATOR', user_id::text, email, 'MEMBER', id::text, email, $3, $4, $5
     from grounded.members where email = lower($1) and user_id is not null
       and ($6::text[] is null or organization_id = any ($6::text[]::uuid[]))`,
    [email, action, origin.ipAddress, shorten(origin.userAgent), requestId, organizationIds],
  );
}

interface SessionAudit extends Pick<Context, 'origin' | 'requestId'> {
  readonly email: string;
  /** Organizations that the session is limited to. Null if it is not limited. */
  readonly organizationIds: readonly string[] | null;
}
