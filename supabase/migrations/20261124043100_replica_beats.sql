-- One row that processes with read replicas update on the primary. A replica shows in it how far behind it is, and which
-- timeline it follows: a replica that was left on the timeline of a replaced primary never receives a later one.
create table grounded.replica_beats (
  id        smallint primary key default 1 check (id = 1),
  -- First eight digits of the names of the primary's WAL files.
  timeline  text not null,
  beaten_at timestamptz not null
);
alter table grounded.replica_beats enable row level security;
create policy tenant on grounded.replica_beats to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system');
