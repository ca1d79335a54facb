import { readEntry } from '../../src/client/outbox/entry.ts';
import { typedTexts } from '../../src/domain/change.ts';
import { textOf } from '../../src/ui/text-editor/saving/open-text.ts';
import type { Collaboration, Person } from './people.ts';
import { doubledLaw, linesLaw } from './received.ts';
import { offeredIn } from './rows.ts';
import { wordsIn } from './words.ts';

/** The words of a draft, or of a change that is not acknowledged. */
function keptIn(key: string, value: string): string[] {
  if (key.includes('.draft/')) return wordsIn((JSON.parse(value) as { text: string }).text);
  const entry = readEntry(value);
  return entry ? wordsIn(typedTexts(entry.edit).join(' ')) : [];
}

function* wordsOf({ editor, desk }: Person): Generator<string> {
  for (const [key, value] of desk.browser.entries) yield* keptIn(key, value);
  const opened = editor?.opened;
  if (!opened) return;
  yield* wordsIn(textOf(opened.document));
  yield* offeredIn(opened.view.state);
}

/** Each word is somewhere, or a user took it away, or the history has it in a conflict. */
export function wordsLaw({ server, ledger, people }: Collaboration): string[] {
  const there = new Set(wordsIn(server.text()));
  for (const person of people) for (const word of wordsOf(person)) there.add(word);
  return ledger
    .words()
    .filter(word => !there.has(word) && !ledger.isRemoved(word) && !ledger.isReported(word))
    .map(word => `${word} is lost`);
}

/** No row is there twice; a change that is not acknowledged may show twice what it added. */
export function doublesLaw({ server, ledger, people }: Collaboration): string[] {
  return [
    ...doubledLaw('the stored text', server.text(), ledger),
    ...people.flatMap(({ editor, name }) =>
      editor?.opened && editor.frame.store.get()?.waiting === 0
        ? doubledLaw(`${name}'s editor`, textOf(editor.opened.document), ledger, offeredIn(editor.opened.view.state))
        : [],
    ),
  ];
}

/** Each row keeps its line. */
export function rowsLaw({ server, ledger, people }: Collaboration): string[] {
  return [
    ...linesLaw('the stored text', server.text(), ledger),
    ...people.flatMap(({ editor, name }) =>
      editor?.opened ? linesLaw(`${name}'s editor`, textOf(editor.opened.document), ledger) : [],
    ),
  ];
}

/** The history has both sides of each choice that was open when its editor was closed; what is not in the text is reported. */
export function closingLaw({ server, ledger, closings }: Collaboration): string[] {
  const stored = new Set(wordsIn(server.text()));
  const known = new Set(server.revisions.flatMap(({ text }) => wordsIn(text)));
  return closings.flatMap(({ name, mine, theirs }) =>
    [...mine, ...theirs].flatMap(word => {
      if (stored.has(word) || ledger.isRemoved(word)) return [];
      const isKnown = known.has(word);
      if (isKnown && ledger.wasReported(word)) return [];
      return [`${word} of a choice that ${name} left open is not ${isKnown ? 'reported' : 'in the history'}`];
    }),
  );
}

/** At the end all windows show the stored text, which has every word. */
export function endLaw({ server, ledger, people }: Collaboration): string[] {
  const text = server.text();
  const there = new Set(wordsIn(text));
  const broken: string[] = [];
  for (const { name, panel, editor } of people) {
    const view = panel.frame.store.get();
    if (view?.text !== text) broken.push(`${name}'s panel shows ${JSON.stringify(view?.text)}`);
    const opened = editor?.opened;
    if (!opened) continue;
    const shown = textOf(opened.document);
    if (shown !== text) broken.push(`${name}'s editor (${opened.saving.get()}) shows ${JSON.stringify(shown)}`);
    else if (opened.saving.get() !== 'saved') broken.push(`${name}'s editor is ${opened.saving.get()} at the end`);
    for (const word of offeredIn(opened.view.state)) there.add(word);
  }
  for (const { desk } of people)
    for (const [key, value] of desk.browser.entries) for (const word of keptIn(key, value)) there.add(word);
  for (const word of ledger.words())
    if (!there.has(word) && !ledger.isRemoved(word) && !ledger.isReported(word))
      broken.push(`${word} is lost at the end`);
  return broken.length > 0 ? [...broken, `the stored text is ${JSON.stringify(text)}`] : [];
}
