
-- A run that would delete a large part of a source keeps it until an operator confirms the deletion.
alter table grounded.sources add column confirms_removals boolean not null default true;
alter table grounded.source_runs
  add column held_removals integer not null default 0,
  add column is_removal_confirmed boolean not null default false;
