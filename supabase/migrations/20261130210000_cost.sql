-- What answers and documents cost: tokens by model, and prices of models. The cost is computed when it is read, so a
-- price that is entered later also applies to earlier days.

create type grounded.token_kind as enum ('INPUT', 'OUTPUT', 'EMBEDDING', 'RERANK');

-- Tokens of each model on each day, UTC. Their sums are those of usage_days, which is written first. Kept when the
-- project is deleted, because the tokens were used.
create table grounded.token_days (
  organization_id uuid not null references grounded.organizations on delete cascade,
  project_id      uuid not null,
  day             date not null,
  model           text not null check (length(model) <= 200),
  kind            grounded.token_kind not null,
  tokens          bigint not null,
  primary key (project_id, day, model, kind)
);
alter table grounded.token_days enable row level security;
create index token_days_organization on grounded.token_days (organization_id, day);
create policy tenant on grounded.token_days to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));

-- The tokens of an answer: `[{"model", "kind", "tokens"}]`. Null without tokens, and for answers of earlier versions.
alter table grounded.messages add column model_tokens jsonb
  constraint messages_model_tokens check (octet_length(model_tokens::text) <= 4096);

-- Prices that an organization pays. All prices of an organization have one currency.
create table grounded.model_prices (
  organization_id uuid not null references grounded.organizations on delete cascade,
  model           text not null check (length(model) between 1 and 200),
  kind            grounded.token_kind not null,
  -- The first day, UTC, on which the price applies. It applies until the day of the next price.
  valid_from      date not null,
  per_million     numeric(18, 6) not null check (per_million >= 0),
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  primary key (organization_id, model, kind, valid_from)
);
alter table grounded.model_prices enable row level security;
create policy tenant on grounded.model_prices to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or organization_id = any ((select grounded.tenant_organizations())::uuid[]));

-- Returns the price of a million tokens on a day. Null without a price.
create function grounded.price_on(of_organization uuid, of_model text, of_kind grounded.token_kind, on_day date)
  returns numeric language sql stable parallel safe set search_path = ''
as $$
  select price.per_million from grounded.model_prices price
  where price.organization_id = of_organization and price.model = of_model and price.kind = of_kind
    and price.valid_from <= on_day
  order by price.valid_from desc limit 1
$$;

-- Returns what an organization used on each day on which it used models with a price. A tenant of one project sees this
-- sum, too, as it sees the other usage of its organization.
create function grounded.organization_cost_days(of_organization uuid, first_day date, last_day date)
  returns table (day date, amount numeric)
  language sql stable security definer set search_path = ''
as $$
  select used.day, sum(used.tokens * grounded.price_on(of_organization, used.model, used.kind, used.day)) / 1000000
  from (
    select token.day, token.model, token.kind, sum(token.tokens) as tokens
    from grounded.token_days token
    where token.organization_id = of_organization and token.day between first_day and last_day
      and (current_setting('grounded.tenant', true) = 'system'
        or of_organization = any (grounded.tenant_organizations()))
    group by 1, 2, 3
  ) used
  group by 1 having sum(used.tokens * grounded.price_on(of_organization, used.model, used.kind, used.day)) is not null
$$;
revoke execute on function grounded.price_on, grounded.organization_cost_days from public;

-- What a project may cost in a calendar month, UTC, in the currency of the prices. A warning is sent at the percentage
-- and at 100 %. Nothing stops.
alter table grounded.projects
  add column budget_monthly_amount double precision check (budget_monthly_amount > 0),
  add column budget_warn_at_percent integer check (budget_warn_at_percent between 1 and 100),
  add constraint projects_budget check ((budget_monthly_amount is null) = (budget_warn_at_percent is null));

-- Warnings that were sent, so that each is sent once a month.
create table grounded.budget_warnings (
  project_id uuid not null references grounded.projects on delete cascade,
  starts_on  date not null,
  percent    integer not null,
  primary key (project_id, starts_on, percent)
);
alter table grounded.budget_warnings enable row level security;
create policy tenant on grounded.budget_warnings to grounded_service
  using ((select current_setting('grounded.tenant', true)) = 'system'
    or project_id = any ((select grounded.tenant_projects())::uuid[]));
