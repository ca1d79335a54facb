import { beforeWords, cursorOf, lineAt, misplaced } from './cursor.ts';
import type { Session } from './findings.ts';
import type { EditorText, UserWindow } from './user-window.ts';

/** What users do in the text, by keys and mouse. Each action resolves with its description. */

export type Action = (window: UserWindow, session: Session) => Promise<string>;

/** Rows beyond which users add no more. */
export const MANY_ROWS = 24;

/** Remembers where an action has left the cursor. */
const keep = async (window: UserWindow, session: Session): Promise<EditorText> => {
  const now = await window.editorText();
  // In front of a mark, as after a deletion, nothing is typed on.
  window.cursor = beforeWords(now) > 0 ? undefined : cursorOf(now, session.words);
  return now;
};

const press = async ({ page }: UserWindow, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Clicks a row and moves the cursor within its words. Resolves with the row. */
async function placeCursor(window: UserWindow, session: Session, where = window.random.int(3)): Promise<string> {
  const { random } = window;
  const { text } = await window.editorText();
  const rows = text.split('\n');
  await window.line(rows.indexOf(session.pickRow(rows, random))).click();
  // The first one goes to the start of the screen line.
  if (where === 0) await press(window, 'Home', 'Home');
  else await press(window, 'End');
  if (where === 1) await press(window, ...Array<string>(1 + random.int(3)).fill('Control+ArrowLeft'));
  const left = beforeWords(await window.editorText());
  await press(window, ...Array<string>(left).fill('ArrowRight'));
  const now = await keep(window, session);
  return lineAt(now.text, now.head).line;
}

/** Checks that the cursor is where the user's last action has left it; otherwise places it anew. */
async function holdCursor(window: UserWindow, session: Session): Promise<EditorText> {
  const now = await window.editorText();
  if (window.cursor === undefined) {
    await placeCursor(window, session);
    return window.editorText();
  }
  const wrong = misplaced(window.cursor, now.text, now.head, now.head, session.words);
  if (wrong === undefined) return now;
  const { line, at } = lineAt(now.text, now.head);
  const was = `was in "…${window.cursor.left}|${window.cursor.right}…" of [${window.cursor.words.join(' ')}]`;
  session.found('cursor', `${window.name}: cursor ${wrong}: ${was}, is in "${line.slice(0, at)}|${line.slice(at)}"`);
  await placeCursor(window, session);
  return window.editorText();
}

/** Where a word stands in a text, as a word. */
function placeOf(text: string, word: string): number | undefined {
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'u').exec(text);
  return found?.index;
}

/** Types a word at the cursor, and checks that it is in the cursor's row and place. */
async function typeWord(window: UserWindow, session: Session, before: EditorText): Promise<string> {
  const { words } = session;
  const cursor = cursorOf(before, words);
  const { line, at } = lineAt(before.text, before.head);
  const [left = ' ', right = ' '] = [line[at - 1], line[at]];
  const word = words.create(window, session.step);
  await window.page.keyboard.type(`${left === ' ' ? '' : ' '}${word}${right === ' ' ? '' : ' '}`);
  const now = await keep(window, session);
  const from = placeOf(now.text, word);
  if (from === undefined) {
    const lines = now.text.split('\n').filter(each => !before.text.split('\n').includes(each));
    session.found(
      'cursor',
      `${window.name}: "${word}" was torn or lost while typed in "${line}": now ${lines.join(' ⏎ ')}`,
    );
    window.cursor = undefined;
  } else {
    const wrong = misplaced(cursor, now.text, from, from + word.length, words);
    if (wrong !== undefined) {
      const there = lineAt(now.text, from).line;
      session.found('cursor', `${window.name}: "${word}" is ${wrong}: typed in "${line}", is in "${there}"`);
    }
  }
  return `types "${word}" in "${line}"`;
}

const typeOn: Action = async (window, session) => {
  if (window.random.int(4) === 0) await placeCursor(window, session);
  return typeWord(window, session, await holdCursor(window, session));
};

const newRow: Action = async (window, session) => {
  const { text } = await window.editorText();
  if (text.split('\n').length >= MANY_ROWS) return typeOn(window, session);
  await placeCursor(window, session, 2);
  await press(window, 'Enter');
  return `new row, ${await typeWord(window, session, await window.editorText())}`;
};

const move: Action = async (window, session) => {
  await holdCursor(window, session);
  const key = window.random.pick(['Alt+ArrowUp', 'Alt+ArrowDown']);
  await press(window, key);
  const { text, head } = await keep(window, session);
  return `${key} on "${lineAt(text, head).line}"`;
};

const split: Action = async (window, session) => {
  const { text } = await window.editorText();
  if (text.split('\n').length >= MANY_ROWS) return move(window, session);
  const row = await placeCursor(window, session, 1);
  for (const word of session.words.in(row)) session.regrouped.add(word);
  await press(window, 'Enter');
  await keep(window, session);
  return `splits "${row}"`;
};

const join: Action = async (window, session) => {
  const row = await placeCursor(window, session, 0);
  const first = await window.editorText();
  const { index } = lineAt(first.text, first.head);
  if (index === 0) return 'is in the first row';
  for (const line of first.text.split('\n').slice(index - 1, index + 1))
    for (const word of session.words.in(line)) session.regrouped.add(word);
  // A blank keeps the words apart.
  await press(window, 'ArrowUp', 'End', 'Space', 'ArrowDown', 'Home');
  let now = await window.editorText();
  await press(window, ...Array<string>(beforeWords(now)).fill('ArrowRight'));
  // By words, since others may move the row meanwhile: one key more would take a letter of the row above.
  const isJoined = ({ text, head }: EditorText) => {
    const { line, at } = lineAt(text, head);
    return /\w{2}/.test(line.slice(0, at));
  };
  for (let i = 0; i < 5 && !isJoined(now); i++) {
    await press(window, 'Backspace');
    now = await window.editorText();
  }
  // Others may have moved another row above this one meanwhile.
  if (/\w\w$/.test(now.text.slice(0, now.head))) await press(window, 'Space');
  await keep(window, session);
  return `joins "${row}" with the row above`;
};

/** Runs an action of the user; words of text and choices that vanish with it are the user's own removal. */
async function removing(window: UserWindow, session: Session, removal: string, run: () => Promise<unknown>) {
  const recorded = await window.recordAtInput();
  await run();
  const shown = [(await keep(window, session)).text, ...(await window.choiceValues())];
  const left = new Set(session.words.in(shown.join('\n')));
  const gone = session.words.in(await recorded()).filter(word => !left.has(word));
  session.words.remove(gone, `${removal} of ${window.name} at ${session.step}`);
  return gone;
}

const deleteRow: Action = async (window, session) => {
  const row = await placeCursor(window, session);
  session.words.remove(session.words.in(row), `deletion of ${window.name} at ${session.step}`);
  await removing(window, session, 'deletion', () => press(window, 'Control+Shift+K'));
  return `deletes "${row}"`;
};

const undo: Action = async (window, session) => {
  const key = window.random.pick(['Control+z', 'Control+z', 'Control+y']);
  const gone = await removing(window, session, 'undo', () => press(window, key));
  session.foreignUndone += gone.filter(word => session.words.get(word)?.window !== window.name).length;
  return `${key}, without [${gone.join(' ')}] now`;
};

/** Words of open choices that the user has typed in another window: the user sees that saving keeps the other value. */
async function leaveChoices(window: UserWindow, session: Session): Promise<void> {
  const { text } = await window.editorText();
  const shown = session.words.in((await window.choiceValues()).join('\n'));
  const own = shown.filter(word => session.words.get(word)?.user === window.user);
  const left = new Set(session.words.in(text));
  session.words.remove(
    own.filter(word => !left.has(word)),
    `open choice of ${window.name} at ${session.step}`,
  );
}

const save: Action = async (window, session) => {
  await leaveChoices(window, session);
  await press(window, 'Control+s');
  return 'saves';
};

export const closeEditor: Action = async (window, session) => {
  await leaveChoices(window, session);
  await window.closeEditor();
  return 'closes the editor';
};

/** Answers a choice, if there is one. */
export const choose: Action = async (window, session) => {
  if ((await window.choices().count()) === 0) return 'has nothing to choose';
  // The one that is read is the one that is answered: the first one may be another by then.
  const choice = await window.choices().first().elementHandle({ timeout: 5_000 });
  if (!choice) return 'has nothing to choose';
  const [mine = '', theirs = ''] = await choice.$$eval('.cm-conflict-value, .check-conflict-value', values =>
    values.map(({ textContent }) => textContent),
  );
  const takes = window.random.int(2) === 0;
  const [kept, lost] = takes ? [theirs, mine] : [mine, theirs];
  const left = new Set(session.words.in(kept));
  const gone = session.words.in(lost).filter(word => !left.has(word));
  const button = await choice.$(`button:has-text("${takes ? 'Take theirs' : 'Keep mine'}")`);
  if (!button) return 'sees the choice go';
  session.words.remove(gone, `choice of ${window.name} at ${session.step}`);
  const press = () => button.click();
  if (window.role === 'editor') await removing(window, session, 'choice', press);
  else await press();
  return `chooses "${kept}", not "${lost}"`;
};

/** Each action as often as its number says. */
export const editorActions: readonly (readonly [number, Action])[] = [
  [44, typeOn],
  [8, newRow],
  [10, move],
  [3, split],
  [3, join],
  [16, save],
];

export const editorRemovals: readonly (readonly [number, Action])[] = [
  [4, deleteRow],
  [5, undo],
  [4, choose],
];
