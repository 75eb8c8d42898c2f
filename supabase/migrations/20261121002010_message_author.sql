-- Which operator wrote a reply of the team.
alter table grounded.messages add column author text;
