-- Conversations, their messages, and the events of answers that are being generated. End users, models and webhooks
-- receive what is in `conversations` and `messages`. What only the team may read is in tables of its own.

create type grounded.conversation_status as enum ('OPEN', 'HANDOFF_REQUESTED', 'HUMAN', 'RESOLVED');
create type grounded.conversation_channel as enum ('WIDGET', 'REST', 'OPENAI', 'MCP', 'GRAPHQL', 'PLAYGROUND');

create table grounded.conversations (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  status          grounded.conversation_status not null default 'OPEN',
  end_user_id     text,
  title           text not null,
  -- Numbers the messages. Writers of one conversation wait for the lock of its row.
  message_count   integer not null default 0,
  last_message_at timestamptz(3) not null default now(),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  -- The message that end users receive while they wait for a person: sent once per wait, and cleared by a person's
  -- reply.
  holding_message_id uuid,
  -- The interface that the conversation was started through. Null for conversations that are older than this column.
  channel         grounded.conversation_channel,
  -- Only visitors with a verified id read and continue such a conversation. Name and e-mail are what the page said.
  is_end_user_verified boolean not null default false,
  end_user_name        text,
  end_user_email       text
);
alter table grounded.conversations enable row level security;
create index conversations_project on grounded.conversations (project_id, last_message_at desc, id desc);
-- Reads the latest conversation of an end user without sorting all of them.
create index conversations_end_user_latest
  on grounded.conversations (project_id, end_user_id, created_at desc, id desc)
  where end_user_id is not null;
-- Finds changes that were missed while notifications did not arrive.
create index conversations_changed on grounded.conversations (project_id, updated_at, id);
-- Exports read the conversations of a project in the order of their ids, which never changes.
create index conversations_id on grounded.conversations (project_id, id);
-- Analytics leave out the few conversations of the playground, and read conversations by the day on which they started.
create index conversations_playground on grounded.conversations (project_id, id) where channel = 'PLAYGROUND';
create index conversations_started on grounded.conversations (project_id, created_at);
create policy tenant on grounded.conversations to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create trigger tell_watchers after insert or update on grounded.conversations
  for each row execute function grounded.tell_watchers('conversations');

create type grounded.message_role as enum ('USER', 'ASSISTANT', 'AGENT', 'SYSTEM');
create type grounded.message_status as enum ('GENERATING', 'COMPLETED', 'STOPPED', 'FAILED');
create type grounded.finish_reason as enum ('STOP', 'LENGTH', 'REFUSAL');
create type grounded.intent as enum
  ('GREETING', 'THANKS', 'GOODBYE', 'IDENTITY', 'HELP', 'HUMAN', 'COMPLAINT', 'GIBBERISH');

-- The row of an answer is inserted with that of its question, so that it keeps its position while it is generated.
create table grounded.messages (
  id              uuid primary key,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  project_id      uuid not null references grounded.projects on delete cascade,
  position        integer not null,
  role            grounded.message_role not null,
  status          grounded.message_status not null default 'COMPLETED',
  content         text not null default '',
  citations       jsonb not null default '[]',
  -- Computed from the finished answer.
  confidence      double precision check (confidence between 0 and 1),
  latency_ms      integer,
  model           text,
  input_tokens    integer not null default 0,
  output_tokens   integer not null default 0,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  -- Tokens of the search for the context of the answer.
  embedding_tokens  integer not null default 0,
  -- The answer continues without the connection of its reader.
  is_resumable      boolean not null default false,
  stop_requested_at timestamptz(3),
  -- When the process that generates the answer last renewed its lease.
  lease_renewed_at  timestamptz(3),
  -- The operator who wrote a reply of the team.
  author            text,
  -- Why the chat model stopped. Null for other messages, and for answers that no model finished.
  finish_reason     grounded.finish_reason,
  -- Small talk, which is answered without the documents: set on the message of the end user and on the reply. Null for
  -- questions and their answers.
  intent            grounded.intent,
  -- The confidence that was compared with the threshold, before the answer was generated. Null for small talk, for
  -- messages of people and for older answers.
  retrieval_confidence double precision,
  -- The API key that asked for the answer may continue or stop it, also without the right to read conversations.
  asked_by_key      uuid,
  unique (conversation_id, position)
);
alter table grounded.messages enable row level security;
create index messages_project on grounded.messages (project_id);
create index messages_generating on grounded.messages (lease_renewed_at) where status = 'GENERATING';
-- Unanswered questions are found among these, the latest first. The bound is above the threshold of "I don't know",
-- which the query names.
create index messages_unsure on grounded.messages (project_id, created_at desc)
  where role = 'ASSISTANT' and status = 'COMPLETED' and confidence < 0.5;
-- The effect of a threshold is computed from the latest answers of a project.
create index messages_answers on grounded.messages (project_id, created_at desc)
  where role = 'ASSISTANT' and status = 'COMPLETED' and intent is null;
-- Conversations are filtered by the confidence of their answers. The condition follows from `confidence < …`, also if
-- the other conditions of the statement are no constants for the planner.
create index messages_confidence on grounded.messages (project_id, confidence) include (conversation_id)
  where confidence is not null;
create policy tenant on grounded.messages to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create trigger tell_watchers_of_new after insert on grounded.messages
  for each row execute function grounded.tell_watchers('conversations');
create trigger tell_watchers after update on grounded.messages
  for each row when (old.status is distinct from new.status)
  execute function grounded.tell_watchers('conversations');

-- The events of a resumable answer as they were sent, until some minutes after its end.
create table grounded.answer_events (
  message_id uuid not null references grounded.messages on delete cascade,
  seq        integer not null check (seq >= 0),
  event      jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (message_id, seq)
);
alter table grounded.answer_events enable row level security;
create index answer_events_age on grounded.answer_events (created_at);
create policy tenant on grounded.answer_events to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or exists (select from grounded.messages message where message.id = message_id));
