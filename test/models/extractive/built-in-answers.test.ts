import { describe, expect, it } from 'vitest';
import { askBuiltIn } from '../../support/evaluation/ask-built-in.ts';

const excursion = `# School excursion

Every pupil brings the following to the excursion:

- A signed permission slip from a parent or guardian of the pupil
- Sturdy shoes with a good profile and a spare pair of warm socks
- A rain jacket, because trips also take place in bad weather
- Lunch for the whole day and at least one litre of water
- An insurance card, which the teacher collects in the morning`;

describe('the built-in answer from a list', () => {
  it('contains the whole list if the question is about the list', async () => {
    const answer = await askBuiltIn('What does a pupil bring to the excursion?', excursion);
    expect(answer).toMatch(
      /^Every pupil brings the following to the excursion: A signed permission slip .*; An insurance card, which the teacher collects in the morning\. \[1\]$/,
    );
  });

  it('contains the whole list if the question names it, although some items have its other words', async () => {
    const text = `## Harbour master

The harbour master reports to the town council of Seebach.

Responsibilities:

- Assign the berths of the harbour and keep the list of the boats that wait for one of them
- Collect the fees of guests at the end of each day and hand them over to the town council
- Check the lamps of the pier before sunset and call the electrician if one of them is broken
- Publish the tides and the wind of the next day at the office, on the website and by radio`;
    const answer = await askBuiltIn(
      'What are the responsibilities of the harbour master for the fees?',
      text,
    );
    expect(answer).toMatch(/^Responsibilities: Assign .*; Collect .*; Check .*; Publish .*/);
  });

  it('is the only text if it lists what the question asks for', async () => {
    const text =
      'The types of boats are sloops, ketches and yawls. A sloop is a type of boat with one mast. The boats are painted.';
    expect(await askBuiltIn('What types of boats are there?', text)).toBe(
      'The types of boats are sloops, ketches and yawls. [1]',
    );
  });

  it('contains the lead and one item if the question is about that item', async () => {
    const answer = await askBuiltIn('How much water does a pupil bring?', excursion);
    expect(answer).toBe(
      'Every pupil brings the following to the excursion: Lunch for the whole day and at least one litre of water. [1]',
    );
  });

  it('contains all steps of a procedure with their numbers', async () => {
    const steps = `4. Returning a bicycle

Bicycles are returned at any station. Here is how it works:

1. Park the bicycle:
• Push the front wheel into a free dock until the lamp on the dock turns green.
2. Lock the bicycle:
• Close the ring lock by hand, because it does not close without your help.
3. End the ride:
• Tap “End ride” in the app, check the price of the ride and confirm it.
• Keep the receipt until the payment appears on your statement at the end of the month.`;
    expect(await askBuiltIn('How do I return a bicycle?', steps)).toMatch(
      /^Here is how it works: 1\. Park the bicycle: Push .* 2\. Lock the bicycle: Close .* 3\. End the ride: Tap .* Keep the receipt .*month\. \[1\]/,
    );
  });

  it('contains a list without an introduction if the question asks for several things', async () => {
    const text =
      '# Conduct\n\n- Keep the reading room silent.\n- Leave coats at the entrance.\n\n# Rules for visitors\n\nThe archive is open to visitors on weekdays.';
    expect(await askBuiltIn('Which rules of conduct do visitors follow?', text)).toMatch(
      /Keep the reading room silent; Leave coats at the entrance\./,
    );
  });

  it('starts with the sentence that the introduction of the list refers to', async () => {
    const text =
      'The travel insurance pays for lost luggage. There are things that are not insured. Some of these include:\n\n- Cash and cheques\n- Musical instruments';
    expect(await askBuiltIn('What is not insured?', text)).toMatch(
      /^There are things that are not insured\. Some of these include: Cash and cheques; Musical instruments\. \[1\]/,
    );
  });

  it('ignores words of the heading when it looks for the item that is asked about', async () => {
    const text = `# Harbour master

Duties:

- Assign berths to arriving ships, and keep the register of all ships in the port
- Represent the harbour at meetings of the region, together with a deputy
- Train the pilots, and check their licences before the start of every season
- Order dredging of the entrance when the soundings show less than six metres`;
    expect(await askBuiltIn('What are the duties of the harbour master?', text)).toMatch(
      /^Duties: Assign berths .*; Represent the harbour .*; Train .*; Order .*metres\. \[1\]/,
    );
  });

  it('introduces a list of names with its heading', async () => {
    const list =
      '# Supported payment cards\n\n- Visa\n- Maestro\n- Diners\n\nCash is not accepted.';
    expect(await askBuiltIn('Which payment cards are supported?', list)).toMatch(
      /^Supported payment cards: Visa; Maestro; Diners\. \[1\]/,
    );
  });
});

describe('the built-in answer leaves out', () => {
  it('a heading with a number', async () => {
    const text = '7. Lost property\n\n- Items are kept for six weeks.\n\n8. Complaints';
    const answer = await askBuiltIn('What happens to lost property?', text);
    expect(answer).toBe('Items are kept for six weeks. [1]');
  });

  it('a sentence that only repeats the question', async () => {
    const text =
      'Our library lends telescopes. Borrowers of a telescope pay a deposit of 50 euros.';
    expect(await askBuiltIn('Which telescopes does our library lend?', text)).toMatch(/deposit/);
  });

  it('a table of contents', async () => {
    const text =
      '# Table of contents\n\n1. How to renew a visa\n2. How to extend a visa\n\n# Visas\n\nA renewal takes place at the consulate.';
    expect(await askBuiltIn('How to renew a visa?', text)).toBe(
      'A renewal takes place at the consulate. [1]',
    );
  });

  it('no sentence that repeats a word of the question as its answer', async () => {
    const text = 'Salt is added to the salt water of the pool. Salt water is cold in the pool.';
    expect(await askBuiltIn('What is added to the salt water of the pool?', text)).toMatch(
      /^Salt is added to the salt water of the pool\./,
    );
  });

  it('a closing formula, unless the question asks whom to contact', async () => {
    const text =
      'If you have any questions about parking permits, please contact the parking office. Parking permits are issued by the town hall.';
    expect(await askBuiltIn('Where are parking permits issued?', text)).not.toMatch(/questions/);
    expect(await askBuiltIn('Whom do I contact about parking permits?', text)).toMatch(
      /contact the parking office/,
    );
  });

  it('further sentences without a number if the question asks for a number', async () => {
    const text =
      'The sauna holds 14 persons. The sauna is heated with birch wood. Persons in the sauna sit on towels.';
    expect(await askBuiltIn('How many persons does the sauna hold?', text)).toBe(
      'The sauna holds 14 persons. [1]',
    );
  });
});

describe('the built-in answer prefers', () => {
  it('a frequency for "how often"', async () => {
    const text =
      'We want fire drills to be taken seriously by everyone. Fire drills take place quarterly. Fire drills are announced by the warden.';
    expect(await askBuiltIn('How often do fire drills take place?', text)).toBe(
      'Fire drills take place quarterly. [1]',
    );
  });

  it('a negated sentence for a negated question', async () => {
    const text =
      'The warranty covers the engine and the gearbox of the tractor. The warranty does not cover tyres and wipers.';
    expect(await askBuiltIn('What is not covered by the warranty?', text)).toMatch(
      /^The warranty does not cover tyres and wipers\. \[1\]/,
    );
  });

  it('the definition for "what is"', async () => {
    const text =
      'The charterer pays a demurrage charge to the owner of the ship. Demurrage is a fee for each day that a ship stays in port too long.';
    expect(await askBuiltIn('What is demurrage?', text)).toMatch(
      /^Demurrage is a fee for each day/,
    );
  });

  it('the text below the same question', async () => {
    const text =
      'Is smoking allowed in the rooms?\n\nGuests smoke in the garden only.\n\nIs cooking allowed?\n\nCooking is allowed in rooms with a stove.';
    expect(await askBuiltIn('Is smoking allowed in my room?', text)).toMatch(
      /^Guests smoke in the garden only\. \[1\]/,
    );
  });
});

describe('the built-in answer without the sentence before', () => {
  it('does not start with a word that connects it to that sentence', async () => {
    const text =
      'Berths are rented by the year. However, guests pay for each night. Guests of the club stay for free.';
    expect(await askBuiltIn('How do guests pay?', text)).toMatch(
      /^Guests pay for each night\. \[1\]/,
    );
  });
});

it('the built-in answer does not end with a closing formula', async () => {
  const text =
    'Berths are cleaned every week. If you have questions about the cleaning of berths, contact the harbour office.';
  expect(await askBuiltIn('How often are berths cleaned?', text)).toBe(
    'Berths are cleaned every week. [1]',
  );
  expect(await askBuiltIn('Whom do I contact about the cleaning of berths?', text)).toMatch(
    /contact the harbour office\. \[1\]/,
  );
});

it('the built-in answer does not continue with a sentence that adds little', async () => {
  const text =
    'The old lighthouse was built by Ida Nordin in 1887 at the harbour. It is white. The harbour has a ferry.';
  expect(await askBuiltIn('Who built the old lighthouse at the harbour in 1887?', text)).toBe(
    'The old lighthouse was built by Ida Nordin in 1887 at the harbour. [1]',
  );
});

it('the built-in answer says "yes" and stops, unless there is an exception', async () => {
  const text = 'Breakfast is included in all rates. Breakfast is served in the garden.';
  expect(await askBuiltIn('Is breakfast included?', text)).toBe(
    'Yes. Breakfast is included in all rates. [1]',
  );
  const other = 'Breakfast is included in all rates. Breakfast is only included for adults.';
  expect(await askBuiltIn('Is breakfast included?', other)).toMatch(/only included for adults/);
});

it('the built-in answer contains the limit of a fact that follows it', async () => {
  const text =
    'A berth costs 12 euros per night. However, boats of members are moored for free. The harbour has a crane.';
  expect(await askBuiltIn('How much does a berth cost per night?', text)).toBe(
    'A berth costs 12 euros per night. [1] Boats of members are moored for free. [1]',
  );
});

it('the built-in answer contradicts an indirect question in its own words', async () => {
  const text = 'We rent berths to members of a club. We do not rent berths to companies.';
  expect(await askBuiltIn('whether you rent berths to companies?', text)).toMatch(
    /^We do not rent berths to companies\. \[1\]/,
  );
  expect(await askBuiltIn('To which companies do you rent berths?', text)).toMatch(
    /We do not rent berths to companies\. \[1\]/,
  );
});

describe('the built-in answer from commands and tables', () => {
  it('adds the command to the sentence that introduces it', async () => {
    const text =
      'To list all berths, run the following command:\n\nharbour berths --all\n\nIt takes a second.';
    expect(await askBuiltIn('How do I list all berths?', text)).toMatch(
      /^To list all berths, run the following command: harbour berths --all\. \[1\]/,
    );
  });

  it('adds the command to an introduction without an end', async () => {
    const text =
      'The harbour is in Seebach. To show the berths that are free today, you can also call\n\nharbour berths --free\n\nIt takes a second.';
    expect(await askBuiltIn('How do I show the berths that are free today?', text)).toBe(
      'To show the berths that are free today, you can also call harbour berths --free. [1]',
    );
  });

  it('starts with the steps against an error, not with its message', async () => {
    const text =
      'I get the error DOCK_FULL when I moor the boat.\n\nHarbourError: DOCK_FULL, the boat was not moored.\n\nTo moor the boat in spite of it, call the harbour office.';
    expect(await askBuiltIn('What can I do about DOCK_FULL when I moor the boat?', text)).toBe(
      'To moor the boat in spite of it, call the harbour office. [1]',
    );
  });

  it('prefers a sentence that says what to do', async () => {
    const text =
      'The claim for the berth is checked within two weeks by the office. Send the claim for the berth to the office.';
    expect(await askBuiltIn('How do I claim for the berth at the office?', text)).toMatch(
      /^Send the claim for the berth to the office\. \[1\]/,
    );
  });

  it('does not add a drawing to the sentence that introduces it', async () => {
    const text =
      'The harbour program prints its logo and then its version in the log:\n\n/_/ |_| /_/\n\nEnd of the log.';
    expect(await askBuiltIn('What does the harbour program print in the log?', text)).toMatch(
      /^The harbour program prints its logo and then its version in the log\. \[1\]/,
    );
  });

  it('is one field of a long record of a file of rows', async () => {
    const about =
      'The yard has repaired ships, boats and buoys of the harbour for many years. '.repeat(6);
    const record = `Ship: Aurora; About: ${about.trim()}; Crew: 12 sailors; Port: Seebach; Flag: Malta`;
    const other = 'The yard is closed in winter. The crew of the yard is on leave.';
    const content = `${record}\n\n${other}`;
    const source = { documentName: 'ships.csv', context: '', content };
    const answer = await askBuiltIn('What crew has the Aurora?', source);
    expect(answer).toMatch(/^Aurora — Crew: 12 sailors\. \[1\]/);
  });

  it('contains a further row only if it matches the question as well as the first', async () => {
    const text =
      'Ship | Berth | Draught\nAurora | north | 4 m\nBorealis | south | 5 m\nZephyr | east | 3 m';
    expect(await askBuiltIn('Which berth does the ship Borealis have?', text)).toBe(
      'Borealis — Berth: south. [1]',
    );
  });

  it('contains the first cell and the cells asked about of a row with many words', async () => {
    const about = 'word '.repeat(30).trim();
    const text = `Name: Aurora; Captain: Ines Duarte; History: ${about}; Cargo: timber; Notes: ${about}`;
    expect(
      await askBuiltIn(
        'Who is captain of the Aurora?',
        `${text}\nName: Zephyr; Captain: Li Wei; History: ${about}; Cargo: sand; Notes: ${about}`,
      ),
    ).toBe('Aurora — Captain: Ines Duarte. [1]');
  });

  it('contains the cells asked about and in prose of long rows that are alone in their chunks', async () => {
    const notes = Array.from({ length: 20 }, (_, n) => `Note${n}: not known`).join('; ');
    const rowOf = (number: string, city: string, cause: string, damage: string) =>
      `ReportNo: ${number}; City: ${city}; Country: Norway; ProbableCause: ${cause}; Latitude: 35.218; Longitude: -83.492; Model: P2; NumberOfEngines: 2; AirCraftDamage: ${damage}; Operator: MEDTRANS; Status: Completed; ${notes}`;
    const sources = [
      rowOf('E147', 'Alta', 'The pilot read a logbook on the way and flew into the hill.', 'Total'),
      rowOf('E148', 'Bodø', 'The crew forgot to fill the tank before the flight to town.', 'Light'),
    ].map((content) => ({ documentName: 'accidents.csv', context: '', content }));
    expect(await askBuiltIn('Why did the helicopter come down near Alta?', ...sources)).toBe(
      'E147 — City: Alta, ProbableCause: The pilot read a logbook on the way and flew into the hill. [1]',
    );
    expect(await askBuiltIn('How badly was it damaged at Alta?', ...sources)).toMatch(
      /AirCraftDamage: Total/,
    );
  });

  it('omits empty cells and an empty column title', async () => {
    const text = ' | Adult | Child\nDay ticket | 9 euros | \nWeek ticket | 40 euros | 20 euros';
    expect(await askBuiltIn('What is the price of a day ticket?', text)).toMatch(
      /^Day ticket — Adult: 9 euros\. \[1\]/,
    );
  });

  it('uses the titles from the heading path for the first rows of a continued table', async () => {
    const source = {
      documentName: 'ferries.md',
      context: 'Ferries › Harbour | Kind | Operator',
      content: 'Lerwick | car ferry | Northline\nKirkwall | night ferry | Northline',
    };
    expect(await askBuiltIn('Which kind of ferry serves Kirkwall?', source)).toMatch(
      /^Kirkwall — Kind: night ferry\. \[1\]/,
    );
  });
});

describe('the built-in answer from an entry of questions and answers', () => {
  const questions = `## Can I use it for a partner or friend?

No. The bike is for your own use, mainly to travel to work.

## Can I choose an electric bike?

Yes. Electric bikes up to 25 km/h are allowed.`;

  it.each([
    [
      'Can I use the bike for my partner?',
      'No. The bike is for your own use, mainly to travel to work. [1]',
    ],
    ['Can I choose an electric bike?', 'Yes. Electric bikes up to 25 km/h are allowed. [1]'],
  ])('begins with its yes or no: %s', async (question, answer) => {
    expect(await askBuiltIn(question, questions)).toBe(answer);
  });
});

it('is the text after a sentence that repeats the question', async () => {
  const problems = `The lamp is red. The cable is not connected. Check both ends.

The lamp blinks white. The router starts or updates. Do not unplug it.`;
  expect(await askBuiltIn('Why does the lamp blink white?', problems)).toMatch(
    /^The router starts or updates\. /,
  );
});

describe('the built-in answer from release notes', () => {
  const notes = `# Release notes

## 3.2.0 — 4 May 2026

- Added dark mode for the editor.
- Fixed a crash when printing long tables.

## Version 3.1 (12 March 2026)

Reports can be scheduled. The server needs at least 2 GB of memory.

## 2.9.0 — 1 June 2025

### Fixed

- The clock of the archive was one hour late.`;

  it.each([
    ['In which version was dark mode added?', /^3\.2\.0 — 4 May 2026: Added dark mode/],
    ['Which release fixed the crash when printing?', /^3\.2\.0 — 4 May 2026: .*Fixed a crash/],
    ['When was the clock of the archive fixed?', /^2\.9\.0 — 1 June 2025: .*one hour late/],
    ['Since which version can reports be scheduled?', /^Version 3\.1 \(12 March 2026\): Reports/],
  ])('names the release and its day: %s', async (question, answer) => {
    expect(await askBuiltIn(question, notes)).toMatch(answer);
  });
});

describe('the built-in answer from two opposite lists', () => {
  const tour = `The price includes a guide and tea.

Not included:

- the bus to the start
- lunch`;

  it('has only the list that the question asks for', async () => {
    expect(await askBuiltIn('What is not included in the price?', tour)).toBe(
      'Not included: the bus to the start; lunch. [1]',
    );
    expect(await askBuiltIn('What is included in the price?', tour)).toBe(
      'The price includes a guide and tea. [1]',
    );
  });
});

describe('the built-in answer to a question for steps', () => {
  it('has the steps below the heading that the question names', async () => {
    const manual = `## Reset

1. Open the cover with a coin.
2. Press the button for ten seconds.

A reset deletes all codes.`;
    expect(await askBuiltIn('How do I reset the panel?', manual)).toMatch(
      /^1\. Open the cover with a coin; 2\. Press the button for ten seconds\. \[1\]/,
    );
  });
});

describe('the built-in answer from a table', () => {
  const rooms = `Room | Seats | Projector | Price per hour
Pine | 6 | no | 15 euros
Oak | 12 | yes | 25 euros
Beech | 20 | yes | 40 euros

Rooms are booked at the front desk.`;

  it.each([
    ['Which rooms have a projector?', 'Oak — Projector: yes. [1] Beech — Projector: yes. [1]'],
    [
      'Which is the cheapest room?',
      'Pine — Seats: 6, Projector: no, Price per hour: 15 euros. [1]',
    ],
  ])('has the rows that the question asks for by a value: %s', async (question, answer) => {
    expect(await askBuiltIn(question, rooms)).toBe(answer);
  });
});

it.each([
  [
    'How much is charged for lost headphones?',
    'Lost headphones are charged at thirty-four crowns.',
  ],
  ['Was kostet ein Schlüssel?', 'Ein verlorener Schlüssel kostet fünfundzwanzig Euro.'],
])('an amount in words is an amount: %s', async (question, sentence) => {
  const text = `Headphones and keys are lent at the desk. ${sentence} Return them before six.`;
  expect(await askBuiltIn(question, text)).toBe(`${sentence} [1]`);
});
