import { DomainError } from '../src/platform/errors.ts';

/**
 * Returns whether the migrations from before the baseline created a database, given the versions that it records.
 * @throws DomainError CONFLICT when it records only some of them: their files no longer exist
 */
export function hasReplacedMigrations(recorded: Pick<ReadonlySet<string>, 'has'>): boolean {
  const count = replacedVersions.filter((version) => recorded.has(version)).length;
  if (count === 0 || count === replacedVersions.length) return count > 0;
  throw new DomainError(
    'CONFLICT',
    `This database is older than version 0.1.0: it has ${count} of the ${replacedVersions.length} migrations from before, ` +
      'and this version cannot apply the rest. See "Databases from before 0.1.0" in docs/guides/operations.md, ' +
      'or start with an empty database.',
  );
}

/** The last file of the baseline. Later ones are pending in a database that records `replacedVersions`. */
export const lastBaselineVersion = '20261127201400';

/**
 * The migrations that the baseline replaced, before the first release. Together they create the same schema, so `migrate`
 * only replaces their records. Version 0.1.0 does the same, so this file and its callers may be deleted with 0.3.0.
 */
export const replacedVersions: readonly string[] = [
  '20261121000100',
  '20261121000200',
  '20261121000900',
  '20261121001000',
  '20261121001100',
  '20261121001200',
  '20261121001300',
  '20261121001400',
  '20261121001500',
  '20261121002000',
  '20261121002010',
  '20261121002100',
  '20261121002200',
  '20261121002300',
  '20261121003000',
  '20261121003500',
  '20261121003510',
  '20261121004000',
  '20261121005000',
  '20261121008000',
  '20261121012000',
  '20261121015000',
  '20261122000000',
  '20261122120000',
  '20261122130000',
  '20261122140000',
  '20261122150000',
  '20261122160000',
  '20261122160010',
  '20261122170010',
  '20261122172001',
  '20261122180000',
  '20261122190000',
  '20261122190100',
  '20261122190200',
  '20261122191000',
  '20261122192000',
  '20261122193000',
  '20261122193100',
  '20261122194000',
  '20261123030000',
  '20261123050000',
  '20261123100000',
  '20261123100050',
  '20261123102000',
  '20261123102010',
  '20261123103000',
  '20261123103100',
  '20261123104000',
  '20261123110000',
  '20261123120000',
  '20261123120100',
  '20261123121000',
  '20261123130000',
  '20261123140000',
  '20261123150000',
  '20261123151500',
  '20261123160000',
  '20261123170000',
  '20261123180000',
  '20261123190000',
  '20261123193000',
  '20261124043100',
  '20261124122000',
  '20261125200100',
  '20261125200101',
  '20261125200200',
  '20261125200300',
  '20261125200400',
  '20261125200401',
  '20261125200402',
  '20261125200403',
  '20261125200500',
  '20261125205000',
  '20261126200000',
  '20261127050000',
  '20261127060000',
  '20261127060500',
  '20261127061000',
  '20261127062000',
  '20261127140000',
  '20261127143000',
  '20261127151000',
];
