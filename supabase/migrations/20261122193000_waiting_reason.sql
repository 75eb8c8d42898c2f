-- Why a document is still PROCESSING: the embedding model is unavailable since `waiting_since`.
alter table grounded.documents add column waiting_since timestamptz(3), add column waiting_reason text;

drop trigger tell_watchers on grounded.documents;
create trigger tell_watchers after update on grounded.documents
  for each row when (old.status is distinct from new.status or old.waiting_reason is distinct from new.waiting_reason)
  execute function grounded.tell_watchers('documents');

-- Finds the failed documents of a project that failed first.
create index documents_failed on grounded.documents (project_id, processed_at, id) where status = 'FAILED';
