-- Attempts of a document that failed while the embedding model embedded other documents.
alter table grounded.documents add column lone_failures integer not null default 0;
