import { DomainError } from '../../platform/errors.ts';
import type { TokenKind } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { listMemberships } from '../organizations/members.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { todaySql } from '../usage/usage-sql.ts';

/** What an organization pays for tokens of a model, from a day until the day of the next price. */
export interface ModelPrice {
  readonly model: string;
  readonly kind: TokenKind;
  /** Price of a million tokens. For `RERANK`, of a million of what the server bills. */
  readonly perMillion: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Start of the first day, UTC. */
  readonly validFrom: Date;
}

export interface ModelPriceInput extends Omit<ModelPrice, 'validFrom'> {
  /** Any time of the first day, UTC. Null: today. */
  readonly validFrom?: Date | null;
}

/** The organization of prices. Null or absent: that of the calling key, or the only one of the calling operator. */
interface OfOrganization {
  readonly organizationId?: string | null;
}

/** Maximum number of prices of an organization. */
const maxPrices = 1_000;

/**
 * Returns the prices of an organization, by model and kind, latest first.
 * @throws DomainError from `requireOrganization` and `organizationOf`
 */
export async function listModelPrices(
  context: Context,
  input: OfOrganization,
): Promise<readonly ModelPrice[]> {
  const { id } = await requirePriceOwner(context, input, 'usage:read');
  return readPrices(context, id);
}

/**
 * Sets prices. Replaces a price of the same model, kind and day. Sets all or none.
 *
 * @throws DomainError from `requireOrganization` and `organizationOf`
 * @throws DomainError VALIDATION_FAILED when prices have different currencies
 * @throws DomainError CONFLICT when earlier prices have another currency, or there are too many prices
 */
export async function setModelPrices(
  context: Context,
  input: OfOrganization & { readonly prices: readonly ModelPriceInput[] },
): Promise<readonly ModelPrice[]> {
  const { id, name } = await requirePriceOwner(context, input, 'organization:manage');
  const { prices } = input;
  const currency = prices[0]?.currency;
  if (prices.some((price) => price.currency !== currency)) {
    throw new DomainError('VALIDATION_FAILED', ['All prices must have the same currency']);
  }
  return transaction(context, async (context) => {
    const { db } = context;
    await runSql(db, 'select from grounded.organizations where id = $1::uuid for no key update', [
      id,
    ]);
    await runSql(db, upsertPrices, [
      id,
      prices.map((price) => price.model),
      prices.map((price) => price.kind),
      prices.map(({ validFrom }) => validFrom?.toISOString().slice(0, 10) ?? null),
      prices.map((price) => price.perMillion),
      prices.map((price) => price.currency),
    ]);
    const stored = await readPrices(context, id);
    const other = stored.find((price) => price.currency !== currency)?.currency;
    if (currency !== undefined && other !== undefined) {
      throw new DomainError(
        'CONFLICT',
        `The other prices are in ${other}: delete them before you set prices in ${currency}`,
      );
    }
    if (stored.length > maxPrices) {
      throw new DomainError('CONFLICT', `An organization has at most ${maxPrices} prices`);
    }
    await auditPrices(context, { id, name }, { set: prices });
    return stored;
  });
}

/**
 * Deletes the price of a model, kind and first day, if there is one. The price before then applies again.
 * @throws DomainError from `requireOrganization` and `organizationOf`
 */
export async function deleteModelPrice(
  context: Context,
  input: OfOrganization & Pick<ModelPrice, 'model' | 'kind' | 'validFrom'>,
): Promise<readonly ModelPrice[]> {
  const { id, name } = await requirePriceOwner(context, input, 'organization:manage');
  const { model, kind, validFrom } = input;
  return transaction(context, async (context) => {
    const deleted = await runSql(context.db, deletePrice, [
      ...[id, model, kind, validFrom.toISOString().slice(0, 10)],
    ]);
    if (deleted.length > 0) {
      await auditPrices(context, { id, name }, { deleted: { model, kind, validFrom } });
    }
    return readPrices(context, id);
  });
}

async function requirePriceOwner(
  context: Context,
  { organizationId }: OfOrganization,
  permission: 'usage:read' | 'organization:manage',
) {
  return requireOrganization(
    context,
    organizationId ?? (await organizationOf(context)),
    permission,
  );
}

/**
 * Returns the organization of the calling key, or the only one of the calling operator.
 * @throws DomainError VALIDATION_FAILED when the caller can have several organizations
 */
async function organizationOf(context: Context): Promise<string> {
  const { caller } = context;
  if (caller.type === 'key') return caller.organizationId;
  const [only, ...others] = await listMemberships(context);
  if (only === undefined || others.length > 0) {
    throw new DomainError('VALIDATION_FAILED', ['organizationId is required']);
  }
  return only.organizationId;
}

function auditPrices(
  context: Context,
  { id, name }: { readonly id: string; readonly name: string },
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const target = { type: 'ORGANIZATION', id, name } as const;
  const entry = { organizationId: id, action: 'MODEL_PRICES_UPDATED', target, change } as const;
  return recordAuditEntry(context, entry);
}

async function readPrices(
  { db }: Pick<Context, 'db'>,
  organizationId: string,
): Promise<readonly ModelPrice[]> {
  const rows = await runSql<Omit<ModelPrice, 'validFrom'> & { readonly validFrom: string }>(
    db,
    selectPrices,
    [organizationId],
  );
  return rows.map((row) => ({ ...row, validFrom: new Date(`${row.validFrom}T00:00:00Z`) }));
}

const selectPrices = `
  select model, kind::text as kind, to_char(valid_from, 'YYYY-MM-DD') as "validFrom", per_million::float8 as "perMillion",
    currency
  from grounded.model_prices where organization_id = $1::uuid
  order by model, model_prices.kind, valid_from desc`;

/** The last of two prices of the same model, kind and day applies. */
const upsertPrices = `
  insert into grounded.model_prices as price (organization_id, model, kind, valid_from, per_million, currency)
  select distinct on (model, kind, valid_from) $1::uuid, model, kind, valid_from, per_million, currency
  from (
    select model, kind::grounded.token_kind as kind, coalesce(valid_from, ${todaySql}) as valid_from, per_million,
      currency, place
    from unnest($2::text[], $3::text[], $4::date[], $5::numeric[], $6::text[])
      with ordinality as given (model, kind, valid_from, per_million, currency, place)
  ) given
  order by model, kind, valid_from, place desc
  on conflict (organization_id, model, kind, valid_from)
    do update set per_million = excluded.per_million, currency = excluded.currency`;

const deletePrice = `
  delete from grounded.model_prices
  where organization_id = $1::uuid and model = $2::text and kind = $3::text::grounded.token_kind
    and valid_from = $4::date
  returning model`;
