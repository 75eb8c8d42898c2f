-- What owners and admins have decided on the page "Get started". Earlier processes insert projects without both.
alter table grounded.projects
  -- The page no longer opens first.
  add column is_setup_hidden boolean not null default false,
  -- The built-in chat model is meant to stay, so that the choice of a model counts as done.
  add column keeps_built_in_model boolean not null default false;
