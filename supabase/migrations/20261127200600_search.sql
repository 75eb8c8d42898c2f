-- Chunks of documents, their terms for full text, their vectors, and the functions that find the nearest vectors.

-- An existing installation of pgvector is kept in its schema. Statements of the service never name that schema.
create schema if not exists extensions;
create extension if not exists vector with schema extensions;
do $$
declare
  place name;
begin
  -- Nothing is needed if everybody may use the schema.
  for place in
    select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'vector' and not has_schema_privilege('grounded_service', n.oid, 'usage')
  loop
    execute format('grant usage on schema %I to grounded_service', place);
  end loop;
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

-- What statements need of pgvector, by names of our own schema: wherever the extension is installed, no search path is
-- needed. A type and an operator cost nothing per call, and have no search path to fix, unlike a function that is
-- inlined.
create domain grounded.embedding as vector;
-- Of unit vectors: minus the cosine. Ascending order is best first.
create operator grounded.<#> (
  function = vector_negative_inner_product, leftarg = vector, rightarg = vector, commutator = operator(grounded.<#>)
);
-- The vector as 4 bytes of size, then single-precision numbers in network byte order.
create function grounded.vector_bytes(v vector) returns bytea
  language sql immutable strict parallel safe set search_path = ''
  return vector_send(v);

-- Vectors of different models are never compared. Only those of the ACTIVE model are searched, while those of the next
-- one are BUILDING. 4,000 dimensions is the limit of an HNSW index in half precision.
create table grounded.embedding_models (
  id         smallint generated always as identity primary key,
  name       text not null,
  dimensions integer not null check (dimensions between 1 and 4000),
  status     text not null default 'BUILDING' check (status in ('ACTIVE', 'BUILDING', 'RETIRED')),
  created_at timestamptz(3) not null default now(),
  unique (name, dimensions)
);
alter table grounded.embedding_models enable row level security;
create unique index embedding_models_active on grounded.embedding_models (status) where status = 'ACTIVE';
create policy everyone_reads on grounded.embedding_models for select to grounded_service using (true);
create policy system_inserts on grounded.embedding_models for insert to grounded_service
  with check ((select current_setting('grounded.tenant', true)) = 'system');
create policy system_updates on grounded.embedding_models for update to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
create policy system_deletes on grounded.embedding_models for delete to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');

-- Chunks and vectors are partitioned by project, so that a search reads one partition, and an index over vectors has a
-- size that can be built. The statement that makes a document READY replaces its chunks.
create table grounded.chunks (
  id           uuid not null,
  project_id   uuid not null,
  document_id  uuid not null,
  position     integer not null,
  content      text not null,
  context      text not null,
  page         integer,
  -- Both count Unicode code points of the extracted text.
  start_offset integer not null,
  end_offset   integer not null constraint chunks_offsets check (end_offset > start_offset),
  token_count  integer not null,
  -- Written by the service's own tokenizer. The first lexeme names the project, so that an index scan reads the
  -- postings of one project only.
  terms        tsvector not null,
  -- Counts the terms, for BM25.
  length       integer not null,
  -- An attempt stores its chunks next to those of an earlier one.
  attempt      integer not null default 0,
  primary key (project_id, id),
  constraint chunks_document_position unique (project_id, document_id, position, attempt),
  -- The document references the project.
  constraint chunks_document foreign key (project_id, document_id)
    references grounded.documents (project_id, id) on delete cascade
) partition by hash (project_id);
alter table grounded.chunks enable row level security;
-- Ids grow with time. By their hash the chunks of a project are in random order, of which the search takes a sample.
create index chunks_sample on grounded.chunks (project_id, uuid_hash(id));
-- Without a list of pending entries, which every search would read, and which grows to megabytes without vacuum.
create index chunks_terms on grounded.chunks using gin (terms) with (fastupdate = off);
create policy tenant on grounded.chunks to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- Separate from the text, and never compressed, so that an exact scan reads nothing but vectors. Up to 2,000 dimensions
-- a vector is in its row. A larger one does not fit a page and is stored out of line.
create table grounded.chunk_vectors (
  project_id uuid not null,
  chunk_id   uuid not null,
  model_id   smallint not null,
  embedding  vector not null,
  primary key (project_id, chunk_id, model_id),
  constraint chunk_vectors_chunk foreign key (project_id, chunk_id)
    references grounded.chunks (project_id, id) on delete cascade,
  -- Without a cascade: the vectors of a model are deleted in batches.
  constraint chunk_vectors_model foreign key (model_id) references grounded.embedding_models
) partition by hash (project_id);
alter table grounded.chunk_vectors enable row level security;
alter table grounded.chunk_vectors alter column embedding set storage external;
create index chunk_vectors_model on grounded.chunk_vectors (project_id, model_id);
create policy tenant on grounded.chunk_vectors to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- 16, each of which can be split in two later: (16, r) into (32, r) and (32, r + 16).
do $$
declare
  parent text;
  part text;
begin
  foreach parent in array array['chunks', 'chunk_vectors'] loop
    for r in 0..15 loop
      part := parent || '_p' || lpad(r::text, 2, '0');
      execute format('create table grounded.%I partition of grounded.%I for values with (modulus 16, remainder %s)',
        part, parent, r);
      -- Rows are in one piece up to a page. Reading compressed terms, or terms that are stored out of line, is several
      -- times slower. `external` without it would move vectors of 500 dimensions out of line.
      execute format('alter table grounded.%I set (toast_tuple_target = 8160)', part);
      execute format('alter table grounded.%I enable row level security', part);
    end loop;
  end loop;
end $$;

-- One row per attempt whose chunks are hidden. A large document is stored in many short transactions, and searches
-- ignore its chunks until one statement publishes all of them. Nearly always empty.
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

-- For a search by `terms @@ …`, as `filterable_documents`: the condition of the policy, without its order.
create view grounded.searchable_chunks as
  select c.id, c.project_id, c.length, c.terms, c.document_id from grounded.chunks c
  where ((select current_setting('grounded.tenant', true)) = 'system'
      or c.project_id = any ((select grounded.tenant_projects())::uuid[]))
    and (c.document_id <> all (array(select h.document_id from grounded.hidden_chunks h))
      or not exists (select from grounded.hidden_chunks h where h.project_id = c.project_id
        and h.document_id = c.document_id and h.attempt = c.attempt));
revoke insert, update, delete on grounded.searchable_chunks from grounded_service;

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

-- Reads the index only, and stops after `most` vectors. The order of the scan is nearly that of the distances, which
-- are computed again. `search_list` is `hnsw.ef_search`: a longer list misses fewer vectors and takes longer.
-- Stable, so that a search reads vectors and chunks of one snapshot. Otherwise it would find vectors of a version that
-- was published after the statement began, and drop them.
create function grounded.nearest_by_index(
    project uuid, model smallint, query vector, most integer, search_list integer, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql stable
  set search_path from current
  -- Reading all vectors of the project and sorting them, or those of all projects, is what the caller has ruled out.
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
  language plpgsql stable
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

-- As `grounded.nearest_by_index`, of some documents. The scan continues until it has found enough of their vectors.
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

-- The service no longer calls the functions from here on. They exist for processes of earlier versions, which may serve
-- while a database is upgraded.

create function grounded.vector_of(literal text) returns vector
  language sql immutable strict parallel safe set search_path = ''
  return literal::vector;
create function grounded.distance(a vector, b vector) returns double precision
  language sql immutable strict parallel safe set search_path = ''
  return a <#> b;
-- The share of a term's idf that a chunk earns: tf / (tf + k1 (1 - b + b · length / average)), k1 = 1.2, b = 0.75.
-- `rank` is `ts_rank` of one term with weight 1, (1 + 1/4 + 1/9 + … + 1/tf²) · 6/π², whose rest is 1/(tf + 1/2).
create function grounded.bm25(rank double precision, relative_length double precision) returns double precision
  language sql immutable parallel safe set search_path = ''
  return case when rank > 0 then
    1 / (1 + 1.2 * (0.25 + 0.75 * relative_length) / (1 / (1.6449340668 * (1 - least(rank, 0.9976))) - 0.5)) else 0 end;

create function grounded.nearest_by_index(project uuid, model smallint, query vector, most integer, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql
  set search_path from current
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

-- `chunks` is the approximate number of the project's chunks.
create function grounded.nearest(project uuid, model smallint, query vector, chunks double precision, wanted integer)
  returns table (id uuid, similarity double precision)
  language plpgsql
  set search_path from current
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

revoke execute on all functions in schema grounded from public;
