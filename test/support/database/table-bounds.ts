/**
 * What bounds the rows and texts of a table that tenants can make grow.
 *
 * - `STORAGE`: triggers count the column `stored_bytes` in the used storage.
 * - `DOCUMENTS`: counted with the documents or sources, or derived from them.
 * - `ALLOWANCE`: a fixed number of rows for each message of the monthly allowance.
 * - `COUNT`: at most so many rows of a parent, of which there is a bounded number. The domain refuses more.
 * - `PARENT`: a fixed number of rows for each row of a table with a bound.
 * - `AGE`: a job deletes old rows, and requests that add rows have a rate limit.
 * - `COUNTERS`: numbers only, a row per day or caller. Rows of a caller are deleted by later ones.
 * - `UNUSED`: nothing adds rows. A later migration drops the table.
 * - `OPERATOR`: rows of the installation, which tenants do not add.
 */
export type TableBound =
  | 'STORAGE'
  | 'DOCUMENTS'
  | 'ALLOWANCE'
  | 'COUNTERS'
  | 'UNUSED'
  | 'OPERATOR'
  | { readonly COUNT: number; readonly of: string }
  | { readonly PARENT: string }
  | { readonly AGE: string };

export const tableBounds: Readonly<Record<string, TableBound>> = {
  answer_days: 'COUNTERS',
  answer_events: { AGE: 'remove-answer-events' },
  answer_traces: 'ALLOWANCE',
  api_keys: { COUNT: 10_000, of: 'organizations' },
  audit_entries: { AGE: 'remove-old-audit-entries' },
  budget_warnings: { PARENT: 'projects' },
  caller_windows: 'UNUSED',
  chunk_vectors: 'DOCUMENTS',
  chunks: 'DOCUMENTS',
  conversation_events: 'STORAGE',
  conversation_labels: { PARENT: 'labels' },
  conversation_notes: 'STORAGE',
  conversation_reads: { PARENT: 'members' },
  conversations: 'ALLOWANCE',
  document_changes: { AGE: 'remove-old-document-changes' },
  documents: 'DOCUMENTS',
  embedding_models: 'OPERATOR',
  evaluation_results: 'STORAGE',
  evaluation_runs: 'STORAGE',
  evaluation_traces: { PARENT: 'evaluation_results' },
  handoff_satisfaction: { PARENT: 'handoffs' },
  handoffs: 'STORAGE',
  hidden_chunks: 'DOCUMENTS',
  idempotency_keys: { AGE: 'remove-expired-idempotency-keys' },
  inbox_events: { AGE: 'remove-old-inbox-events' },
  labels: { COUNT: 100, of: 'projects' },
  members: { COUNT: 50, of: 'organizations' },
  message_feedback: 'ALLOWANCE',
  messages: 'STORAGE',
  model_prices: { COUNT: 1_000, of: 'organizations' },
  operator_emails: { AGE: 'remove-unused-emails' },
  operator_identities: 'OPERATOR',
  operator_sessions: 'OPERATOR',
  organizations: 'OPERATOR',
  plans: 'OPERATOR',
  projects: { COUNT: 1_000, of: 'organizations' },
  question_decisions: 'ALLOWANCE',
  question_sets: 'STORAGE',
  rate_windows: 'UNUSED',
  replica_beats: 'OPERATOR',
  request_windows: 'COUNTERS',
  saved_replies: { COUNT: 200, of: 'projects' },
  set_questions: 'STORAGE',
  sign_in_links: 'OPERATOR',
  source_pages: 'DOCUMENTS',
  source_runs: { PARENT: 'sources' },
  sources: { COUNT: 50, of: 'projects' },
  storage_days: 'COUNTERS',
  storage_usage: 'COUNTERS',
  token_days: 'COUNTERS',
  usage_days: 'COUNTERS',
  usage_periods: 'COUNTERS',
  visitor_windows: 'UNUSED',
  webhook_attempts: { PARENT: 'webhook_deliveries' },
  webhook_deliveries: { PARENT: 'webhook_events' },
  webhook_endpoints: { COUNT: 20, of: 'projects' },
  webhook_events: { AGE: 'remove-old-webhook-events' },
  widgets: { PARENT: 'projects' },
};
