import { beforeAll, expect, test } from 'vitest';
import { retrieve } from '../../../src/domain/knowledge/retrieval/retrieve.ts';
import { addDocuments } from '../../support/knowledge.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;
let otherId: string;

beforeAll(async () => {
  service = await sharedService();
  ({ projectId } = await service.createTenant());
  ({ projectId: otherId } = await service.createTenant());
  await addDocuments(service, projectId, {
    'Tents.md':
      '# Warranty\n\nThe warranty of a tent is five years. Accidental damage is excluded.',
    'Books.md':
      '# Books\n\nWe sell books about hiking. Older ones are cheaper. Membership in the reading club is free.',
    'Arrival.md':
      'Check-out is until 11:00. Late arrivals call the porter, and stay no longer. Do not touch the bell. Ask for the password. Our address is 5 Beach Road.',
    'Öffnung.md':
      '# Öffnungszeiten\n\nDas Geschäft ist montags geöffnet und sonntags geschlossen. Sie erreichen uns jederzeit.',
  });
  await addDocuments(service, otherId, {
    'Sauna.md': '# Sauna\n\nThe sauna costs nine euros. The paragliding course is fully booked.',
  });
}, 60_000);

async function searched(query: string, id = projectId): Promise<string> {
  return (await retrieve(service.system, { projectId: id, query, limit: 5 })).query;
}

test.each([
  ['How long is the warrenty of a tent?', 'How long is the warranty of a tent?'],
  ['is accidetnal damge excluded', 'is accidental damage excluded'],
  ['Is Membreship free?', 'Is Membership free?'],
  ['waht tme is chek-out', 'what time is check-out'],
  ['wich books are about hiking', 'which books are about hiking'],
  ['Wich books are about hiking?', 'Which books are about hiking?'],
  ['whats teh adres', 'whats the address'],
  ['thier address', 'their address'],
  ['wher is the porter', 'where is the porter'],
  ['hwo much is the membership', 'how much is the membership'],
  ['is a late chek-out free', 'is a late check-out free'],
  ['Is the mmebreship free?', 'Is the membership free?'],
  ['Wann ist das Gescäft geöffnet?', 'Wann ist das Geschaft geöffnet?'],
])('misspelled words of "%s" become words of the documents', async (query, corrected) => {
  expect(await searched(query)).toBe(corrected);
});

test.each([
  ['How long is the warranty of a tent?', 'every word is in a document'],
  ['Do you sell boots?', 'the embedding model knows the word, so it is not misspelled'],
  ['Do you sell xqzvkw?', 'no document contains a similar word'],
  ['What is the TENTS-204x?', 'codes are not corrected'],
  ['What is the warranti-7 or warranti_x?', 'names of files and options are not corrected'],
  ['Does it vouch for the books?', '"touch" is in a document, but nobody writes v for t'],
  ['Which books are the cheapest?', 'the embedding model knows "cheap"'],
  ['Wie lange ist die Hütte länger offen?', 'a short word of another language'],
  ['Wann wich der Regen den Büchern?', 'a German word, although no document contains it'],
  ['is the cast of the club free', 'the embedding model knows "cast"'],
  ['Wie lang muss mein Passwort sein?', '"password" is English'],
  ['Was muss ich einreichen?', '"erreichen" is another German verb'],
  ['an wen wende ich mich', 'words of questions are corrected in English only'],
  ['Where is the suana?', 'only another project has the word'],
  ['Wrranty clos hous trea flwer grden of a tent?', 'too many words are unknown'],
])('"%s" is not changed: %s', async (query) => {
  expect(await searched(query)).toBe(query);
});

test('words of another project are never used', async () => {
  const query = 'What does the suana cost?';
  expect(await searched(query)).toBe(query);
  expect(await searched(query, otherId)).toBe('What does the sauna cost?');
  expect(await searched('paraglidnig')).toBe('paraglidnig');
  expect(await searched('paraglidnig', otherId)).toBe('paragliding');
});

test('a misspelled, polite question finds the same chunks with the same scores', async () => {
  const input = { projectId, limit: 3 };
  const plain = await retrieve(service.system, {
    ...input,
    query: 'is accidental damage excluded?',
  });
  const polite = await retrieve(service.system, {
    ...input,
    query: 'Good morning! Could you please tell me whether is acidental damagge excluded? Thanks!',
  });
  expect(polite.hits).toEqual(plain.hits);
});

test('a word of questions is corrected although no document of the filter contains it', async () => {
  const field = { name: 'name' } as const;
  const filter = { type: 'equal', field, values: ['Arrival.md'] } as const;
  const query = 'thier adress';
  const found = await retrieve(service.system, { projectId, query, limit: 5, filter });
  expect(found.query).toBe('their address');
});
