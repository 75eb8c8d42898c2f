import { exportConversations } from '../domain/conversations/export-conversations.ts';
import { type ExportFormat, exportFormats } from '../domain/conversations/export-format.ts';
import { withContext } from './cli-context.ts';
import { type Command, stringOption, UsageError } from './command.ts';
import { resolveProjectOption } from './tenant-commands.ts';
import { readTimeOption } from './time-option.ts';

export const conversationCommands: Readonly<Record<string, Command>> = {
  'conversations export': {
    usage: '[--format csv|ndjson] [--project ID] [--from TIME] [--to TIME]',
    summary:
      'Prints the messages of all conversations, oldest conversation first. Default: NDJSON, of the only project.',
    options: {
      format: stringOption,
      project: stringOption,
      from: stringOption,
      to: stringOption,
    },
    async run(config, call) {
      const format = call.option('format') ?? 'ndjson';
      if (!isFormat(format)) throw new UsageError('--format must be csv or ndjson');
      const filter = { from: readTimeOption(call, 'from'), to: readTimeOption(call, 'to') };
      const { start, write } = exportFormats[format];
      await withContext(config, call, async (context) => {
        const { id: projectId } = await resolveProjectOption(context, call);
        let head = start();
        for await (const page of exportConversations(context, { projectId, ...filter })) {
          // `print` ends the text with a line break.
          await call.print(`${head}${page.map(write).join('')}`.replace(/\n$/, ''));
          head = '';
        }
        if (head !== '') await call.print(head.replace(/\n$/, ''));
      });
      return null;
    },
  },
};

function isFormat(name: string): name is ExportFormat {
  return Object.hasOwn(exportFormats, name);
}
