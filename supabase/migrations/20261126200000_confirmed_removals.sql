
-- A run that would delete a large part of a source keeps it until an operator confirms the deletion.
alter table grounded.sources add column confirms_removals boolean not null default true;
alter table grounded.source_runs
  add column held_removals integer not null default 0,
  add column is_removal_confirmed boolean not null default false,
  -- A process works on the run. If another one claims the run in the meantime, the first has died.
  add column is_worked_on boolean not null default false,
  add column deaths integer not null default 0;

-- The API key that asked for an answer may continue or stop it, also without the right to read conversations.
alter table grounded.messages add column asked_by_key uuid;
