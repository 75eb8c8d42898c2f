-- The names of documents that a run has added, changed and removed: the first 50 of each kind, of at most 255 characters.
-- `not valid`: new and changed rows are checked, and the table is not read now.
alter table grounded.source_runs
  add column changes jsonb not null default '{}';
alter table grounded.source_runs
  add constraint source_runs_changes_size check (octet_length(changes::text) <= 262144) not valid;
