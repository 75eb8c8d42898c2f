-- Searches and lists restricted to the documents that a filter matches.

create index documents_metadata on grounded.documents using gin (metadata jsonb_path_ops);
create index documents_tags on grounded.documents using gin (tags);

-- For the operators of a filter, as `searchable_chunks` for `terms @@ …`: a policy comes before an operator that could
-- tell of other rows, and so before its index. This view is the policy, without that order.
create view grounded.filterable_documents as
  select id, project_id, name, external_id, metadata, source_url, tags, source_id, created_at, chunk_count
  from grounded.documents
  where (select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]);
revoke all on grounded.filterable_documents from public;
grant select on grounded.filterable_documents to grounded_service;

create or replace view grounded.searchable_chunks as
  select c.id, c.project_id, c.length, c.terms, c.document_id from grounded.chunks c
  where ((select current_setting('grounded.tenant', true)) = 'system'
      or c.project_id = any ((select grounded.tenant_projects())::uuid[]))
    and (c.document_id <> all (array(select h.document_id from grounded.hidden_chunks h))
      or not exists (select from grounded.hidden_chunks h where h.project_id = c.project_id
        and h.document_id = c.document_id and h.attempt = c.attempt));

do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

-- As `grounded.nearest_by_index`, of some documents. The scan goes on until it has found enough of their vectors.
create function grounded.nearest_matching_by_index(project uuid, model smallint, query vector, documents uuid[],
    most integer, search_list integer, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql
  set search_path from current
  set enable_sort = off
  set enable_seqscan = off
as $$
begin
  perform set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', search_list::text, true),
    set_config('hnsw.max_scan_tuples', most::text, true);
  return query execute format(
    'select v.chunk_id, -(v.embedding <#> $2) from (
       select v.chunk_id, v.embedding from grounded.chunk_vectors v
       where v.project_id = $1 and v.model_id = %1$s::smallint
         and (select c.document_id from grounded.chunks c where c.project_id = $1 and c.id = v.chunk_id) = any ($4)
       order by v.embedding::halfvec(%2$s) <#> $2::halfvec(%2$s) limit $3) v', model, vector_dims(query))
    using project, query, wanted, documents;
end $$;

-- As `grounded.nearest_vectors`, of some documents.
create function grounded.nearest_matching(project uuid, model smallint, query vector, documents uuid[],
    most integer, search_list integer, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql
  set search_path from current
  -- With the documents known, a plan is of their number.
  set plan_cache_mode = force_custom_plan
as $$
declare
  found_rows integer := 0;
begin
  if most > 0 then
    return query select * from grounded.nearest_matching_by_index(
      project, model, query, documents, most, search_list, wanted);
    get diagnostics found_rows = row_count;
  end if;
  if found_rows < wanted then
    return query select v.chunk_id, -(v.embedding <#> query)
      from grounded.chunks c join grounded.chunk_vectors v on v.project_id = c.project_id and v.chunk_id = c.id
      where c.project_id = project and c.document_id = any (documents) and v.project_id = project and v.model_id = model
      order by v.embedding <#> query limit wanted;
  end if;
end $$;

revoke all on function grounded.nearest_matching(uuid, smallint, vector, uuid[], integer, integer, integer),
  grounded.nearest_matching_by_index(uuid, smallint, vector, uuid[], integer, integer, integer) from public;
grant execute on function grounded.nearest_matching(uuid, smallint, vector, uuid[], integer, integer, integer),
  grounded.nearest_matching_by_index(uuid, smallint, vector, uuid[], integer, integer, integer) to grounded_service;
