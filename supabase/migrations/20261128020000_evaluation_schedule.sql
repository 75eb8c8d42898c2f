-- Schedule of a question set, with bounds for the figures of its runs.

alter table grounded.question_sets
  -- Null: without a schedule.
  add column every_hours integer,
  -- Bounds by name of the figure: see src/domain/evaluation/figure-bounds.ts.
  add column bounds jsonb not null default '{}',
  add column next_run_at timestamptz(3);
create index question_sets_due on grounded.question_sets (next_run_at) where next_run_at is not null;

alter table grounded.evaluation_runs
  add column is_scheduled boolean not null default false,
  -- Bounds of the schedule at the start of the run.
  add column bounds jsonb not null default '{}',
  -- Stored when the run is done.
  add column failed_bounds jsonb;
