import { Checkbox, NumberInput, PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { SourceField } from './source-fields.ts';

/** The input of one field. The form provides `inputProps`. */
export function SourceFieldInput({
  field: { label, description, placeholder, input, isRequired = false },
  hasSecret,
  inputProps,
}: {
  readonly field: SourceField;
  /** Whether the service already stores a secret. */
  readonly hasSecret: boolean;
  readonly inputProps: object;
}) {
  const props = { label, description, ...inputProps };
  switch (input) {
    case 'check':
      return <Checkbox {...props} />;
    case 'number':
      return (
        <NumberInput {...props} min={1} max={10_000} allowDecimal={false} clampBehavior="strict" />
      );
    case 'secret':
      return (
        <PasswordInput
          {...props}
          description={hasSecret ? 'Empty: the stored one is kept.' : undefined}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}` }}
        />
      );
    case 'lines':
      return (
        <Textarea
          {...props}
          placeholder={placeholder}
          withAsterisk={isRequired}
          autosize
          minRows={isRequired ? 2 : 1}
          maxRows={6}
        />
      );
    default:
      return <TextInput {...props} placeholder={placeholder} withAsterisk={isRequired} />;
  }
}
