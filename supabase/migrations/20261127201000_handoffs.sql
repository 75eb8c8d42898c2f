-- Conversations that people take over, and the events that the inbox shows.

create type grounded.handoff_status as enum ('REQUESTED', 'CLAIMED', 'RESOLVED');

create table grounded.handoffs (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  status          grounded.handoff_status not null default 'REQUESTED',
  email           text,
  name            text,
  reason          text,
  requested_at    timestamptz(3) not null default now(),
  claimed_at      timestamptz(3),
  claimed_by      text,
  resolved_at     timestamptz(3),
  updated_at      timestamptz(3) not null default now(),
  -- False if an agent took over the conversation without a request.
  is_requested    boolean not null default true,
  first_reply_at  timestamptz(3),
  -- Due times are stored with the request, so a later change of targets or business hours does not rewrite the past.
  first_reply_due_at timestamptz(3),
  resolution_due_at  timestamptz(3),
  -- The handoff of its conversation that the inbox lists.
  is_latest       boolean not null default true
);
alter table grounded.handoffs enable row level security;
create unique index handoffs_open on grounded.handoffs (conversation_id) where status <> 'RESOLVED';
create index handoffs_conversation on grounded.handoffs (conversation_id, requested_at desc, id desc);
create index handoffs_project on grounded.handoffs (project_id, requested_at desc, id desc);
-- Lists and counts of one status, in both orders.
create index handoffs_status on grounded.handoffs (project_id, status, requested_at, id);
create policy tenant on grounded.handoffs to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- By the database, because earlier versions of the service insert handoffs while an update is rolled out.
create function grounded.supersede_handoffs() returns trigger language plpgsql set search_path = '' as $$
begin
  update grounded.handoffs set is_latest = false
  where project_id = new.project_id and conversation_id = new.conversation_id and is_latest;
  return new;
end $$;
revoke execute on function grounded.supersede_handoffs from public;
create trigger supersede_handoffs before insert on grounded.handoffs
  for each row when (new.is_latest) execute function grounded.supersede_handoffs();

create type grounded.inbox_event_type as enum ('REQUESTED', 'CLAIMED', 'RESOLVED', 'MESSAGE');

-- Kept for 90 days. Positions are numbered by `projects.inbox_position`.
create table grounded.inbox_events (
  project_id uuid not null references grounded.projects on delete cascade,
  position   bigint not null,
  type       grounded.inbox_event_type not null,
  handoff_id uuid not null references grounded.handoffs on delete cascade,
  message_id uuid references grounded.messages on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, position)
);
alter table grounded.inbox_events enable row level security;
create index inbox_events_handoff on grounded.inbox_events (handoff_id);
create index inbox_events_message on grounded.inbox_events (message_id);
create index inbox_events_age on grounded.inbox_events (created_at);
create policy tenant on grounded.inbox_events to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create trigger tell_watchers after insert on grounded.inbox_events
  for each row execute function grounded.tell_watchers('inbox');

create type grounded.conversation_event_type as enum
  ('CLAIMED', 'TAKEN_OVER', 'ASSIGNED', 'TRANSFERRED', 'RELEASED', 'RESOLVED', 'RETURNED');

-- Changes of the agent who owns a conversation, for the transcript that agents read. Inbox events are deleted after a
-- while and do not name the agent who made the change.
create table grounded.conversation_events (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  type            grounded.conversation_event_type not null,
  actor           text not null,
  previous_agent  text,
  agent           text,
  created_at      timestamptz(3) not null default now()
);
alter table grounded.conversation_events enable row level security;
create index conversation_events_conversation on grounded.conversation_events (conversation_id, created_at, id);
create index conversation_events_project on grounded.conversation_events (project_id);
-- Finds the conversations that an agent has received lately.
create index conversation_events_agent on grounded.conversation_events (agent, created_at) where agent is not null;
create policy tenant on grounded.conversation_events to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- The satisfaction of end users with an agent (CSAT). A row is the question; the answer is its `rating`.
create table grounded.handoff_satisfaction (
  handoff_id uuid primary key references grounded.handoffs on delete cascade,
  project_id uuid not null references grounded.projects on delete cascade,
  -- Who resolved the handoff, as in `handoffs.claimed_by`.
  agent      text not null,
  rating     integer check (rating between 1 and 5),
  comment    text,
  asked_at   timestamptz(3) not null default now(),
  rated_at   timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  check ((rating is null) = (rated_at is null)),
  check (rating is not null or comment is null)
);
alter table grounded.handoff_satisfaction enable row level security;
-- Lists show the latest rating first. Figures count the questions of a range of days.
create index handoff_satisfaction_rated on grounded.handoff_satisfaction (project_id, rated_at desc, handoff_id desc)
  where rating is not null;
create index handoff_satisfaction_asked on grounded.handoff_satisfaction (project_id, asked_at);
create policy tenant on grounded.handoff_satisfaction to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
