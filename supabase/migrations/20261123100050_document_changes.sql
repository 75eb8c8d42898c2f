-- The latest change of each document's searchable chunks, for processes that keep a search index in memory.

do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

-- `xid` is the transaction that changed the document. A counter per project would make the writers of a project wait for
-- one another, and a sequence has gaps that are filled later. A reader that remembers `pg_snapshot_xmin` of its snapshot
-- finds everything that it has not seen at this transaction id or above.
create table grounded.document_changes (
  project_id  uuid not null,
  -- Also of deleted documents.
  document_id uuid not null,
  xid         xid8 not null default pg_current_xact_id(),
  changed_at  timestamptz not null default now(),
  primary key (project_id, document_id)
);
create index document_changes_xid on grounded.document_changes (project_id, xid);
create index document_changes_age on grounded.document_changes (changed_at);

alter table grounded.document_changes enable row level security;
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

-- The vector as 4 bytes of size, then single-precision numbers in network byte order.
create function grounded.vector_bytes(v vector) returns bytea
  language sql immutable strict parallel safe set search_path = ''
  return vector_send(v);

revoke all on function grounded.vector_bytes, grounded.record_published_document, grounded.record_deleted_documents
  from public;
grant execute on function grounded.vector_bytes to grounded_service;
