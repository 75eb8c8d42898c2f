-- Targets of a project for its handoffs, in minutes of business hours. Null: no target.
alter table grounded.projects
  add column first_reply_target_minutes integer check (first_reply_target_minutes between 1 and 43200),
  add column resolution_target_minutes integer check (resolution_target_minutes between 1 and 43200);

-- Due times are stored with the request, so a later change of targets or business hours does not rewrite the past.
alter table grounded.handoffs
  add column is_requested boolean not null default true,
  add column first_reply_at timestamptz(3),
  add column first_reply_due_at timestamptz(3),
  add column resolution_due_at timestamptz(3);
