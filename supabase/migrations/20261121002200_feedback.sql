-- What readers think of answers, one opinion an answer; it goes with its message.
create type grounded.feedback_rating as enum ('UP', 'DOWN');

create table grounded.message_feedback (
  message_id uuid primary key references grounded.messages on delete cascade,
  project_id uuid not null references grounded.projects on delete cascade,
  rating     grounded.feedback_rating not null,
  comment    text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
alter table grounded.message_feedback enable row level security;

-- Unanswered questions are looked for among these, the latest first. The bound leaves room above the threshold of
-- "I don't know", which the query names.
create index message_feedback_down on grounded.message_feedback (project_id, updated_at desc) where rating = 'DOWN';
create index messages_unsure on grounded.messages (project_id, created_at desc)
  where role = 'ASSISTANT' and status = 'COMPLETED' and confidence < 0.5;
