-- The nearest vectors of a project, without reading the sizes of project and index for each search: the service caches
-- them. Processes of the older version still call `grounded.nearest`.

do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

-- Returns the number of vectors in the valid HNSW index of the project's partition, or 0 if there is none.
create function grounded.indexed_vectors(project uuid, model smallint) returns double precision
  language plpgsql stable
  set search_path from current
  set plan_cache_mode = force_custom_plan
as $$
declare
  part oid;
begin
  select v.tableoid into part from grounded.chunk_vectors v
  where v.project_id = project and v.model_id = model limit 1;
  return coalesce((
    select c.reltuples from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class p on p.oid = i.indrelid
    where i.indrelid = part and i.indisvalid and c.relname = format('%s_hnsw_%s', p.relname, model)), 0);
end $$;

-- By the index alone, which gives up after `most` vectors. The order of the scan is nearly that of the distances, which
-- are computed again. `search_list` is `hnsw.ef_search`: a longer list misses fewer vectors and takes longer.
create function grounded.nearest_by_index(
    project uuid, model smallint, query vector, most integer, search_list integer, wanted integer)
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
    set_config('hnsw.ef_search', search_list::text, true),
    set_config('hnsw.max_scan_tuples', most::text, true);
  return query execute format(
    'select v.chunk_id, -(v.embedding <#> $2) from (
       select chunk_id, embedding from grounded.chunk_vectors where project_id = $1 and model_id = %1$s::smallint
       order by embedding::halfvec(%2$s) <#> $2::halfvec(%2$s) limit $3) v', model, vector_dims(query))
    using project, query, wanted;
end $$;

-- Returns the nearest vectors, with the cosine as similarity, because the vectors are unit vectors. May return a row
-- twice. Reads at most `most` vectors from the index; 0 means an exact scan. Scans exactly if the index yields too few.
create function grounded.nearest_vectors(
    project uuid, model smallint, query vector, most integer, search_list integer, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql
  set search_path from current
  -- With the project known, a plan is of one partition.
  set plan_cache_mode = force_custom_plan
as $$
declare
  found_rows integer := 0;
begin
  if most > 0 then
    return query select * from grounded.nearest_by_index(project, model, query, most, search_list, wanted);
    get diagnostics found_rows = row_count;
  end if;
  if found_rows < wanted then
    return query select v.chunk_id, -(v.embedding <#> query)
      from grounded.chunk_vectors v where v.project_id = project and v.model_id = model
      order by v.embedding <#> query limit wanted;
  end if;
end $$;

revoke all on function grounded.indexed_vectors, grounded.nearest_vectors,
  grounded.nearest_by_index(uuid, smallint, vector, integer, integer, integer) from public;
grant execute on function grounded.indexed_vectors, grounded.nearest_vectors,
  grounded.nearest_by_index(uuid, smallint, vector, integer, integer, integer) to grounded_service;
