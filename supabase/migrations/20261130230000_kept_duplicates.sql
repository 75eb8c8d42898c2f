-- Whether an operator keeps a document although an earlier one has the same content. New content resets it.
alter table grounded.documents
  add column is_duplicate_kept boolean not null default false;
