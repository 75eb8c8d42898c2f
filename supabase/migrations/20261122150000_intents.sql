-- Small talk, which is answered without the documents: what kind it is, and the texts of a project. A text of null means
-- the built-in text in the language of the message.
create type grounded.intent as enum
  ('GREETING', 'THANKS', 'GOODBYE', 'IDENTITY', 'HELP', 'HUMAN', 'COMPLAINT', 'GIBBERISH');
-- OFFER: the assistant says how to reach a person. START: it requests the handoff.
create type grounded.human_request as enum ('OFFER', 'START');

-- Set on the message of the end user and on the reply. Null for questions and their answers.
alter table grounded.messages add column intent grounded.intent;

alter table grounded.projects
  add column greeting_text text,
  add column thanks_text text,
  add column goodbye_text text,
  add column identity_text text,
  add column help_text text,
  add column human_text text,
  add column complaint_text text,
  add column gibberish_text text,
  add column human_request grounded.human_request not null default 'OFFER';
