import { exportChecklist, exportNotations } from '../../text/export.ts';
import { readChecklist } from '../../text/read.ts';
import { type Command, json, lines } from '../command.ts';

export const exportTo: Command = {
  name: 'export',
  summary: 'a checklist in another notation',
  takesText: true,
  options: { to: { value: 'NOTATION', help: `one of ${exportNotations.join(', ')}` } },
  details: `Prints the text, with --json {text}.`,
  async run(call) {
    const to = call.choice('to', exportNotations);
    const text = exportChecklist(readChecklist(await call.text(), await call.statuses()), to);
    return { output: call.flag('json') ? json({ text }) : lines(text) };
  },
};
