-- What a customer says about a document. `external_id` is the customer's own id; `version` counts the contents, from 1.
-- `source_id` names the source that keeps the document in step, if there is one.
alter table grounded.documents
  add column external_id text,
  add column metadata    jsonb not null default '{}',
  add column source_url  text,
  add column tags        text[] not null default '{}',
  add column version     integer not null default 1,
  add column source_id   uuid;

create unique index documents_external_id on grounded.documents (project_id, external_id);
create index documents_source on grounded.documents (project_id, source_id) where source_id is not null;
