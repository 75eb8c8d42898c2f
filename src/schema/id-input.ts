import { builder } from './builder.ts';
import { expectedProject } from './organizations/expected-project.ts';

/** Creates an input type with the id of a row, and optionally its project. `noun` names the row in descriptions. */
export function idInput(name: string, noun: string) {
  return builder.inputType(name, {
    fields: (t) => ({ id: t.id({ required: true }), projectId: t.id(expectedProject(noun)) }),
  });
}
