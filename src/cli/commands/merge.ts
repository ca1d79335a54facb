import { type Conflict, merge as mergeTexts } from '../../text/merge.ts';
import { type Command, json } from '../command.ts';

const conflictText = ({ row, attribute, mine, theirs }: Conflict): string =>
  `Conflict in ${JSON.stringify(row)}: ${attribute} is ${JSON.stringify(mine)}, theirs was ${JSON.stringify(theirs)}.`;

export const merge: Command = {
  name: 'merge',
  summary: 'two changes of one checklist, joined row by row',
  takesText: false,
  options: {
    base: { value: 'FILE', help: 'what both sides started from' },
    mine: { value: 'FILE', help: 'one side; its values stand where both changed the same thing' },
    theirs: { value: 'FILE', help: 'the other side' },
    write: { help: 'write the result to the file of --mine instead of printing it' },
  },
  details: `Prints {text, conflicts} as JSON; a conflict is {row, attribute, mine, theirs}. Exit code 1 with conflicts.
With --write the conflicts go to standard error. As a merge driver of git, so that checklists merge row by row:

  git config merge.checklist.driver "node /path/to/dist/cli/main.js merge --write --base %O --mine %A --theirs %B"
  echo "*.checklist merge=checklist" >> .gitattributes`,
  async run(call) {
    const [base, mine, theirs] = [call.required('base'), call.required('mine'), call.required('theirs')];
    const statuses = await call.statuses();
    const merged = mergeTexts(await call.text(base), await call.text(mine), await call.text(theirs), statuses);
    const { text } = merged;
    const conflicts = merged.conflicts.map(({ row, attribute, mine, theirs }) => ({ row, attribute, mine, theirs }));
    const code = conflicts.length > 0 ? 1 : 0;
    if (!call.flag('write')) return { output: json({ text, conflicts }), code };
    await call.write(mine, text);
    return { output: '', notes: conflicts.map(conflictText), code };
  },
};
