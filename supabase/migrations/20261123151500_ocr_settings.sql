-- How OCR reads the documents of a project: see src/extract/ocr-settings.ts. Applies to documents that are read from now on.
create type grounded.ocr_mode as enum ('OFF', 'ON', 'AUTO');

alter table grounded.projects
  add column ocr_mode grounded.ocr_mode not null default 'AUTO',
  add column ocr_languages text[] not null default '{eng}' check (cardinality(ocr_languages) between 1 and 5),
  add column ocr_pages integer not null default 50 check (ocr_pages between 1 and 200);
