import { newId } from '../../../src/platform/ids.ts';
import {
  type CanaryProject,
  makeCanaryProject,
  makeKey,
  makeOrganization,
} from '../canary-project.ts';
import type { TestService } from '../service.ts';

/** Creates an organization that has at least one row in every table. Needs a service that runs workers. */
export async function seedTables(service: TestService): Promise<CanaryProject> {
  const { system } = service;
  const organizationId = await makeOrganization(system);
  const canary = await makeCanaryProject(service, organizationId);
  await makeKey(system, organizationId, null);
  const values = [organizationId, canary.projectId, canary.resourceIds.message];
  for (const [statement, ...parameters] of statements) {
    const text = statement.replaceAll('{id}', newId());
    await system.pool.query(
      text,
      parameters.map((index) => values[index]),
    );
  }
  return canary;
}

const organization = 0;
const project = 1;
const message = 2;

/**
 * SQL statements. The numbers are the indexes of their parameters in `values`. Each row follows the rows to which its
 * foreign keys refer.
 */
const statements: readonly (readonly [string, ...number[]])[] = [
  [
    `insert into grounded.members (id, organization_id, email, role)
     values ('{id}', $1, 'viewer@example.com', 'VIEWER')`,
    organization,
  ],
  [
    `insert into grounded.usage_periods (organization_id, starts_on) values ($1, current_date)
     on conflict do nothing`,
    organization,
  ],
  [
    `insert into grounded.usage_days (organization_id, day) values ($1, current_date)
     on conflict do nothing`,
    organization,
  ],
  [
    `insert into grounded.answer_days (organization_id, day, latency_step, answers, unsure)
     values ($1, current_date, 1, 1, 0) on conflict do nothing`,
    organization,
  ],
  [
    `insert into grounded.storage_days (organization_id, day, used_bytes) values ($1, current_date, 1)
     on conflict do nothing`,
    organization,
  ],
  [
    `insert into grounded.token_days (organization_id, project_id, day, model, kind, tokens)
     values ($1, $2, current_date, 'seed', 'INPUT', 1) on conflict do nothing`,
    organization,
    project,
  ],
  [
    `insert into grounded.model_prices (organization_id, model, kind, valid_from, per_million, currency)
     values ($1, 'seed', 'INPUT', current_date, 1, 'EUR')`,
    organization,
  ],
  [
    `insert into grounded.budget_warnings (project_id, starts_on, percent) values ($1, current_date, 80)`,
    project,
  ],
  [
    `insert into grounded.message_feedback (message_id, project_id, rating) values ($1, $2, 'DOWN')`,
    message,
    project,
  ],
  [
    `insert into grounded.question_decisions (message_id, project_id, status) values ($1, $2, 'DONE')`,
    message,
    project,
  ],
  [
    `insert into grounded.hidden_chunks (project_id, document_id, attempt, chunks)
     select project_id, id, 1000, 1 from grounded.documents where project_id = $1 limit 1`,
    project,
  ],
  [
    `insert into grounded.document_changes (project_id, document_id)
     select project_id, id from grounded.documents where project_id = $1 limit 1 on conflict do nothing`,
    project,
  ],
  [
    `insert into grounded.saved_replies (id, project_id, name, content) values ('{id}', $1, 'Greeting', 'Hello!')`,
    project,
  ],
  [`insert into grounded.labels (id, project_id, name) values ('{id}', $1, 'Urgent')`, project],
  [
    `insert into grounded.conversation_labels (project_id, conversation_id, label_id)
     select project_id, conversation.id, label.id
     from grounded.conversations conversation join grounded.labels label using (project_id)
     where project_id = $1 limit 1`,
    project,
  ],
  [
    `insert into grounded.conversation_notes (id, project_id, conversation_id, author, content)
     select '{id}', project_id, id, 'agent@example.com', 'Internal' from grounded.conversations
     where project_id = $1 limit 1`,
    project,
  ],
  [
    `insert into grounded.conversation_events (id, project_id, conversation_id, type, actor)
     select '{id}', project_id, id, 'CLAIMED', 'agent@example.com' from grounded.conversations
     where project_id = $1 limit 1`,
    project,
  ],
  [
    `insert into grounded.conversation_reads (project_id, conversation_id, reader, position)
     select project_id, id, 'agent@example.com', 1 from grounded.conversations where project_id = $1
     limit 1 on conflict do nothing`,
    project,
  ],
  [
    `insert into grounded.handoff_satisfaction (handoff_id, project_id, agent)
     select id, project_id, 'agent@example.com' from grounded.handoffs where project_id = $1 limit 1`,
    project,
  ],
  [
    `insert into grounded.inbox_events (project_id, position, type, handoff_id)
     select project_id, 1, 'REQUESTED', id from grounded.handoffs where project_id = $1 limit 1`,
    project,
  ],
  [
    `insert into grounded.source_runs (id, source_id, project_id, finished_at)
     select '{id}', id, project_id, now() from grounded.sources where project_id = $1`,
    project,
  ],
  [
    `insert into grounded.source_pages (source_id, url, project_id, run_id)
     select id, 'https://example.com', project_id, '{id}' from grounded.sources where project_id = $1`,
    project,
  ],
  [
    `insert into grounded.webhook_endpoints (id, project_id, url, types, secret)
     values ('{id}', $1, 'https://example.com', '{}', 'whsec')`,
    project,
  ],
  [
    `insert into grounded.webhook_events (id, project_id, type, data)
     values ('{id}', $1, 'human.requested', '{}')`,
    project,
  ],
  [
    `insert into grounded.webhook_deliveries (id, project_id, event_id, endpoint_id)
     select '{id}', $1, event.id, endpoint.id
     from grounded.webhook_events event join grounded.webhook_endpoints endpoint using (project_id)
     where project_id = $1 limit 1`,
    project,
  ],
  [
    `insert into grounded.webhook_attempts (delivery_id, number, sent_at, latency_ms)
     select id, 1, now(), 5 from grounded.webhook_deliveries where project_id = $1`,
    project,
  ],
  [
    `insert into grounded.idempotency_keys (key_id, idempotency_key, fingerprint, runner, expires_at)
     select id, 'once', sha256('once'), '{id}', now() + interval '1 day'
     from grounded.api_keys where organization_id = $1`,
    organization,
  ],
  [
    `insert into grounded.rate_windows (key_id, started_at, requests)
     select id, now(), 1 from grounded.api_keys where organization_id = $1 on conflict do nothing`,
    organization,
  ],
  [
    `insert into grounded.widgets (project_id, publishable_key, visitor_secret)
     values ($1, 'pk_{id}', sha256('{id}'))`,
    project,
  ],
  [
    `insert into grounded.visitor_windows (project_id, who, started_at, points)
     values ($1, 'visitor {id}', now(), 1)`,
    project,
  ],
];
