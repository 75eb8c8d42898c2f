import {
  ColorInput,
  Fieldset,
  Group,
  Input,
  Radio,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { textOnColor } from './color-contrast.ts';
import type { LookValues } from './look-values.ts';

/** The fields of the look. An empty field means the default, which its placeholder names. */
export function LookFields({ form }: { readonly form: UseFormReturnType<LookValues> }) {
  const { values, errors, getInputProps } = form;
  return (
    <Stack gap="md">
      <TextInput
        label="Title"
        placeholder="Ask us"
        maxLength={60}
        dir="auto"
        {...getInputProps('title')}
      />
      <Textarea
        label="Greeting"
        placeholder="A greeting in the language of the visitor"
        autosize
        minRows={2}
        maxLength={300}
        dir="auto"
        {...getInputProps('greeting')}
      />
      <ColorField form={form} />
      <Radio.Group label="Side of the page" {...getInputProps('position')}>
        <Group mt={6}>
          <Radio value="LEFT" label="Left" />
          <Radio value="RIGHT" label="Right" />
        </Group>
      </Radio.Group>
      <TextInput
        label="Logo"
        description="Address of an image. The visitor's browser loads it from there when the chat opens."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="https://www.example.com/logo.svg"
        type="url"
        maxLength={500}
        {...getInputProps('logoUrl')}
      />
      <Fieldset
        variant="unstyled"
        legend={<Input.Label component="span">Starter questions</Input.Label>}
      >
        <Stack gap="xs">
          {values.starterQuestions.map((_, index) => (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields never move.
              key={index}
              aria-label={`Starter question ${index + 1}`}
              placeholder={index === 0 ? 'When do you open?' : ''}
              maxLength={120}
              dir="auto"
              {...getInputProps(`starterQuestions.${index}`)}
            />
          ))}
          <Input.Description>
            Buttons below the greeting. A click asks the question.
          </Input.Description>
          {errors.starterQuestions && <Input.Error>{errors.starterQuestions}</Input.Error>}
        </Stack>
      </Fieldset>
      <TextInput
        label="AI notice"
        description="What visitors read before their first message. The EU AI Act asks you to say that an AI system answers, so it cannot be removed."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="The default, in the language of the visitor"
        maxLength={200}
        dir="auto"
        {...getInputProps('aiNotice')}
      />
      <Switch
        label="Visitors see the names of agents"
        {...getInputProps('agentNames', { type: 'checkbox' })}
      />
    </Stack>
  );
}

function ColorField({ form }: { readonly form: UseFormReturnType<LookValues> }) {
  const shown = textOnColor(form.values.color || defaultColor);
  return (
    <ColorInput
      label="Color"
      description={
        shown === null
          ? 'Color of the button and of the messages of visitors'
          : `${shown.text} text on this color: ${shown.contrast.toFixed(1)}:1`
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={defaultColor}
      fixOnBlur={false}
      withEyeDropper={false}
      {...form.getInputProps('color')}
    />
  );
}

/** Default of the widget. */
const defaultColor = '#1d4ed8';
