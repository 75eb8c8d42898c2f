-- What statements need of pgvector, by names of our own schema: wherever the extension is installed, no search path is
-- needed. A type and an operator cost nothing per call, and unlike a function that is inlined have no search path to fix.
do $$
begin
  perform set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
end $$;

create domain grounded.embedding as vector;
-- Of unit vectors: minus the cosine. Ascending order is best first.
create operator grounded.<#> (
  function = vector_negative_inner_product, leftarg = vector, rightarg = vector, commutator = operator(grounded.<#>)
);

-- Processes of the earlier version go on using these until they are replaced, more slowly without inlining.
alter function grounded.vector_of(text) set search_path = '';
alter function grounded.distance(vector, vector) set search_path = '';
alter function grounded.bm25(double precision, double precision) set search_path = '';
