-- When a project's team is there, and what end users are told while it is not.

-- `{"timeZone": "Europe/Berlin", "weekly": [{"day": "MONDAY", "from": "09:00", "to": "17:00"}]}`; null: always.
alter table grounded.projects
  add column business_hours jsonb,
  add column out_of_hours_text text;
