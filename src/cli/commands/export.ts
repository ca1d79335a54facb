import { exportChecklist, exportLosses, exportNotations } from '../../text/export.ts';
import { readChecklist } from '../../text/read.ts';
import { type Command, json, lines } from '../command.ts';
import { lossText } from '../loss.ts';

export const exportTo: Command = {
  name: 'export',
  summary: 'a checklist in another notation',
  takesText: true,
  options: { to: { value: 'NOTATION', help: `one of ${exportNotations.join(', ')}` } },
  details: `Prints the text, and on standard error what the notation cannot keep. With --json {text, lost}.`,
  async run(call) {
    const to = call.choice('to', exportNotations);
    const checklist = readChecklist(await call.text(), await call.statuses());
    const text = exportChecklist(checklist, to);
    const lost = exportLosses(checklist, to);
    if (call.flag('json')) return { output: json({ text, lost }) };
    return { output: lines(text), notes: lost.map(lossText) };
  },
};
