-- What a website says of its visitor. Personal data: shown to the team, in exports of the end user, and deleted with the
-- conversation. The service bounds names and values; this is at most 20 names and values in UTF-8, escaped.
-- `not valid`: new and changed rows are checked, and the table is not read now.
alter table grounded.conversations
  add column visitor_attributes jsonb;
alter table grounded.conversations
  add constraint visitor_attributes_size check (octet_length(visitor_attributes::text) <= 32768) not valid;
