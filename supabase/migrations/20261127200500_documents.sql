-- Documents, their versions, and the record of their changes.

create type grounded.document_status as enum ('PROCESSING', 'READY', 'FAILED');
create type grounded.document_source_type as enum ('TEXT', 'FILE');

create table grounded.documents (
  id            uuid primary key,
  project_id    uuid not null references grounded.projects on delete cascade,
  name          text not null,
  status        grounded.document_status not null default 'PROCESSING',
  source_type   grounded.document_source_type not null,
  mime_type     text not null,
  size_bytes    bigint not null,
  content_hash  text not null,
  chunk_count   integer not null default 0,
  token_count   integer not null default 0,
  -- Counts the runs of ingestion. Only the run that started last may finish the document.
  attempt       integer not null default 0,
  error_code    text,
  error_message text,
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  processed_at  timestamptz(3),

  -- Why the document is still PROCESSING: the embedding model is unavailable since `waiting_since`.
  waiting_since  timestamptz(3),
  waiting_reason text,

  -- What the customer says about the document. `external_id` is the customer's own id.
  external_id text,
  metadata    jsonb not null default '{}',
  source_url  text,
  tags        text[] not null default '{}',

  -- Counts the contents, from 1.
  version     integer not null default 1,
  -- The source that keeps the document equal to its original.
  source_id   uuid,
  -- The stored file of the current version. Null: the document's id.
  file_id     uuid,
  -- Version and name of the chunks that searches find.
  published_version integer,
  published_name    text,

  -- A job still deletes the chunks, in short statements. Nobody sees the document, and searches ignore its chunks.
  deleted_at    timestamptz(3),
  -- Attempts that failed while the embedding model embedded other documents.
  lone_failures integer not null default 0,
  -- What the file contains and the published text lacks: an array of objects with `code` and `message`.
  warnings      jsonb not null default '[]',

  -- Chunks reference a document together with its project, so that both are in one partition.
  unique (project_id, id)
);
alter table grounded.documents enable row level security;
create index documents_project on grounded.documents (project_id, created_at desc, id desc);
-- Finds changes that were missed while notifications did not arrive.
create index documents_changed on grounded.documents (project_id, updated_at, id);
-- Counts the documents of a project that wait for ingestion, so that projects take turns.
create index documents_waiting on grounded.documents (project_id) where status = 'PROCESSING';
-- Finds the failed documents of a project that failed first.
create index documents_failed on grounded.documents (project_id, processed_at, id) where status = 'FAILED';
create unique index documents_external_id on grounded.documents (project_id, external_id);
create index documents_source on grounded.documents (project_id, source_id) where source_id is not null;
-- Finds stored files without a document.
create index documents_file on grounded.documents (project_id, file_id) where file_id is not null;
-- Finds the first document with the same content.
create index documents_content on grounded.documents (project_id, content_hash);
create index documents_deleted on grounded.documents (project_id, id) where deleted_at is not null;
create index documents_metadata on grounded.documents using gin (metadata jsonb_path_ops);
create index documents_tags on grounded.documents using gin (tags);
create policy tenant on grounded.documents to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create trigger tell_watchers_of_new after insert on grounded.documents
  for each row execute function grounded.tell_watchers('documents');
create trigger tell_watchers after update on grounded.documents
  for each row when ((old.status, old.waiting_reason, old.version, old.name, old.external_id, old.source_url, old.tags,
      old.metadata) is distinct from
    (new.status, new.waiting_reason, new.version, new.name, new.external_id, new.source_url, new.tags, new.metadata))
  execute function grounded.tell_watchers('documents');

-- For the operators of a filter. Postgres evaluates a policy before an operator that is not leakproof, and so before
-- its index. This view contains the condition of the policy, without that order. The versions say whether the published
-- text is of the version that the fields describe.
create view grounded.filterable_documents as
  select id, project_id, name, external_id, metadata, source_url, tags, source_id, created_at, chunk_count,
    version, published_version
  from grounded.documents
  where (select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]);

-- The latest change of each document's searchable chunks, for processes that keep a search index in memory. `xid` is
-- the transaction that changed the document. A counter per project would make the writers of a project wait for one
-- another, and a sequence has gaps that are filled later. A reader that remembers `pg_snapshot_xmin` of its snapshot
-- finds everything that it has not seen at this transaction id or above.
create table grounded.document_changes (
  project_id  uuid not null,
  -- Also of deleted documents.
  document_id uuid not null,
  xid         xid8 not null default pg_current_xact_id(),
  changed_at  timestamptz not null default now(),
  primary key (project_id, document_id)
);
alter table grounded.document_changes enable row level security;
create index document_changes_xid on grounded.document_changes (project_id, xid);
create index document_changes_age on grounded.document_changes (changed_at);
create policy tenant on grounded.document_changes to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- Every publication sets `status` or `processed_at`.
create function grounded.record_published_document() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into grounded.document_changes (project_id, document_id) values (new.project_id, new.id)
  on conflict (project_id, document_id) do update set xid = excluded.xid, changed_at = excluded.changed_at;
  return null;
end $$;
create trigger record_published_document after update on grounded.documents for each row
  when (new.status = 'READY' and (old.status <> 'READY' or old.processed_at is distinct from new.processed_at))
  execute function grounded.record_published_document();

-- Nothing is recorded for a project that is deleted with its documents.
create function grounded.record_deleted_documents() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into grounded.document_changes (project_id, document_id)
  select d.project_id, d.id from deleted d
  where exists (select from grounded.projects p where p.id = d.project_id)
  on conflict (project_id, document_id) do update set xid = excluded.xid, changed_at = excluded.changed_at;
  return null;
end $$;
create trigger record_deleted_documents after delete on grounded.documents
  referencing old table as deleted for each statement execute function grounded.record_deleted_documents();

revoke execute on function grounded.record_published_document, grounded.record_deleted_documents from public;
