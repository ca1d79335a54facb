import { paste as messages } from '../../domain/messages.ts';
import { convertWhole } from '../../text/convert/whole-text.ts';
import { notations } from '../../text/convert.ts';
import { type Command, json, lines } from '../command.ts';
import { Refusal } from '../errors.ts';
import { lossText } from '../loss.ts';

const choices = ['auto', ...notations] as const;

export const convert: Command = {
  name: 'convert',
  summary: 'text in another notation as a checklist',
  takesText: true,
  options: { from: { value: 'NOTATION', help: `one of ${choices.join(', ')}; auto unless given` } },
  details: `Prints checklist text, and on standard error what was left out. With --json {text, notation, lost}.`,
  async run(call) {
    const from = call.option('from') === undefined ? 'auto' : call.choice('from', choices);
    const text = await call.foreignText();
    const converted = text === undefined ? { refusal: messages.binary } : convertWhole(text, from);
    if ('refusal' in converted) throw new Refusal(converted.refusal);
    if (call.flag('json')) return { output: json(converted) };
    return { output: lines(converted.text), notes: converted.lost.map(lossText) };
  },
};
