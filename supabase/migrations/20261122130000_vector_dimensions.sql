-- Deletes vectors whose size differs from that of their model. One such vector makes every search of its project fail.
-- Full-text search still finds their chunks, and `npm run cli -- reindex` computes the missing vectors.

do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

delete from grounded.chunk_vectors v using grounded.embedding_models m
where m.id = v.model_id and vector_dims(v.embedding) <> m.dimensions;
