-- The conversation that a question was taken from. It is erased with it, and so are its results.
alter table grounded.set_questions
  add column conversation_id uuid references grounded.conversations on delete cascade;
create index set_questions_conversation on grounded.set_questions (conversation_id) where conversation_id is not null;
