-- The nearest vectors of a project, by an exact scan or by the HNSW index of its partition.

do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

-- By the index alone, which gives up after `most` vectors. The order of the scan is nearly that of the distances, which
-- are computed anew.
create function grounded.nearest_by_index(project uuid, model smallint, query vector, most integer, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql
  set search_path from current
  -- Reading all of the project's vectors and sorting them, or those of all projects, is what the caller has ruled out.
  set enable_sort = off
  set enable_seqscan = off
as $$
begin
  -- To the end of the transaction. As a setting of the function, an ordinary role could not restore it from a dump.
  perform set_config('hnsw.iterative_scan', 'relaxed_order', true),
    set_config('hnsw.ef_search', '200', true),
    set_config('hnsw.max_scan_tuples', most::text, true);
  return query execute format(
    'select v.chunk_id, -(v.embedding <#> $2) from (
       select chunk_id, embedding from grounded.chunk_vectors where project_id = $1 and model_id = %1$s::smallint
       order by embedding::halfvec(%2$s) <#> $2::halfvec(%2$s) limit $3) v', model, vector_dims(query))
    using project, query, wanted;
end $$;

-- Of unit vectors: similarity is the cosine. `chunks` is how many the project has, about. May give a row twice.
create function grounded.nearest(project uuid, model smallint, query vector, chunks double precision, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql
  set search_path from current
  -- With the project known, a plan is of one partition.
  set plan_cache_mode = force_custom_plan
as $$
declare
  part oid;
  indexed real;
  found_rows integer := 0;
begin
  if chunks >= 5000 then
    select v.tableoid into part from grounded.chunk_vectors v
    where v.project_id = project and v.model_id = model limit 1;
    select c.reltuples into indexed
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class p on p.oid = i.indrelid
    where i.indrelid = part and i.indisvalid and c.relname = format('%s_hnsw_%s', p.relname, model);
    -- The index meets one vector of the project among `indexed / chunks`, and each takes it ten times as long.
    if chunks * chunks > 10.0 * wanted * indexed then
      -- It meets more where the question is about what only other projects tell of. Thrice an exact scan is the end.
      return query select * from grounded.nearest_by_index(project, model, query, (chunks / 5)::integer, wanted);
      get diagnostics found_rows = row_count;
    end if;
  end if;
  if found_rows < wanted then
    return query select v.chunk_id, -(v.embedding <#> query)
      from grounded.chunk_vectors v where v.project_id = project and v.model_id = model
      order by v.embedding <#> query limit wanted;
  end if;
end $$;

revoke all on all functions in schema grounded from public;
