import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import AddIcon from '@atlaskit/icon/core/add';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TemplateFolder } from '../../../../client/admin/template-views.ts';
import type { ListedTemplate } from '../../../../client/admin/templates.ts';
import { managing, templates as messages, refusals } from '../../../../domain/messages.ts';
import { Loading } from '../../../kit/content-state.tsx';
import { useOpener } from '../../../kit/focus.ts';
import { Select } from '../../../kit/form/form.tsx';
import { Message } from '../../../kit/message.tsx';
import { QueryError } from '../../../kit/query-result.tsx';
import { useProjectNames } from '../../../model/projects.tsx';
import { useRooms, useTemplateChanges } from '../../../model/templates/use-templates.ts';
import { HelpOverlayButton } from '../../../shell/help/help-overlay.tsx';
import { useLeave } from '../../../shell/navigation/navigation.ts';
import { Back } from '../../../shell/plain-pages.tsx';
import { useBridge, useHostContext } from '../../../shell/services/services.ts';
import { useLiveQuery } from '../../../shell/use-live-query.ts';
import { DeletedTemplates } from '../manager/deleted-templates.tsx';
import { EditTemplate } from '../manager/edit-template.tsx';
import { RestoreFailure } from '../template-entry.tsx';
import { useDraft } from '../template-form.tsx';
import { OpenTemplate } from './template-editor.tsx';
import { folderKey, folderName, TemplateTree } from './template-tree.tsx';
import { useTree } from './use-template-views.ts';
import '../../../checklist/checklist.css';
import '../../../text-editor/text-editor.css';
import '../../../kit/sortable/sortable.css';
import '../templates.css';
import './smart-templates.css';
import './side-panel.css';

/** The smart templates editor: a tree of all templates, one of them open as text, and a side panel. */
export default function SmartTemplatesScreen() {
  const bridge = useBridge();
  const { projectId, surface } = useHostContext();
  const leave = useLeave();
  const tree = useTree(projectId);
  useLiveQuery('templates', ['templates']);
  return (
    <main className="smart">
      <header className="smart-title">
        <Heading as="h1" size="small">
          Smart templates editor
        </Heading>
        <div className="form-buttons">
          <HelpOverlayButton />
          {surface === 'page' ? null : <Back to="/templates">All templates</Back>}
          {surface === 'dialog' ? (
            <Button appearance="subtle" onClick={() => leave(() => bridge.closeDialog())}>
              Close
            </Button>
          ) : null}
        </div>
      </header>
      {tree.data ? (
        <Panes tree={tree.data} projectId={projectId} />
      ) : tree.error?.message === refusals.permission ? (
        <Message appearance="warning">{refusals.permission}</Message>
      ) : tree.isError ? (
        <QueryError
          title={managing.getTemplates}
          error={tree.error}
          onRetry={() => void tree.refetch()}
          retrying={tree.isFetching}
        />
      ) : (
        <Loading />
      )}
    </main>
  );
}

interface PanesProps {
  tree: NonNullable<ReturnType<typeof useTree>['data']>;
  projectId: string | undefined;
}

const none: ReadonlyMap<string, string> = new Map();

/** The open template, with what the server stored if it was created just now; or the form for a new one. */
type Open = { id: string; created?: ListedTemplate } | 'new' | undefined;

function Panes({ tree: { folders }, projectId: here }: PanesProps) {
  const ids = useMemo(() => folders.flatMap(({ projectId }) => projectId ?? []).sort(), [folders]);
  const { data: names = none } = useProjectNames(ids);
  const changes = useTemplateChanges();
  const { restore } = changes;
  const [open, setOpen] = useState<Open>(undefined);
  const [unsaved, setUnsaved] = useState<ReadonlyMap<string, ListedTemplate>>(new Map());
  const [deleted, setDeleted] = useState<ListedTemplate | undefined>(undefined);
  const panes = usePanes();
  const box = useRef<HTMLDivElement>(null);
  const opener = useOpener(open === 'new', box);
  const undo = useRef<HTMLButtonElement>(null);
  // The button that opened the menu was removed.
  useEffect(() => {
    if (deleted) undo.current?.focus();
  }, [deleted]);

  const id = typeof open === 'object' ? open.id : undefined;
  const currentFolder = folders.find(({ templates }) => templates.some(template => template.id === id));
  /** The last known folder of the open template, which may be deleted meanwhile. */
  const [home, setHome] = useState(currentFolder);
  if (currentFolder && currentFolder !== home) setHome(currentFolder);
  const folder = currentFolder ?? home;
  // The project in which a site template is used.
  const usedIn = folder?.projectId ?? (here !== undefined && ids.includes(here) ? here : ids[0]);
  const writable = folders.filter(({ mayChange }) => mayChange);
  const there = new Set(folders.flatMap(({ templates }) => templates.map(template => template.id)));
  const lost = [...unsaved.values()].filter(template => template.id !== id && !there.has(template.id));
  const show = useCallback(
    (id: string) => {
      opener.current = undefined;
      setOpen({ id });
    },
    [opener],
  );
  /** Opens a template that was created just now, which the tree does not have yet. The focus waits for its name. */
  const showCreated = (created: ListedTemplate) => {
    opener.current = undefined;
    box.current?.focus();
    setHome(folders.find(({ projectId }) => projectId === created.projectId));
    setOpen({ id: created.id, created });
  };
  const note = useCallback(
    (template: ListedTemplate, left: boolean) =>
      setUnsaved(before => {
        if (before.has(template.id) === left) return before;
        const otherUnsaved = [...before].filter(([id]) => id !== template.id);
        return new Map(left ? [...otherUnsaved, [template.id, template]] : otherUnsaved);
      }),
    [],
  );
  return (
    <div ref={box} tabIndex={-1} className={open === undefined ? 'smart-panes' : 'smart-panes smart-opened'}>
      <nav className="smart-list" aria-label="All templates">
        {writable.length > 0 ? (
          <Button
            iconBefore={AddIcon}
            data-opens="new"
            onClick={() => {
              opener.current = 'new';
              setOpen('new');
            }}
          >
            New template
          </Button>
        ) : null}
        {deleted ? (
          <p className="templates-undo" role="status">
            “<span dir="auto">{deleted.name}</span>” is deleted.{' '}
            <button
              ref={undo}
              type="button"
              className="templates-link"
              disabled={restore.isPending}
              onClick={() =>
                restore.mutate(deleted.id, {
                  onSuccess: () => {
                    setDeleted(undefined);
                    show(deleted.id);
                    panes.toList();
                  },
                })
              }
            >
              Undo
            </button>
          </p>
        ) : null}
        <RestoreFailure of={changes} deleted={deleted} />
        {lost.map(template => (
          <p key={template.id} className="templates-undo">
            “<span dir="auto">{template.name}</span>” was deleted. Your changes to it aren't saved.{' '}
            <button type="button" className="templates-link" onClick={() => show(template.id)}>
              Show it
            </button>
          </p>
        ))}
        <TemplateTree ref={panes.list} folders={folders} names={names} open={id} unsaved={unsaved} onOpen={show} />
        <DeletedTemplates changes={changes} projectId={here} />
        <p className="smart-keys">F6 moves between areas. Arrow keys move between templates.</p>
      </nav>
      {open === undefined ? (
        <p className="smart-nothing">
          Choose a template to view or edit it{writable.length > 0 ? ', or create a new one' : ''}.
        </p>
      ) : (
        <div className="smart-open">
          <button
            type="button"
            className="templates-link smart-back"
            onClick={() => {
              setOpen(undefined);
              requestAnimationFrame(panes.toList);
            }}
          >
            All templates
          </button>
          {open === 'new' ? (
            <NewTemplate
              folders={writable}
              names={names}
              onDone={made => (made ? showCreated(made) : setOpen(undefined))}
            />
          ) : (
            <OpenTemplate
              key={open.id}
              id={open.id}
              created={open.created}
              lastKnown={unsaved.get(open.id)}
              mayChange={folder?.mayChange ?? false}
              projectId={usedIn}
              folder={folder ? folderName(folder.projectId, names) : ''}
              panes={panes}
              onUnsaved={note}
              onDeleted={template => {
                setDeleted(template);
                setOpen(undefined);
              }}
              onCreated={showCreated}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface NewTemplateProps {
  /** Folders with write permission; at least one. */
  folders: readonly TemplateFolder[];
  /** Project names by id. */
  names: ReadonlyMap<string, string>;
  /** Called after saving, with the new template, or after discarding. */
  onDone(made?: ListedTemplate | null): void;
}

/** The form for a new template, with a draft in the browser. */
function NewTemplate({ folders, names, onDone }: NewTemplateProps) {
  const { draft, isKept, keep } = useDraft('smart-template-new');
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const folder = folders.find(({ projectId }) => folderKey(projectId) === chosen) ?? folders[0];
  const projectId = folder?.projectId ?? null;
  const rooms = useRooms(projectId ?? undefined);
  if (draft === undefined) return <Loading />;
  const scope = projectId === null ? 'global' : 'project';
  return (
    <div className="smart-new">
      <h2>New template</h2>
      {folders.length > 1 ? (
        <Select
          label="Folder"
          value={folderKey(projectId)}
          options={folders.map(each => ({
            value: folderKey(each.projectId),
            words: folderName(each.projectId, names),
          }))}
          hint={projectId === null ? messages.readBySite : undefined}
          onChange={setChosen}
        />
      ) : null}
      <EditTemplate
        key={folderKey(projectId)}
        draft={{ id: null, name: '', text: '', ...draft, scope }}
        scopes={[]}
        projectId={projectId ?? undefined}
        rooms={rooms}
        isKept={isKept}
        onTyped={keep}
        onDone={made => {
          keep(null);
          onDone(made);
        }}
      />
    </div>
  );
}

/** The panes of the screen, in the order of F6. */
interface PaneRefs {
  list: RefObject<HTMLDivElement | null>;
  text: RefObject<HTMLElement | null>;
  side: RefObject<HTMLElement | null>;
  /** Moves the focus to the list. */
  toList(): void;
}

/** The element of each pane that takes the focus. */
const entrances = { list: '[tabindex="0"]', text: '.cm-content', side: '[aria-selected="true"]' } as const;

/** F6 moves the focus to the next pane, Shift+F6 to the previous one. */
function usePanes(): PaneRefs {
  const list = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLElement>(null);
  const side = useRef<HTMLElement>(null);
  const panes = useMemo((): PaneRefs => {
    const enter = (pane: 'list' | 'text' | 'side') =>
      ({ list, text, side })[pane].current?.querySelector<HTMLElement>(entrances[pane])?.focus();
    return { list, text, side, toList: () => enter('list') };
  }, []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const order: readonly ('list' | 'text' | 'side')[] = event.shiftKey
        ? ['side', 'text', 'list']
        : ['list', 'text', 'side'];
      const hasFocus = (pane: 'list' | 'text' | 'side') =>
        panes[pane].current?.contains(document.activeElement) ?? false;
      const at = order.findIndex(hasFocus);
      for (const pane of [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0))]) {
        // A pane may be hidden in a narrow window.
        panes[pane].current?.querySelector<HTMLElement>(entrances[pane])?.focus();
        if (hasFocus(pane)) return;
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [panes]);
  return panes;
}
