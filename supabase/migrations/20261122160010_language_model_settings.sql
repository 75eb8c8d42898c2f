-- What a project sets about the language model. Null means the value of the installation, which is also the maximum of
-- the last three.
alter table grounded.projects
  add column chat_temperature double precision check (chat_temperature between 0 and 2),
  add column chat_reasoning_effort text check (chat_reasoning_effort ~ '^[a-z]{1,20}$'),
  add column chat_max_output_tokens integer check (chat_max_output_tokens >= 16),
  add column chat_context_chunks integer check (chat_context_chunks >= 1),
  add column chat_context_tokens integer check (chat_context_tokens >= 200);
