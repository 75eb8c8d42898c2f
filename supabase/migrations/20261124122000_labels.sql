-- Labels of conversations, for the team. In tables of their own, because everything that end users, models and webhooks
-- receive is read from `conversations` and `messages`.
create type grounded.label_color as enum ('GRAY', 'RED', 'ORANGE', 'YELLOW', 'GREEN', 'TEAL', 'BLUE', 'VIOLET', 'PINK');
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
