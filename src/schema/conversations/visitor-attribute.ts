import type { NamedAttribute } from '../../domain/widget/visitor-attributes.ts';
import { builder } from '../builder.ts';

export const VisitorAttribute = builder.objectRef<NamedAttribute>('VisitorAttribute').implement({
  description: 'A fact that a website states about its visitor, such as the plan. Not verified.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: '1 to 40 letters, digits, `_`, `-` and spaces.',
    }),
    value: t.exposeString('value', {
      description:
        'At most 200 characters. Numbers and booleans are texts, such as `12` and `true`.',
    }),
  }),
});
