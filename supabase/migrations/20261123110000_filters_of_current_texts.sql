-- For the filters of keys: whether the published text is of the version that the fields describe.
create or replace view grounded.filterable_documents as
  select id, project_id, name, external_id, metadata, source_url, tags, source_id, created_at, chunk_count,
    version, published_version
  from grounded.documents
  where (select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]);
