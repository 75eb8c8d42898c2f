import { isId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/** Types of rows with an id that is unique in the whole service, and the table of each type. */
const tables = {
  Organization: { name: 'organizations', organization: 'id', project: 'null' },
  Project: { name: 'projects', organization: 'organization_id', project: 'id' },
  Membership: { name: 'members', organization: 'organization_id', project: 'null' },
  ApiKey: { name: 'api_keys', organization: 'organization_id', project: 'project_id' },
  AuditEntry: { name: 'audit_entries', organization: 'organization_id', project: 'null' },
  Document: ofProject('documents'),
  Source: ofProject('sources'),
  SourceRun: ofProject('source_runs'),
  Conversation: ofProject('conversations'),
  Message: ofProject('messages'),
  Handoff: ofProject('handoffs'),
  ConversationNote: ofProject('conversation_notes'),
  ConversationEvent: ofProject('conversation_events'),
  SavedReply: ofProject('saved_replies'),
  Label: ofProject('labels'),
  QuestionSet: ofProject('question_sets'),
  SetQuestion: ofProject('set_questions'),
  EvaluationRun: ofProject('evaluation_runs'),
  WebhookEndpoint: ofProject('webhook_endpoints'),
  WebhookDelivery: ofProject('webhook_deliveries'),
} as const;

/** Type of an object that can be read with only its id. */
export type NodeType = keyof typeof tables | 'Chunk';

/** The type of an object, and the tenant to which it belongs. */
export interface NodeLocation {
  readonly type: NodeType;
  readonly id: string;
  readonly organizationId: string;
  /** Empty if the row belongs to an organization and not to a project. */
  readonly projectId: string;
}

/**
 * Returns the type and the tenant of the object with this id. Returns null if the caller's tenant has no such object.
 * Does not check permissions.
 */
export async function findNodeLocation(context: Context, id: string): Promise<NodeLocation | null> {
  if (!isId(id)) return null;
  const { caller } = context;
  const organizationId = caller.type === 'key' ? caller.organizationId : null;
  const values = [id, organizationId];
  const [found] = await runSql<NodeLocation>(context.pool, statement, values);
  if (found !== undefined) return found;
  const [chunk] = await runSql<NodeLocation>(context.pool, chunkStatement, values);
  return chunk ?? null;
}

function ofProject<Name extends string>(name: Name) {
  return { name, organization: 'null', project: 'project_id' } as const;
}

const statement = {
  name: 'find-node-location',
  text: `with found as (
    ${Object.entries(tables)
      .map(
        ([type, { name, organization, project }]) =>
          `select '${type}' as type, id, ${organization}::uuid as organization_id, ${project}::uuid as project_id from grounded.${name} where id = $1`,
      )
      .join(' union all ')}
  )
  select found.type, found.id, coalesce(found.organization_id, p.organization_id) as "organizationId",
    coalesce(found.project_id::text, '') as "projectId"
  from found left join grounded.projects p on p.id = found.project_id
  where $2::uuid is null or coalesce(found.organization_id, p.organization_id) = $2
  limit 1`,
} as const;

/**
 * Chunks are stored by project, so this makes one index lookup for each project of the caller's organizations.
 * Row-level security hides all other projects from an operator.
 */
const chunkStatement = {
  name: 'find-chunk-location',
  text: `select 'Chunk' as type, c.id, p.organization_id as "organizationId", p.id as "projectId"
  from grounded.projects p cross join lateral (
    select id from grounded.published_chunks where project_id = p.id and id = $1 offset 0) c
  where $2::uuid is null or p.organization_id = $2
  limit 1`,
} as const;
