import { normaliseItems } from '../../text/edits/normalise.ts';
import { type Command, json, lines } from '../command.ts';

export const normalise: Command = {
  name: 'normalise',
  summary: 'typed or pasted lines as checklist lines',
  takesText: true,
  options: {},
  details: `Trims every line, drops empty ones and gives each a mark, as adding items does. With --json {text}.
Exit code 1 if nothing is left.`,
  async run(call) {
    const text = normaliseItems(await call.text());
    return { output: call.flag('json') ? json({ text }) : lines(text) };
  },
};
