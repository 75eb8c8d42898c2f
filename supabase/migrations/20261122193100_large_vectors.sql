-- Vectors of up to 4,000 dimensions, the limit of an HNSW index in half precision. Up to 2,000 dimensions a vector stays
-- in its row, as before. A larger one does not fit a page and is stored out of line, never compressed.

alter table grounded.embedding_models drop constraint embedding_models_dimensions_check,
  add constraint embedding_models_dimensions_check check (dimensions between 1 and 4000);

alter table grounded.chunk_vectors alter column embedding set storage external;

do $$
declare
  part regclass;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'grounded.chunk_vectors'::regclass loop
    -- `external` alone would move vectors of 500 dimensions out of line, which slows an exact scan.
    execute format('alter table %s set (toast_tuple_target = 8160)', part);
  end loop;
end $$;
