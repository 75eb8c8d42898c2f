-- Chunks of an attempt that is not published yet. A large document is stored in many short transactions, and searches
-- ignore its chunks until one statement publishes all of them.

-- In the order in which the service locks them. Within a block, because the Supabase CLI's transaction is none that
-- `lock table` knows.
do $$ begin
  lock table grounded.documents, grounded.chunks in access exclusive mode;
end $$;

alter table grounded.chunks add column attempt integer not null default 0;
-- An attempt stores its chunks next to those of an earlier one.
alter table grounded.chunks drop constraint chunks_document_position,
  add constraint chunks_document_position unique (project_id, document_id, position, attempt);

-- One row per attempt whose chunks are hidden. Nearly always empty.
create table grounded.hidden_chunks (
  project_id  uuid not null,
  document_id uuid not null,
  attempt     integer not null,
  -- Maximum number of chunks of the attempt.
  chunks      integer not null,
  primary key (project_id, document_id, attempt),
  foreign key (project_id, document_id) references grounded.documents (project_id, id) on delete cascade
);

alter table grounded.hidden_chunks enable row level security;
create policy tenant on grounded.hidden_chunks to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
  or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- The array is computed once per statement, so that a published chunk costs one comparison with an empty array.
create view grounded.published_chunks with (security_invoker = true) as
  select c.* from grounded.chunks c
  where c.document_id <> all (array(select h.document_id from grounded.hidden_chunks h))
    or not exists (select from grounded.hidden_chunks h where h.project_id = c.project_id
      and h.document_id = c.document_id and h.attempt = c.attempt);
revoke insert, update, delete on grounded.published_chunks from grounded_service;

create or replace view grounded.searchable_chunks as
  select c.id, c.project_id, c.length, c.terms from grounded.chunks c
  where ((select current_setting('grounded.tenant', true)) = 'system'
      or c.project_id = any ((select grounded.tenant_projects())::uuid[]))
    and (c.document_id <> all (array(select h.document_id from grounded.hidden_chunks h))
      or not exists (select from grounded.hidden_chunks h where h.project_id = c.project_id
        and h.document_id = c.document_id and h.attempt = c.attempt));
