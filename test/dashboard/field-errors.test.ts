import { describe, expect, test } from 'vitest';
import { fieldErrors } from '../../src/dashboard/components/field-errors.ts';

const fields = { name: 'name', filter: 'filter', 'assistant.businessHours': 'businessHours' };

describe('errors of the service at the fields of a form', () => {
  test('begin without the name of the field', () => {
    const messages = ['name must not be blank', 'filter must be an object'];
    expect(fieldErrors(messages, fields)).toEqual({
      name: 'Must not be blank',
      filter: 'Must be an object',
    });
  });

  test('keep the place in the field, if it has parts', () => {
    const messages = [
      'filter.colour is not a field: use name',
      'filter.and[0].tags must be an object',
      'assistant.businessHours.timeZone must be an IANA time zone, such as Europe/Berlin',
    ];
    expect(messages.map((message) => fieldErrors([message], fields))).toEqual([
      { filter: 'colour is not a field: use name' },
      { filter: 'and[0].tags must be an object' },
      { businessHours: 'timeZone must be an IANA time zone, such as Europe/Berlin' },
    ]);
    expect(fieldErrors(['filter[0] must be a text'], fields)).toEqual({
      filter: '[0] must be a text',
    });
  });

  test('prefer the longest name, and are none if a message belongs to no field', () => {
    const nested = { ...fields, 'assistant.businessHours.timeZone': 'timeZone' };
    const message = 'assistant.businessHours.timeZone must be an IANA time zone';
    expect(fieldErrors([message], nested)).toEqual({ timeZone: 'Must be an IANA time zone' });
    expect(fieldErrors(['names must not be blank'], fields)).toBeNull();
    expect(fieldErrors(['name must not be blank', 'Conflict'], fields)).toBeNull();
  });
});
