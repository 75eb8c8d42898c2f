-- Organizations, projects, members, API keys, documents, conversations.
-- Runs as an ordinary role on hosted Supabase, plain Postgres (15 to 18) and PGlite. The runner owns the transaction.

-- Private: not among the schemas that PostgREST exposes, and closed to its roles by privilege too.
create schema if not exists grounded;
revoke all on schema grounded from public;

create type grounded.role as enum ('OWNER', 'ADMIN', 'AGENT', 'VIEWER');
create type grounded.api_key_scope as enum
  ('CHAT', 'KNOWLEDGE_READ', 'KNOWLEDGE_WRITE', 'CONVERSATIONS_READ', 'ANALYTICS_READ');
create type grounded.document_status as enum ('PROCESSING', 'READY', 'FAILED');
create type grounded.document_source_type as enum ('TEXT', 'FILE');
create type grounded.conversation_status as enum ('OPEN', 'HANDOFF_REQUESTED', 'HUMAN', 'RESOLVED');
create type grounded.message_role as enum ('USER', 'ASSISTANT', 'AGENT', 'SYSTEM');
create type grounded.message_status as enum ('GENERATING', 'COMPLETED', 'STOPPED', 'FAILED');

-- Limits; null means unlimited.
create table grounded.plans (
  name                text primary key,
  monthly_messages    integer,
  max_upload_bytes    bigint not null,
  storage_bytes       bigint,
  requests_per_minute integer not null
);
insert into grounded.plans values
  ('free',    500,  10000000,  100000000,   60),
  ('pro',   10000,  25000000, 5000000000,  300),
  ('scale',  null, 100000000,       null, 3000);

-- The limit columns override the plan's where they are not null.
create table grounded.organizations (
  id                  uuid primary key,
  name                text not null,
  plan                text not null default 'free' references grounded.plans,
  monthly_messages    integer check (monthly_messages >= 0),
  max_upload_bytes    bigint check (max_upload_bytes > 0),
  storage_bytes       bigint check (storage_bytes >= 0),
  requests_per_minute integer check (requests_per_minute > 0),
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now()
);

create table grounded.projects (
  id              uuid primary key,
  organization_id uuid not null references grounded.organizations on delete cascade,
  name            text not null,
  instructions    text,
  fallback_text   text,
  holding_text    text,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now()
);
create index projects_organization on grounded.projects (organization_id, id);

-- Operators. A member invited by e-mail has no user until the first sign-in with that address.
create table grounded.members (
  id              uuid primary key,
  organization_id uuid not null references grounded.organizations on delete cascade,
  email           text not null check (email = lower(email)),
  user_id         uuid,
  role            grounded.role not null,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  unique (organization_id, email)
);
create index members_user on grounded.members (user_id);

-- The key's text is never stored, only its SHA-256.
create table grounded.api_keys (
  id              uuid primary key,
  organization_id uuid not null references grounded.organizations on delete cascade,
  project_id      uuid references grounded.projects on delete cascade,
  name            text not null,
  hash            bytea not null unique check (length(hash) = 32),
  prefix          text not null,
  last_four       text not null,
  scopes          grounded.api_key_scope[] not null,
  created_by      text not null,
  created_at      timestamptz(3) not null default now(),
  last_used_at    timestamptz(3),
  expires_at      timestamptz(3),
  revoked_at      timestamptz(3)
);
create index api_keys_organization on grounded.api_keys (organization_id, id);
create index api_keys_project on grounded.api_keys (project_id);

-- `attempt` fences ingestion: only the run that started last may finish the document.
create table grounded.documents (
  id            uuid primary key,
  project_id    uuid not null references grounded.projects on delete cascade,
  name          text not null,
  status        grounded.document_status not null default 'PROCESSING',
  source_type   grounded.document_source_type not null,
  mime_type     text not null,
  size_bytes    bigint not null,
  content_hash  text not null,
  chunk_count   integer not null default 0,
  token_count   integer not null default 0,
  attempt       integer not null default 0,
  error_code    text,
  error_message text,
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  processed_at  timestamptz(3)
);
create index documents_project on grounded.documents (project_id, created_at desc, id desc);

-- `message_count` numbers the messages: writers of one conversation queue on its row.
create table grounded.conversations (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  status          grounded.conversation_status not null default 'OPEN',
  end_user_id     text,
  title           text not null,
  message_count   integer not null default 0,
  last_message_at timestamptz(3) not null default now(),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now()
);
create index conversations_project on grounded.conversations (project_id, last_message_at desc, id desc);
create index conversations_end_user on grounded.conversations (project_id, end_user_id)
  where end_user_id is not null;

-- An answer's row is made with its question's, so that it keeps its place while it is generated.
create table grounded.messages (
  id              uuid primary key,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  project_id      uuid not null references grounded.projects on delete cascade,
  position        integer not null,
  role            grounded.message_role not null,
  status          grounded.message_status not null default 'COMPLETED',
  content         text not null default '',
  citations       jsonb not null default '[]',
  confidence      double precision check (confidence between 0 and 1),
  latency_ms      integer,
  model           text,
  input_tokens    integer not null default 0,
  output_tokens   integer not null default 0,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  unique (conversation_id, position)
);
create index messages_project on grounded.messages (project_id);
create index messages_generating on grounded.messages (updated_at) where status = 'GENERATING';
