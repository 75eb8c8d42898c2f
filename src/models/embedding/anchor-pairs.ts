/**
 * Questions on unrelated topics, each with a passage that answers it. They are used to measure the cosines that a model
 * gives.
 */
export const anchorPairs: readonly (readonly [question: string, passage: string])[] = [
  [
    'How long do I have to return a pair of shoes?',
    'Shoes can be returned within 30 days of the purchase if they were not worn outside.',
  ],
  [
    'What temperature melts copper?',
    'Copper is a metal that melts at 1,085 degrees Celsius and conducts electricity well.',
  ],
  [
    'Who pays for the repair of a broken elevator?',
    'The owner of the building bears the costs of elevator repairs and inspections.',
  ],
  [
    'How often should tomato plants be watered?',
    'Water tomatoes every two days in the morning, and daily when it is hot.',
  ],
  [
    'How do I reset my password?',
    'To set a new password, click "Forgot password" on the sign-in page and follow the link in the e-mail.',
  ],
  [
    'When was the railway bridge over the river built?',
    'The railway bridge was finished in 1883 after six years of construction and crosses the river in four arches.',
  ],
  [
    'How many days of paid vacation do employees get?',
    'Full-time employees are entitled to 28 days of annual leave, which must be requested in advance.',
  ],
  [
    'Which vaccines does a puppy need?',
    'Young dogs are vaccinated against distemper, parvovirus and rabies at eight and twelve weeks of age.',
  ],
  [
    'Can I take a violin on board the aircraft?',
    'Small musical instruments are allowed as hand luggage if they fit into the overhead compartment.',
  ],
  [
    'What is the interest rate of the savings account?',
    'Savings accounts earn 1.5 percent per year, paid at the end of December.',
  ],
  [
    'How is goat cheese made?',
    'For goat cheese, the milk is curdled with rennet, drained in molds and salted before it ripens.',
  ],
  [
    'Why does the printer show a paper jam?',
    'If sheets are stuck in the tray or between the rollers, the printer stops and reports a jam.',
  ],
  [
    'Who won the chess tournament?',
    'In the last round, the young grandmaster from Norway drew his game and took first place.',
  ],
  [
    'What causes ocean tides?',
    'Tides rise and fall because the gravity of the Moon and the Sun pulls on the water of the seas.',
  ],
  [
    'How do I report an accident to the insurance?',
    'Send the claim form with photos of the damage to your insurer within one week of the accident.',
  ],
  [
    'At what age do children start school?',
    'Pupils enter the first grade of primary school in the year in which they turn six.',
  ],
];
