-- Replacing the content of a document. `file_id` names the stored file of the current version; null means the document's
-- id. `published_version` and `published_name` are those of the chunks that searches find.
do $$ begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
  lock table grounded.documents in access exclusive mode;
end $$;

alter table grounded.documents
  add column file_id           uuid,
  add column published_version integer,
  add column published_name    text;

update grounded.documents set published_version = version, published_name = name where chunk_count > 0;

-- Finds stored files without a document.
create index documents_file on grounded.documents (project_id, file_id) where file_id is not null;
-- Finds the first document with the same content.
create index documents_content on grounded.documents (project_id, content_hash);

drop trigger tell_watchers on grounded.documents;
create trigger tell_watchers after update on grounded.documents
  for each row when ((old.status, old.waiting_reason, old.version, old.name, old.external_id, old.source_url, old.tags,
      old.metadata) is distinct from
    (new.status, new.waiting_reason, new.version, new.name, new.external_id, new.source_url, new.tags, new.metadata))
  execute function grounded.tell_watchers('documents');

-- A search reads vectors and chunks of one snapshot. Otherwise it would find vectors of a version that was published
-- after the statement began, and drop them.
alter function grounded.nearest_vectors(uuid, smallint, vector, integer, integer, integer) stable;
alter function grounded.nearest_by_index(uuid, smallint, vector, integer, integer, integer) stable;
