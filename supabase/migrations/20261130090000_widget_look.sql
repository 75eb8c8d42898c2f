-- How the widget looks on every site. Null: the default of the widget, for texts in the language of the visitor.
create type grounded.widget_position as enum ('RIGHT', 'LEFT');
alter table grounded.widgets
  add column title text check (char_length(title) between 1 and 60),
  add column greeting text check (char_length(greeting) between 1 and 300),
  add column color text check (color ~ '^#[0-9a-f]{6}$'),
  -- The side of the page.
  add column position grounded.widget_position not null default 'RIGHT',
  add column logo_url text check (char_length(logo_url) <= 500 and logo_url like 'https://%'),
  -- Shown as buttons before the first message.
  add column starter_questions text[] not null default '{}' check (cardinality(starter_questions) <= 4
    and char_length(array_to_string(starter_questions, '')) <= 480),
  -- Whether visitors see the names that agents have chosen.
  add column agent_names boolean not null default true;
