import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generateIdentitySecret, isUserHash } from '../../src/domain/widget/user-hash.ts';

const guide = readFileSync('docs/guides/widget.md', 'utf8');
const secret = generateIdentitySecret();
const userIds = ['4711', 'mira@example.com', 'Zoë 😀'];
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Returns the code block of the guide that is in this language and contains the text. */
function exampleOf(language: string, text: string): string {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))];
  const example = blocks.map(([, code = '']) => code).find((code) => code.includes(text));
  if (example === undefined) throw new Error(`The guide has no example with ${text}`);
  return example;
}

describe('the guide of the widget signs ids that the service accepts', () => {
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, IDENTITY_SECRET: secret },
    });

  test.each(userIds)('in Node: %s', (userId) => {
    const code = `${exampleOf('js', 'createHmac')}\nprocess.stdout.write(signUserId(process.argv[1]));`;
    const hash = run(process.execPath, ['--input-type=module', '-e', code, userId]);
    expect(isUserHash(secret, userId, hash)).toBe(true);
  });

  test.skipIf(!hasPython).each(userIds)('in Python: %s', (userId) => {
    const code = `${exampleOf('python', 'hmac')}\nimport sys\nprint(sign_user_id(sys.argv[1]), end="")`;
    expect(isUserHash(secret, userId, run('python3', ['-X', 'utf8', '-c', code, userId]))).toBe(
      true,
    );
  });
});
