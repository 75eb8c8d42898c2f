-- The language of the searched text, as an ISO 639-1 code. Null: unknown, or the document was not ingested again since.
-- `not valid`: new and changed rows are checked, and the table is not read now.
alter table grounded.documents
  add column language text;
alter table grounded.documents
  add constraint documents_language check (language ~ '^[a-z]{2}$') not valid;
