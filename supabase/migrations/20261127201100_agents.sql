-- What agents work with: read marks, internal notes, labels and saved replies.

-- The last message that each agent has read in a conversation. `reader` is a name as in `handoffs.claimed_by`.
create table grounded.conversation_reads (
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  reader          text not null,
  position        integer not null,
  primary key (conversation_id, reader)
);
alter table grounded.conversation_reads enable row level security;
create index conversation_reads_project on grounded.conversation_reads (project_id);
create policy tenant on grounded.conversation_reads to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- Internal notes of the team on a conversation.
create table grounded.conversation_notes (
  id              uuid primary key,
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  author          text not null,
  content         text not null,
  created_at      timestamptz(3) not null default now()
);
alter table grounded.conversation_notes enable row level security;
create index conversation_notes_conversation on grounded.conversation_notes (conversation_id, created_at, id);
create index conversation_notes_project on grounded.conversation_notes (project_id);
create policy tenant on grounded.conversation_notes to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create type grounded.label_color as enum ('GRAY', 'RED', 'ORANGE', 'YELLOW', 'GREEN', 'TEAL', 'BLUE', 'VIOLET', 'PINK');

-- Labels of conversations.
create table grounded.labels (
  id         uuid primary key,
  project_id uuid not null references grounded.projects on delete cascade,
  name       text not null,
  color      grounded.label_color not null default 'GRAY',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
alter table grounded.labels enable row level security;
-- A name is unique in its project, whatever its case.
create unique index labels_name on grounded.labels (project_id, lower(name));
create policy tenant on grounded.labels to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

create table grounded.conversation_labels (
  project_id      uuid not null references grounded.projects on delete cascade,
  conversation_id uuid not null references grounded.conversations on delete cascade,
  label_id        uuid not null references grounded.labels on delete cascade,
  created_at      timestamptz(3) not null default now(),
  primary key (conversation_id, label_id)
);
alter table grounded.conversation_labels enable row level security;
create index conversation_labels_label on grounded.conversation_labels (label_id, conversation_id);
create index conversation_labels_project on grounded.conversation_labels (project_id);
create policy tenant on grounded.conversation_labels to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- Texts that agents insert into their replies.
create table grounded.saved_replies (
  id         uuid primary key,
  project_id uuid not null references grounded.projects on delete cascade,
  name       text not null,
  content    text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
alter table grounded.saved_replies enable row level security;
-- A name is unique in its project, whatever its case.
create unique index saved_replies_name on grounded.saved_replies (project_id, lower(name));
create policy tenant on grounded.saved_replies to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
