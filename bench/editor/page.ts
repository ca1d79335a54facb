import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap } from '@codemirror/view';
import { checklistEditor } from '../../src/editor/index.ts';
import type { Contestant, EditorBench } from './contestants.ts';

/** What all three have: keys, undo, wrapped lines, a drawn selection. */
const bare: Extension = [
  keymap.of([...defaultKeymap, ...historyKeymap]),
  history(),
  drawSelection(),
  highlightActiveLine(),
  EditorView.lineWrapping,
  EditorView.theme({
    '&': { height: '100%', fontSize: '14px' },
    '.cm-scroller': { fontFamily: 'inherit', lineHeight: '24px', overflow: 'auto' },
  }),
];

const person = { accountId: 'a', name: 'Ana', avatar: '' };

const extensions: Record<Contestant, () => Extension> = {
  bare: () => bare,
  markdown: () => [bare, markdown(), syntaxHighlighting(defaultHighlightStyle)],
  checklist: () =>
    checklistEditor({
      label: 'Checklist',
      editable: true,
      placeholder: '',
      save: () => undefined,
      remoteChanged: () => undefined,
      provider: {
        findPeople: async () => [person],
        findIssues: async () => [],
        person: () => person,
        issue: key => ({ key, summary: 'An issue', status: 'To Do', lozenge: 'default', done: false }) as never,
        subscribe: () => () => undefined,
        today: () => '2026-11-22',
      },
    }),
};

const editors = new Map<Contestant, { place: HTMLElement; view: EditorView }>();
let times: number[] = [];
let longTasks: number[] = [];
let pending: number | undefined;

/** From the key event's own time to the end of the frame that shows it: its frame callback, styles, layout and paint. */
window.addEventListener(
  'keydown',
  event => {
    pending = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      // A message posted in a frame's callback arrives when the frame's work on this thread is done.
      port1.onmessage = () => {
        if (pending !== undefined) times.push(performance.now() - pending);
        pending = undefined;
      };
      port2.postMessage(null);
    });
  },
  true,
);
new PerformanceObserver(list => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
  type: 'longtask',
});

const frames = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise(resolve => requestAnimationFrame(resolve));
};

const bench: EditorBench = {
  open(text) {
    for (const { view, place } of editors.values()) {
      view.destroy();
      place.remove();
    }
    for (const name of ['bare', 'markdown', 'checklist'] as const) {
      const place = document.createElement('div');
      place.style.cssText = 'height: 800px; width: 1000px';
      document.body.append(place);
      editors.set(name, { place, view: new EditorView({ doc: text, extensions: extensions[name](), parent: place }) });
    }
  },
  async show(name, line) {
    for (const [other, { place }] of editors) place.style.display = other === name ? '' : 'none';
    const view = editors.get(name)?.view;
    if (!view) throw new Error(name);
    const { to } = view.state.doc.line(Math.min(line, view.state.doc.lines));
    view.requestMeasure();
    await frames(3);
    view.dispatch({ selection: { anchor: to }, effects: EditorView.scrollIntoView(to, { y: 'center' }) });
    view.focus();
    await frames(5);
    times = [];
    longTasks = [];
  },
  async take() {
    for (let tries = 0; pending !== undefined && tries < 100; tries++) await frames(1);
    await frames(2);
    return { times, longTasks };
  },
};
Object.assign(window, { bench });
