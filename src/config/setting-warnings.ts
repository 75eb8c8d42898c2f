import { settingNames } from './settings.ts';

/** Names that other programs use, although they resemble a setting. `CHOST` is a host in builds of C programs. */
const otherPrograms = new Set(['CHOST', 'EMAIL_FROM', 'HOSTS', 'POST', 'PORTS', 'ROLES']);

const environments = ['production', 'development', 'test'];

/**
 * Returns warnings for variables that have no effect, or another effect than expected. No warning contains a value,
 * because the value may be a secret.
 */
export function findSettingWarnings(env: NodeJS.ProcessEnv): string[] {
  const warnings = Object.keys(env).flatMap((name) => {
    const meant = otherPrograms.has(name) ? undefined : findMeantSetting(name);
    return meant === undefined ? [] : [`${name}: did you mean ${meant}?`];
  });
  const environment = env.NODE_ENV?.trim() || undefined;
  if (environment !== undefined && !environments.includes(environment)) {
    warnings.push(
      'NODE_ENV is none of production, development and test: it has the effect of development',
    );
  }
  return warnings;
}

function findMeantSetting(name: string): string | undefined {
  if (!/^[A-Z][A-Z0-9_]+$/.test(name) || settingNames.includes(name)) return undefined;
  return settingNames.find((setting) => isOneTypo(name, setting));
}

/** Whether the texts differ in one letter, one more or one less, or two neighbours in the wrong order. */
function isOneTypo(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1)) return true;
  if (restA.slice(1) === restB || restA === restB.slice(1)) return true;
  const swapped = restA.charAt(1) + restA.charAt(0) + restA.slice(2);
  return restA.length > 1 && swapped === restB;
}
