-- Where a visitor of the widget wrote the latest message. Personal data: shown to the team, in exports of the end user,
-- and deleted with the conversation. The service bounds the texts; a constraint would read the table.
alter table grounded.conversations
  add column visitor_page text,
  add column visitor_browser text,
  add column visitor_time_zone text;
