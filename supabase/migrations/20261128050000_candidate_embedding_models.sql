-- Vectors of a CANDIDATE model exist only for evaluation runs that try it. Searches for end users never read them, and
-- they have no HNSW index.
alter table grounded.embedding_models drop constraint embedding_models_status_check;
alter table grounded.embedding_models add constraint embedding_models_status_check
  check (status in ('ACTIVE', 'BUILDING', 'RETIRED', 'CANDIDATE'));
-- A model that is tried gets a row, which is deleted afterwards. After 32,767 of them, ids are used again.
alter table grounded.embedding_models alter column id set cycle;
