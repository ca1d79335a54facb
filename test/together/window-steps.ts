import { textOf } from '../../src/ui/text-editor/saving/open-text.ts';
import { pass, turn } from './clock.ts';
import { type EditorWindow, nameOf } from './editor-window.ts';
import { arriveAll, type Collaboration, closeEditor, type Person } from './people.ts';
import { choicesIn } from './rows.ts';
import type { Kind, Step } from './steps.ts';
import { wordsIn } from './words.ts';

type Play = (
  collaboration: Collaboration,
  person: Person,
  step: Step,
) => string | undefined | Promise<string | undefined>;

/** Opens an editor, and lets the tracker's copy or the server's text arrive first. */
async function open(
  collaboration: Collaboration,
  person: Person,
  { to }: Step,
  isReload: boolean,
): Promise<EditorWindow> {
  const { network } = collaboration;
  const window = collaboration.openEditor(person, isReload);
  await turn();
  if (to % 2 === 0) {
    const mine = network.waiting().filter(({ frame }) => frame === window.frame.id);
    const wanted = mine.filter(({ what }) => what.includes('tracker') === (to % 4 === 0));
    for (const delivery of wanted) network.arrive(delivery);
    await turn();
    for (const delivery of network.waiting())
      if (delivery.frame === window.frame.id && delivery.what.startsWith('the answer')) network.arrive(delivery);
    await turn();
  }
  if (to % 2) await arriveAll(collaboration, person.desk.person, window.frame.id);
  return window;
}

const seen = ({ opened }: EditorWindow) =>
  opened ? `sees ${JSON.stringify(textOf(opened.document))}` : 'waits for a text';

/** The time in milliseconds after which an input method's text is in the document. */
const COMPOSED = 150;

export async function endComposition({ opened }: EditorWindow): Promise<void> {
  if (!opened?.view.composing) return;
  opened.view.composing = false;
  opened.view.contentDOM.dispatchEvent(new Event('compositionend'));
  await turn();
  await pass(COMPOSED);
}

/** Closes after a save, or when the change waits in the browser, as the screen does. */
export function saveAndClose({ closings }: Collaboration, person: Person, window: EditorWindow): void {
  const { opened, frame } = window;
  if (!opened) return;
  const stored = opened.saving.save();
  const waits = new Promise<true>(resolve => {
    const check = () => {
      const view = frame.store.get();
      if (view?.state === 'waiting' && !view.volatile) resolve(true);
    };
    frame.store.subscribe(check);
    check();
  });
  void Promise.race([stored, waits]).then(isKept => {
    if (!isKept || window.isClosed) return;
    opened.saving.handOver();
    for (const { conflict } of choicesIn(opened.view.state)) {
      const [mine, theirs] = [wordsIn(conflict.mine), wordsIn(conflict.theirs)];
      closings.push({
        name: person.name,
        mine: mine.filter(word => !theirs.includes(word)),
        theirs: theirs.filter(word => !mine.includes(word)),
      });
    }
    window.close();
    if (person.editor === window) person.editor = undefined;
  });
}

export const windowPlays: Partial<Record<Kind, Play>> = {
  open: async (collaboration, person, step) => {
    if (person.editor) return undefined;
    return `opens an editor and ${seen(await open(collaboration, person, step, false))}`;
  },
  reload: async (collaboration, person, step) => {
    if (!person.editor) return undefined;
    closeEditor(person);
    await turn();
    return `reloads the editor and ${seen(await open(collaboration, person, step, true))}`;
  },
  leave: (_all, person) => {
    if (!person.editor) return undefined;
    closeEditor(person);
    return 'ends the page of the editor';
  },
  save: (_all, { editor }) => {
    if (!editor?.opened) return undefined;
    void editor.opened.saving.save();
    return 'saves';
  },
  saveAndClose: (all, person) => {
    if (!person.editor?.opened) return undefined;
    saveAndClose(all, person, person.editor);
    return 'saves and closes';
  },
  discardAndClose: ({ ledger }, person) => {
    const { editor } = person;
    if (!editor?.opened) return undefined;
    const { document, saving, view } = editor.opened;
    const shown = choicesIn(view.state).map(({ conflict }) => `${conflict.mine} ${conflict.theirs}`);
    const base = wordsIn(saving.base().text);
    const given = wordsIn([textOf(document), ...shown].join(' ')).filter(
      word => !base.includes(word) || ledger.wasRemoved(word),
    );
    ledger.remove(nameOf(editor), given);
    saving.discard();
    closeEditor(person);
    return `discards ${given} and closes`;
  },
  compose: async (_all, { editor }) => {
    if (!editor?.opened) return undefined;
    if (editor.opened.view.composing) {
      await endComposition(editor);
      return 'ends a composition';
    }
    editor.opened.view.composing = true;
    return 'begins a composition';
  },
};
