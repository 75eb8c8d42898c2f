-- Chunks and vectors in partitions by project, so that a search reads one of them and an index over vectors has a size
-- that can be built. Copies all chunks, during which nothing else reads or writes them.

do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

-- All at once: one lock after the other would stand in the way of those who take them in another order.
-- Within a block, because the Supabase CLI's transaction is none that `lock table` knows.
do $$
begin
  lock table grounded.embedding_models, grounded.documents, grounded.chunks, grounded.chunk_vectors
    in access exclusive mode;
end $$;

-- A chunk names its document together with the project: what is deleted with it is in one partition.
alter table grounded.documents add constraint documents_project_id_id_key unique (project_id, id);

create table grounded.chunks_new (
  id           uuid not null,
  project_id   uuid not null,
  document_id  uuid not null,
  position     integer not null,
  content      text not null,
  context      text not null,
  page         integer,
  start_offset integer not null,
  end_offset   integer not null constraint chunks_offsets check (end_offset > start_offset),
  token_count  integer not null,
  terms        tsvector not null,
  length       integer not null
) partition by hash (project_id);

create table grounded.chunk_vectors_new (
  project_id uuid not null,
  chunk_id   uuid not null,
  model_id   smallint not null,
  embedding  vector not null
) partition by hash (project_id);
alter table grounded.chunk_vectors_new alter column embedding set storage plain;

alter table grounded.chunks_new enable row level security;
alter table grounded.chunk_vectors_new enable row level security;

-- 16, each of which can be parted in two later: (16, r) into (32, r) and (32, r + 16).
do $$
declare
  part text;
begin
  for r in 0..15 loop
    part := 'p' || lpad(r::text, 2, '0');
    execute format('create table grounded.chunks_%s partition of grounded.chunks_new
      for values with (modulus 16, remainder %s)', part, r);
    -- Rows stay in one piece up to a page: reading compressed or outlying terms is several times slower.
    execute format('alter table grounded.chunks_%s set (toast_tuple_target = 8160)', part);
    execute format('alter table grounded.chunks_%s enable row level security', part);
    execute format('create table grounded.chunk_vectors_%s partition of grounded.chunk_vectors_new
      for values with (modulus 16, remainder %s)', part, r);
    execute format('alter table grounded.chunk_vectors_%s enable row level security', part);
  end loop;
end $$;

-- In the order they are read: a project's rows share pages.
insert into grounded.chunks_new
select id, project_id, document_id, position, content, context, page, start_offset, end_offset, token_count, terms, length
from grounded.chunks order by project_id, document_id, position;
insert into grounded.chunk_vectors_new
select project_id, chunk_id, model_id, embedding from grounded.chunk_vectors order by project_id, model_id, chunk_id;

drop table grounded.chunk_vectors;
drop table grounded.chunks;
alter table grounded.chunks_new rename to chunks;
alter table grounded.chunk_vectors_new rename to chunk_vectors;

alter table grounded.chunks add primary key (project_id, id);
alter table grounded.chunks add constraint chunks_document_position unique (project_id, document_id, position);
-- Ids grow with time; by their hash a project's chunks stand in random order, of which the search takes a sample.
create index chunks_sample on grounded.chunks (project_id, uuid_hash(id));
-- Without a list of pending entries, which every search would read, and where nothing vacuums it grows to megabytes.
create index chunks_terms on grounded.chunks using gin (terms) with (fastupdate = off);
-- The document's reference to the project stands for the chunk's own.
alter table grounded.chunks add constraint chunks_document
  foreign key (project_id, document_id) references grounded.documents (project_id, id) on delete cascade;

alter table grounded.chunk_vectors add primary key (project_id, chunk_id, model_id);
create index chunk_vectors_model on grounded.chunk_vectors (project_id, model_id);
alter table grounded.chunk_vectors add constraint chunk_vectors_chunk
  foreign key (project_id, chunk_id) references grounded.chunks (project_id, id) on delete cascade;
-- Without a cascade: the vectors of a model are removed some at a time.
alter table grounded.chunk_vectors add constraint chunk_vectors_model
  foreign key (model_id) references grounded.embedding_models;
