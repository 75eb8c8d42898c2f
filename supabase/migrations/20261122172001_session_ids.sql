-- Access tokens of the dashboard name their session, so that they end with it.
alter table grounded.operator_sessions add column id uuid not null default gen_random_uuid();
create unique index operator_sessions_id on grounded.operator_sessions (id);
create index operator_sessions_email on grounded.operator_sessions (email);
