-- The functions of filtered searches read one snapshot, as those of other searches do. A volatile function takes a new
-- snapshot for each of its queries, and would find vectors of a version that is published during the search, whose
-- chunks the statement does not see.
do $$
declare
  search regprocedure;
begin
  for search in
    select p.oid from pg_proc p
    where p.pronamespace = 'grounded'::regnamespace and p.proname in ('nearest_matching', 'nearest_matching_by_index')
  loop
    execute format('alter function %s stable', search);
  end loop;
end $$;

-- The view reads as its owner, without row-level security, and repeats the condition of the policy. It is not for writing.
revoke insert, update, delete on grounded.filterable_documents from grounded_service;

-- No statement of the service calls these functions any more.
do $$
declare
  unused regprocedure;
begin
  for unused in
    select p.oid from pg_proc p
    where p.pronamespace = 'grounded'::regnamespace and (
      p.proname in ('vector_of', 'distance', 'bm25', 'nearest') or (p.proname = 'nearest_by_index' and p.pronargs = 5))
  loop
    execute format('drop function %s', unused);
  end loop;
end $$;
