import { removeOldAuditEntriesJob } from '../domain/audit/remove-old-audit-entries.ts';
import { closeStaleAnswersJob } from '../domain/chat/finalize-turn.ts';
import { removeAnswerEventsJob } from '../domain/chat/runs/answer-events.ts';
import type { Adapters } from '../domain/context.ts';
import { checkBudgetsJob } from '../domain/cost/check-budgets.ts';
import { evaluateJob, failEvaluationJob } from '../domain/evaluation/evaluate-job.ts';
import {
  removeCandidateModelsJob,
  removeCandidateVectorsJob,
} from '../domain/evaluation/remove-candidate-vectors.ts';
import { startDueEvaluationsJob } from '../domain/evaluation/start-due-evaluations.ts';
import { removeOldInboxEventsJob } from '../domain/handoff/remove-old-inbox-events.ts';
import { removeExpiredIdempotencyKeysJob } from '../domain/idempotency/expired-idempotency-keys.ts';
import { addBlockSpansJob } from '../domain/knowledge/ingestion/add-block-spans.ts';
import { buildVectorIndexesJob } from '../domain/knowledge/ingestion/build-vector-indexes.ts';
import { failDocumentJob } from '../domain/knowledge/ingestion/fail-document.ts';
import { ingestDocumentJob } from '../domain/knowledge/ingestion/ingest-document.ts';
import { removeRetiredVectorsJob } from '../domain/knowledge/ingestion/remove-retired-vectors.ts';
import { removeDocumentsJob } from '../domain/knowledge/remove-documents.ts';
import { removeFileJob } from '../domain/knowledge/remove-file.ts';
import { removeOldDocumentChangesJob } from '../domain/knowledge/remove-old-document-changes.ts';
import { removeOrphanFilesJob } from '../domain/knowledge/remove-orphan-files.ts';
import { removeUnusedEmailsJob } from '../domain/sign-in/remove-unused-emails.ts';
import { removeSourceJob } from '../domain/sources/remove-source.ts';
import { startDueSourcesJob } from '../domain/sources/start-source-run.ts';
import { failSourceRunJob, syncSourceJob } from '../domain/sources/sync-source-job.ts';
import { deliverWebhookJob, failDeliveryJob } from '../domain/webhooks/deliver-webhook.ts';
import { removeOldWebhookEventsJob } from '../domain/webhooks/remove-old-webhook-events.ts';
import type { Job } from '../platform/jobs/job.ts';

/** All background jobs. Each is defined next to its work. */
export const jobs: readonly Job<Adapters>[] = [
  ingestDocumentJob,
  failDocumentJob,
  removeFileJob,
  removeDocumentsJob,
  removeOrphanFilesJob,
  removeOldDocumentChangesJob,
  addBlockSpansJob,
  removeRetiredVectorsJob,
  buildVectorIndexesJob,
  syncSourceJob,
  failSourceRunJob,
  startDueSourcesJob,
  removeSourceJob,
  evaluateJob,
  failEvaluationJob,
  startDueEvaluationsJob,
  removeCandidateVectorsJob,
  removeCandidateModelsJob,
  deliverWebhookJob,
  failDeliveryJob,
  removeOldWebhookEventsJob,
  closeStaleAnswersJob,
  removeAnswerEventsJob,
  removeExpiredIdempotencyKeysJob,
  checkBudgetsJob,
  removeOldInboxEventsJob,
  removeOldAuditEntriesJob,
  removeUnusedEmailsJob,
];
