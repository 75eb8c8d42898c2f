-- The name that a member chooses for end users. Null: end users see no name.
alter table grounded.members add column display_name text
  check (char_length(display_name) <= 60 and display_name ~ '\S');

-- The display name of an agent at the time of the reply. Bounded by `display_name`; a constraint would read the table.
alter table grounded.messages add column author_name text;
