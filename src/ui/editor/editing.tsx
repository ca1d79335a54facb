import { EditorView } from '@codemirror/view';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import type { ChecklistStore, ChecklistView } from '../../client/checklist.ts';
import type { DraftSlot } from '../../client/drafts.ts';
import { failureMessage } from '../../client/errors.ts';
import type { IssueRef } from '../../client/reading.ts';
import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { edition } from '../../domain/edition.ts';
import { refusals, shell } from '../../domain/messages.ts';
import { type Choice, checklistEditor, checklistOf, type Menu, nextProblem, setEditable } from '../../editor/index.ts';
import { readChecklist } from '../../text/read.ts';
import { useBridge, useUnsaved, useUser } from '../app/hooks.ts';
import { Message } from '../parts/message.tsx';
import { Arrival } from './arrival.tsx';
import { mountCalendar } from './calendar.ts';
import { ConfirmClose } from './confirm.tsx';
import { figuresOf } from './figures.ts';
import { EditorHeader } from './header.tsx';
import { Notice } from './notice.tsx';
import { OtherEditors } from './others.tsx';
import { PlainSwitch } from './plain-switch.tsx';
import { previewSource } from './preview/source.ts';
import { PreviewButton, Split } from './preview/split.tsx';
import { usePreview } from './preview/use-preview.ts';
import { createProvider } from './provider.ts';
import { type Problems, StatusBar } from './status.tsx';
import { Toolbar } from './toolbar.tsx';
import { useArrivals } from './use-arrivals.ts';
import { useSaveKey } from './use-save-key.ts';
import { useSaving } from './use-saving.ts';
import { TextEditor } from './view.tsx';

const Palette = lazy(() => import('./palette.tsx'));

const notation = ['# Section', '- To do', '~ In progress', '+ Done', '> A detail of the line above'].join('\n');

/** Milliseconds between a key and new figures below the text. */
const FIGURES_DELAY = 100;

/** Resolves when what is to be stored waits for the server, and the browser keeps it beyond this page. */
const waitsSafely = (store: ChecklistStore): Promise<true> =>
  new Promise(resolve => {
    const look = () => {
      const view = store.get();
      if (view?.state !== 'waiting' || view.volatile) return;
      stop();
      resolve(true);
    };
    const stop = store.subscribe(look);
    look();
  });

function goToProblem(view: EditorView) {
  view.focus();
  nextProblem(view);
}

interface Props {
  issue: IssueRef;
  store: ChecklistStore;
  view: ChecklistView;
  slot: DraftSlot;
}

/** A checklist open as text. */
export function Editing({ issue, store, view, slot }: Props) {
  const bridge = useBridge();
  const { canEditChecklist: editable, id: me, isAnonymous } = useUser();
  const { document, saving, state, notice, dismiss } = useSaving(store, view, slot);
  const [asking, ask] = useState(false);
  const [menu, showMenu] = useState<Menu | undefined>(undefined);
  const [shown, setShown] = useState<EditorView | undefined>(undefined);
  const { name } = view;
  const figuresNow = useCallback(() => {
    const { epoch, seq } = saving.base();
    return figuresOf(document.view ? checklistOf(document.view.state) : readChecklist(document.text), epoch, seq, name);
  }, [document, saving, name]);
  const [figures, setFigures] = useState(figuresNow);
  const [problems, setProblems] = useState<Problems | undefined>(undefined);
  useUnsaved(state === 'unsaved');
  const save = useCallback(() => void saving.save(), [saving]);
  useSaveKey(save);
  const preview = usePreview();
  const [source] = useState(previewSource);
  const { news, arrived } = useArrivals(issue.issueId);
  const [stored] = useState(() => {
    let known = readChecklist(saving.base().text);
    return () => {
      const { text } = saving.base();
      if (text !== known.text) known = readChecklist(text, undefined, known);
      return known;
    };
  });

  const [extensions] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return [
      checklistEditor({
        label: `Checklist of ${issue.issueKey} as text`,
        editable,
        provider: createProvider(bridge),
        calendar: mountCalendar,
        placeholder: notation,
        ...(!isAnonymous && { me }),
        choose: showMenu,
        save,
        arrived,
        // The text that is looked through is the one that is open.
        capacity: { limit: PROPERTY_CAPACITY, sizeOf: () => figuresNow().size },
        itemLimit: edition.limits.itemsPerChecklist,
        onProblems: (all, errors) => setProblems({ all, errors }),
      }),
      source.extension,
      EditorView.updateListener.of(({ docChanged }) => {
        if (!docChanged) return;
        saving.edited();
        clearTimeout(timer);
        timer = setTimeout(() => setFigures(figuresNow()), FIGURES_DELAY);
      }),
    ];
  });
  const [text] = useState(document.text);
  const onView = useCallback(
    (made: EditorView | undefined) => {
      if (!made && document.view) document.text = document.view.state.doc.toString();
      document.view = made;
      setShown(made);
      source.follow(made);
      made?.focus();
    },
    [document, source],
  );
  useEffect(() => document.view?.dispatch(setEditable(editable)), [document, editable]);
  useEffect(() => {
    // After the question the focus goes back to the text, not to the button that asked.
    if (!asking) document.view?.focus();
  }, [document, asking]);

  const closeMenu = () => {
    showMenu(undefined);
    shown?.focus();
  };
  const choose = (choice: Choice) => {
    closeMenu();
    if (shown) choice.run(shown);
  };
  const close = () => bridge.closeDialog({ issueId: issue.issueId, seq: saving.base().seq });
  const saveAndClose = async () => {
    ask(false);
    const stored = saving.save();
    if (await Promise.race([stored, waitsSafely(store)])) {
      // What was typed while another saving was under way goes along.
      saving.handOver();
      close();
    } else document.view?.focus();
  };
  const discard = () => {
    saving.discard();
    close();
  };
  return (
    <main className="editor-screen">
      <EditorHeader
        issueKey={issue.issueKey}
        {...(editable && { saving: { state, why: view.why, save } })}
        tools={<PreviewButton preview={preview} />}
        others={<OtherEditors issueId={issue.issueId} editing={editable} document={document} stored={stored} />}
        onClose={() => (editable && (saving.unsent() || view.volatile) ? ask(true) : close())}
      />
      {editable ? null : (
        <div className="editor-notice">
          <Message appearance="warning">{refusals.permission}</Message>
        </div>
      )}
      {view.unready === undefined ? null : (
        <div className="editor-notice">
          <Message
            appearance="error"
            actions={[{ label: shell.retry, run: () => void store.prepare().catch(() => undefined) }]}
          >
            {failureMessage(view.unready)}
          </Message>
        </div>
      )}
      {notice ? <Notice notice={notice} onDismiss={dismiss} /> : null}
      {shown ? <Toolbar view={shown} editable={editable} /> : null}
      <Split preview={preview} source={source} editable={editable}>
        <TextEditor text={text} extensions={extensions} onView={onView} />
      </Split>
      <Arrival news={news} />
      <StatusBar figures={figures} problems={problems} onProblem={() => shown && goToProblem(shown)}>
        <PlainSwitch view={shown} />
      </StatusBar>
      {menu ? (
        <Suspense>
          <Palette key={menu.label} menu={menu} onChoose={choose} onClose={closeMenu} />
        </Suspense>
      ) : null}
      {asking ? (
        <ConfirmClose onSave={() => void saveAndClose()} onDiscard={discard} onKeep={() => ask(false)} />
      ) : null}
    </main>
  );
}
