import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readMarkdown } from '../../../src/extract/text-formats/markdown.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const read = async (text: string) =>
  describeBlocks(await readMarkdown(Buffer.from(text), defaultExtractLimits));
const lines = (...parts: readonly string[]) => parts.join('\n');

test('program lines, comments and tags of MDX are no text, and the content of components is', async () => {
  const page = lines(
    "import Tabs from '@theme/Tabs';",
    "import { Steps, Card } from '../components';",
    "import './styles.css';",
    'import {',
    '  One,',
    '  Two,',
    "} from 'three';",
    'export const limit = 12;',
    'export const meta = {',
    '  a: [1, 2],',
    '',
    "  b: 'x',",
    '};',
    'export default ({ children }) => (',
    '  <Layout>{children}</Layout>',
    ');',
    '',
    '{/* rewrite `this` before',
    'launch */}',
    '',
    '# Pairing{" "}',
    '',
    '<Tabs groupId="os" onChange={(x) => x > 1}>',
    '  <TabItem value="ios" label="iPhone">',
    '',
    '    Hold the *ring* for six seconds.',
    '',
    '    ```sh',
    '    import x',
    '    ```',
    '',
    '  </TabItem>',
    '  <TabItem',
    '    value="android"',
    "    label={'Android'}",
    '  >',
    '    Hold the ring for nine seconds.',
    '  </TabItem>',
    '</Tabs>',
    '',
    'A hub takes {limit} devices, press <Key>PAIR</Key> and see <Icon name="x" />{undefinedName}.',
    '',
    '<Card title="Range" icon="wifi">Up to 18 metres.</Card>',
    '<Image src="a.png" alt="The hub" />',
  );
  expect(await read(page)).toEqual([
    'heading1: Pairing',
    'paragraph: iPhone:',
    'paragraph: Hold the ring for six seconds.',
    'code: import x',
    'paragraph: Android:',
    'paragraph: Hold the ring for nine seconds.',
    'paragraph: A hub takes 12 devices, press PAIR and see {undefinedName}.',
    'paragraph: Range:',
    'paragraph: Up to 18 metres.',
    'paragraph: The hub',
  ]);
});

test('tabs take their names from the list of tabs', async () => {
  const page = lines(
    "<Tabs items={['npm', 'yarn']}>",
    '<Tab>Run npm i.</Tab>',
    '<Tab>Run yarn add.</Tab>',
    '</Tabs>',
    '{{< tabs items="JSON,YAML" >}}',
    '{{< tab >}}One.{{< /tab >}}',
    '{{< tab >}}Two.{{< /tab >}}',
    '{{< /tabs >}}',
  );
  expect(await read(page)).toEqual([
    'paragraph: npm:',
    'paragraph: Run npm i.',
    'paragraph: yarn:',
    'paragraph: Run yarn add.',
    'paragraph: JSON:',
    'paragraph: One.',
    'paragraph: YAML:',
    'paragraph: Two.',
  ]);
});

test.each([
  ['{{< notice tip >}}\nOpen at 7.\n{{< /notice >}}', ['Open at 7.']],
  ['{{% notice warning "Ice" %}}\nWear boots.\n{{% /notice %}}', ['Ice:', 'Wear boots.']],
  ['{{< alert color="warning" >}}Wear boots.{{< /alert >}}', ['Warning:', 'Wear boots.']],
  ['{{% tab "Winter" %}}Open at 9.{{% /tab %}}', ['Winter:', 'Open at 9.']],
  ['{{< tab name="Winter" >}}\nOpen at 9.\n{{< /tab >}}', ['Winter:', 'Open at 9.']],
  ['{{% expand "Is it open?" %}}Yes.{{% /expand %}}', ['Is it open?', 'Yes.']],
  ['{{< figure src="a.png" caption="Map of the dock" >}}', ['Map of the dock:']],
  ['See [hours]({{< ref "hours.md" >}}) now.{{/* todo */}}', ['See hours now.']],
  ['{% include banner.html %}\nOpen.', ['Open.']],
  ['{% hint style="info" %}\nOpen.\n{% endhint %}', ['Open.']],
  ['{% hint style="danger" %}\nClosed.\n{% endhint %}', ['Danger:', 'Closed.']],
  [
    '{% tabs %}\n{% tab title="Linux" %}\nRun it.\n{% endtab %}\n{% endtabs %}',
    ['Linux:', 'Run it.'],
  ],
  ['{% comment %}\nSecret\n{% endcomment %}\nOpen.', ['Open.']],
  ['{%- if site.x -%}\nOpen.\n{%- endif -%}', ['Open.']],
  ['Open {% raw %}now{% endraw %}.', ['Open now.']],
])('the shortcodes of %j are no text', async (source, expected) => {
  expect(await read(source)).toEqual(expected.map((text) => `paragraph: ${text}`));
});

test.each([
  [':::tip\nOpen.\n:::', ['Open.']],
  [':::tip Battery\nLithium.\n:::', ['Battery:', 'Lithium.']],
  [':::info[Which *cells*?]{#x}\nLithium.\n:::', ['Which cells?', 'Lithium.']],
  ['::: details Click me {open}\nLithium.\n:::', ['Click me:', 'Lithium.']],
  ['::: {.callout-warning title="Ice"}\nBoots.\n:::', ['Ice:', 'Boots.']],
  ['::::{grid} 2\n:::{grid-item-card} Dock\n:link: dock\nBerths.\n:::\n::::', ['Dock:', 'Berths.']],
  ['```{warning}\n:class: x\nNever run dry.\n```', ['Warning:', 'Never run dry.']],
  ['````{note} Oil\nA\n\n```{tip}\nB\n```\n````\nC', ['Oil:', 'A', 'B', 'C']],
  [
    '!!! note "Pets"\n    Dogs are welcome.\n\n    Cats, too.\n\nEnd.',
    ['Pets:', 'Dogs are welcome.', 'Cats, too.', 'End.'],
  ],
  ['!!! danger\n    Ice.', ['Danger:', 'Ice.']],
  ['??? tip "Pets"\n\n    !!! tip inline end "Cats"\n        Yes.', ['Pets:', 'Cats:', 'Yes.']],
  [
    '=== "Linux"\n    Run it.\n=== "macOS"\n    Open it.',
    ['Linux:', 'Run it.', 'macOS:', 'Open it.'],
  ],
  ['> [!NOTE]\n> Open.', ['Open.']],
  ['> [!warning]- Ice\n> Boots.', ['Ice:', 'Boots.']],
  ['> [!CAUTION]\n> Boots.', ['Caution:', 'Boots.']],
  [
    '::: tabs\n@tab npm\nRun npm i.\n@tab yarn\nRun yarn.\n:::',
    ['npm:', 'Run npm i.', 'yarn:', 'Run yarn.'],
  ],
])('the admonition %j is its title and text', async (source, expected) => {
  expect(await read(source)).toEqual(expected.map((text) => `paragraph: ${text}`));
});

test.each([
  ['## Limits {#limits}', 'heading2: Limits'],
  ['## Limits \\{#limits}', 'heading2: Limits'],
  ['## Limits {/* #limits */}', 'heading2: Limits'],
  ['## Limits {: #a .b }', 'heading2: Limits'],
  ['[Go](https://a.example/x){ .md-button } now', 'paragraph: Go (https://a.example/x) now'],
  [
    'See [[Hub reset|how to reset]] or [[sub/Hub#Reset]].',
    'paragraph: See how to reset or Hub > Reset.',
  ],
  ['![[map.png]] Map [[#Dock]]', 'paragraph: Map Dock'],
  ['| a |\n|---|\n| [[x\\|Dock]] |', 'table-row: a\ntable-row: Dock'],
  ['Open %%not yet%% daily.', 'paragraph: Open  daily.'],
  ['%%\nhidden\n\ntext\n%%\n\nOpen.', 'paragraph: Open.'],
  ['{ref}`the manual <pump>` and {kbd}`Ctrl`', 'paragraph: the manual and Ctrl'],
  ['One [[1]](https://a.example/1)', 'paragraph: One [1] (https://a.example/1)'],
  [
    'Use `{{< tabs >}}`, `[[Page]]` and `<Tabs>`.',
    'paragraph: Use {{< tabs >}}, [[Page]] and <Tabs>.',
  ],
  ['Call {{ site.phone }} or {name}', 'paragraph: Call {{ site.phone }} or {name}'],
  ['import taxes are due in May', 'paragraph: import taxes are due in May'],
  ['export default settings to a file', 'paragraph: export default settings to a file'],
  [
    'Replace <REGION> and <your-key> of List<String>',
    'paragraph: Replace <REGION> and <your-key> of List',
  ],
  ['100 %% of 50 %% and [[ -f x ]]', 'paragraph: 100 %% of 50 %% and [[ -f x ]]'],
])('%j is read as %j', async (source, expected) => {
  expect((await read(source)).join('\n')).toBe(expected);
});

test('code blocks are not changed', async () => {
  const code = lines(
    "import a from 'b'",
    '',
    ':::tip',
    '{{< x >}} {% y %} [[z]] {#id} %%c%%',
    '<Tab>',
    '!!! note',
    '    x',
    '</Tab>',
  );
  expect(await read(`\`\`\`mdx\n${code}\n\`\`\`\n\n:::tip A\n~~~\n${code}\n~~~\n:::`)).toEqual([
    `code: ${code}`,
    'paragraph: A:',
    `code: ${code}`,
  ]);
  expect(await read(`Run:\n\n    {{< x >}}\n\n    :::tip\n\nDone.`)).toEqual([
    'paragraph: Run:',
    'code: {{< x >}}\n\n:::tip',
    'paragraph: Done.',
  ]);
  expect(await read('```{r setup}\n{{< x >}}\n```\n\n```{code-block} js\n:::a\n```')).toEqual([
    'code: {{< x >}}',
    'code: :::a',
  ]);
  expect(await read('{% highlight ruby %}\nputs [[1]]\n{% endhighlight %}')).toEqual([
    'code: puts [[1]]',
  ]);
});

test('front matter is the title and what its readers see', async () => {
  const yaml = lines(
    '---',
    'title: "Pairing: a \\"hub\\""',
    'description: >-',
    '  Pair the thermostat',
    '  with the hub',
    'sidebar_position: 4',
    'slug: /pairing',
    'tags:',
    '  - heating',
    '  - zigbee',
    'aliases: [/old, Reset the hub]',
    'author: Ana',
    'draft: false',
    'hide_title: true # no',
    'cover:',
    '  image: a b.png',
    'sidebar_label: Pair a hub',
    '---',
    '',
    'Text of {frontmatter.author}.',
  );
  expect(await read(yaml)).toEqual([
    'heading1: Pairing: a "hub"',
    'paragraph: Pair the thermostat with the hub',
    'paragraph: Tags: heating, zigbee',
    'paragraph: Aliases: Reset the hub',
    'paragraph: Author: Ana',
    'paragraph: Text of Ana.',
  ]);
  const toml =
    '+++\ntitle = "Opening"\nweight = 3\ntags = ["sea",\n  "sun"]\n[params]\n  note = "a b"\n+++\n\nOpen.';
  expect(await read(toml)).toEqual([
    'heading1: Opening',
    'paragraph: Tags: sea, sun',
    'paragraph: Open.',
  ]);
  expect(await read('---\ntitle: Pool rules\n---\n\n# Pool *rules*\n\nOpen.')).toEqual([
    'heading1: Pool rules',
    'paragraph: Open.',
  ]);
  expect(await read('---\ntitle: Pool\n---\n\n# Rules\n\nOpen.')).toEqual([
    'paragraph: Pool',
    'heading1: Rules',
    'paragraph: Open.',
  ]);
});

test('a line above prose is no front matter', async () => {
  expect(await read('---\nOpen daily.\n\n---\n\nFrom 7.')).toEqual([
    'paragraph: Open daily.',
    'paragraph: From 7.',
  ]);
});

test.each([
  '<A ',
  '<A "',
  '<A {',
  '{{< ',
  '{% ',
  '{/*',
  '%%a',
  '[[',
  '!!! a\n    ',
  ':::a\n',
  'export const a = {\n',
  '```{note}\n',
  '<A>\n',
  '{{',
  '---\na: b\n',
  '<A></A>',
  '> [!NOTE] a\n',
  '=== "a"\n',
])('hostile marks take linear time: %j', async (part) => {
  await read(`${part.repeat(200_000 / part.length)} end`).catch((error: unknown) =>
    expect(error).toMatchObject({ code: 'EMPTY_TEXT' }),
  );
});
