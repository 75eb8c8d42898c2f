-- Chunks of documents, their terms for full text, and their vectors.

-- An existing installation is kept where it is; nothing below or in the service names its schema.
create schema if not exists extensions;
create extension if not exists vector with schema extensions;
do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

-- Two models' vectors are never compared. Only the ACTIVE one is searched; the next is filled while BUILDING.
-- Above 2,000 dimensions a vector neither fits a page uncompressed nor an HNSW index.
create table grounded.embedding_models (
  id         smallint generated always as identity primary key,
  name       text not null,
  dimensions integer not null check (dimensions between 1 and 2000),
  status     text not null default 'BUILDING' check (status in ('ACTIVE', 'BUILDING', 'RETIRED')),
  created_at timestamptz(3) not null default now(),
  unique (name, dimensions)
);
create unique index embedding_models_active on grounded.embedding_models (status) where status = 'ACTIVE';

-- A chunk is served as long as it exists: a document's chunks are replaced in the transaction that makes it READY.
-- `terms` is written by the service's own tokenizer, with a lexeme naming the project first, so that an index scan
-- reads the postings of one project only. `length` counts the terms, for BM25.
-- `start_offset` and `end_offset` count Unicode code points of the extracted text.
create table grounded.chunks (
  id           uuid primary key,
  project_id   uuid not null references grounded.projects on delete cascade,
  document_id  uuid not null references grounded.documents on delete cascade,
  position     integer not null,
  content      text not null,
  context      text not null,
  page         integer,
  start_offset integer not null,
  end_offset   integer not null check (end_offset > start_offset),
  token_count  integer not null,
  terms        tsvector not null,
  length       integer not null,
  unique (document_id, position)
);
-- Rows stay in one piece up to a page: reading compressed or outlying terms is several times slower.
alter table grounded.chunks set (toast_tuple_target = 8160);
-- Ids grow with time; by their hash a project's chunks stand in random order, of which the search takes a sample.
create index chunks_sample on grounded.chunks (project_id, uuid_hash(id));
-- Without a list of pending entries, which every search would read, and where nothing vacuums it grows to megabytes.
create index chunks_terms on grounded.chunks using gin (terms) with (fastupdate = off);

-- Apart from the text, and never compressed: an exact scan reads nothing but vectors.
create table grounded.chunk_vectors (
  model_id   smallint not null references grounded.embedding_models on delete cascade,
  chunk_id   uuid not null references grounded.chunks on delete cascade,
  project_id uuid not null references grounded.projects on delete cascade,
  embedding  vector not null,
  primary key (model_id, chunk_id)
);
alter table grounded.chunk_vectors alter column embedding set storage plain;
create index chunk_vectors_chunk on grounded.chunk_vectors (chunk_id);
create index chunk_vectors_project on grounded.chunk_vectors (project_id, model_id);

-- Bound to pgvector's own type and operator when they are made, whatever the caller's search_path is. Inlined.
create function grounded.vector_of(literal text) returns vector
  language sql immutable strict parallel safe
  return literal::vector;
-- Of unit vectors: minus the cosine. Ascending order is best first.
create function grounded.distance(a vector, b vector) returns double precision
  language sql immutable strict parallel safe
  return a <#> b;
-- The share of a term's idf that a chunk earns: tf / (tf + k1 (1 - b + b · length / average)), k1 = 1.2, b = 0.75.
-- `rank` is `ts_rank` of the term alone with weight 1, (1 + 1/4 + 1/9 + … + 1/tf²) · 6/π², whose rest is 1/(tf + 1/2).
create function grounded.bm25(rank double precision, relative_length double precision) returns double precision
  language sql immutable parallel safe
  return case when rank > 0 then
    1 / (1 + 1.2 * (0.25 + 0.75 * relative_length) / (1 / (1.6449340668 * (1 - least(rank, 0.9976))) - 0.5)) else 0 end;
revoke all on all functions in schema grounded from public;
