-- Git repositories and S3 buckets as sources.
alter type grounded.source_kind add value 'GIT';
alter type grounded.source_kind add value 'S3';

-- Encrypted access token or key of the source, with the id of the source as associated data.
alter table grounded.sources add column secret text;

-- Why the current version of a file is no document. It is not read again until it changes.
alter table grounded.source_pages add column refusal text;
