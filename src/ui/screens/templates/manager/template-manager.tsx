import Button from '@atlaskit/button/new';
import AddIcon from '@atlaskit/icon/core/add';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListedTemplate } from '../../../../client/admin/templates.ts';
import { managing, templates as messages } from '../../../../domain/messages.ts';
import { Loading } from '../../../kit/content-state.tsx';
import { focusAwaited, useOpener } from '../../../kit/focus.ts';
import { Failure, Select, TextInput } from '../../../kit/form/form.tsx';
import { QueryError } from '../../../kit/query-result.tsx';
import { useIncrementalCount } from '../../../kit/sortable/sortable.tsx';
import { useSearchField } from '../../../kit/use-debounced.ts';
import { type Scope, templateLimitMessage } from '../../../model/templates/templates.ts';
import {
  type Sort,
  type TemplateView,
  useTemplateChanges,
  useTemplates,
} from '../../../model/templates/use-templates.ts';
import { Upgrade } from '../../../shell/navigation/links.tsx';
import { Tip } from '../../../shell/plain-pages.tsx';
import { useHostContext, useUser } from '../../../shell/services/services.ts';
import { ConfirmDeletion, ConfirmMove, RestoreFailure, TemplateEntry, useActions } from '../template-entry.tsx';
import { type Draft, useDraft } from '../template-form.tsx';
import { DeletedTemplates } from './deleted-templates.tsx';
import { type Edited, EditTemplate } from './edit-template.tsx';
import { TemplateFiles } from './template-files.tsx';

const SEARCH_DEBOUNCE_MS = 150;

const sorts: readonly { value: Sort; words: string }[] = [
  { value: 'NAME', words: 'By name' },
  { value: 'UPDATED', words: 'Last changed' },
  { value: 'ITEMS', words: 'Most items first' },
];
const scopes = [
  { value: 'ALL', words: 'All' },
  { value: 'PROJECT', words: 'This project' },
  { value: 'GLOBAL', words: 'Whole site' },
] as const;

interface TemplateSearchProps {
  view: TemplateView;
  /** Whether there is a project, and thus two scopes. */
  scoped: boolean;
  onView(view: TemplateView): void;
}

/** Search, filter and order of the templates. */
export function TemplateSearch({ view, scoped, onView }: TemplateSearchProps) {
  const [typed, setTyped] = useSearchField(view.search, SEARCH_DEBOUNCE_MS, search => onView({ ...view, search }));
  return (
    <div className="templates-find">
      <TextInput label="Search" value={typed} onChange={setTyped} />
      {scoped ? (
        <Select
          label="Show"
          value={view.scope}
          options={scopes}
          onChange={(scope: TemplateView['scope']) => onView({ ...view, scope })}
        />
      ) : null}
      <Select label="Order" value={view.sort} options={sorts} onChange={(sort: Sort) => onView({ ...view, sort })} />
    </div>
  );
}

/** The form that replaces the list. */
type Open = { template?: Edited | undefined; draft?: Draft | undefined } | undefined;

/** The templates of the project or site, with their actions. */
export function TemplateManager({ create }: { create: boolean }) {
  const { projectId } = useHostContext();
  const user = useUser();
  const [view, setView] = useState<TemplateView>({ search: '', scope: 'ALL', sort: 'NAME' });
  const list = useTemplates(projectId, view);
  const count = useIncrementalCount(list.templates?.length ?? 0);
  const changes = useTemplateChanges();
  const { draft, isKept, keep } = useDraft('template-draft');
  const [open, setOpen] = useState<Open>(create ? {} : undefined);
  /** The id of the template whose menu is open. */
  const [menu, setMenu] = useState<string | undefined>(undefined);
  const [moving, setMoving] = useState<ListedTemplate | undefined>(undefined);
  const [deleted, setDeleted] = useState<ListedTemplate | undefined>(undefined);
  /** The id of a template that was created just now. */
  const [created, setCreated] = useState<string | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const opener = useOpener(open !== undefined, box, create ? 'new' : undefined);
  // The button that opened the menu was removed.
  useEffect(() => {
    if (deleted) undo.current?.focus();
  }, [deleted]);
  const { templates } = list;
  // A new template has the focus as soon as it is in the list, unless that went on.
  useEffect(() => {
    if (created === undefined || !templates?.some(({ id }) => id === created)) return;
    setCreated(undefined);
    focusAwaited(box.current?.querySelector<HTMLElement>(`[data-opens="${CSS.escape(created)}"]`));
  }, [created, templates]);
  const show = useCallback(
    (next: NonNullable<Open>) => {
      opener.current = next.template?.id ?? 'new';
      setOpen(next);
    },
    [opener],
  );
  const edit = useCallback((template: ListedTemplate) => show({ template }), [show]);
  const scopes: Scope[] = [
    ...(user.canManageTemplates && projectId !== undefined ? ['project' as const] : []),
    ...(user.isAdmin ? ['global' as const] : []),
  ];
  const mayChange = ({ projectId: of }: ListedTemplate) => (of === null ? user.isAdmin : user.canManageTemplates);
  const { actionsOf, failed, deletion } = useActions({
    changes,
    projectId,
    isAdmin: user.isAdmin,
    onEdit: edit,
    onMove: setMoving,
    onDeleted: setDeleted,
  });

  const full = new Set(scopes.flatMap(scope => templateLimitMessage(scope, scopes, list.rooms) ?? []));
  // The draft's template may not be in the list now.
  const resume = (left: Draft) =>
    show({
      draft: left,
      ...(left.id !== null && { template: list.templates?.find(({ id }) => id === left.id) ?? { id: left.id } }),
    });
  const focusEntry = (template: ListedTemplate | undefined) => {
    const entry = template && box.current?.querySelector<HTMLElement>(`[data-menu="${CSS.escape(template.id)}"]`);
    (entry ?? box.current)?.focus();
  };
  const closeConfirmation = () => {
    focusEntry(moving);
    setMoving(undefined);
  };
  const more = async () => {
    const { hasNextPage } = await list.fetchNextPage();
    // The button disappears with the last page.
    if (!hasNextPage) box.current?.focus();
  };
  const filtered = view.search !== '' || view.scope !== 'ALL';
  return (
    <>
      {open ? (
        <EditTemplate
          template={open.template}
          draft={open.draft}
          scopes={scopes}
          projectId={projectId}
          rooms={list.rooms}
          isKept={isKept}
          onTyped={keep}
          onDone={made => {
            keep(null);
            if (made) opener.current = made.id;
            setCreated(made?.id);
            setOpen(undefined);
          }}
        />
      ) : null}
      {/* Only hidden: keeps its state and scroll position. */}
      <div ref={box} className="templates-box" tabIndex={-1} hidden={open !== undefined}>
        {scopes.length > 0 ? (
          <div className="form-buttons templates-actions">
            <Button appearance="primary" iconBefore={AddIcon} data-opens="new" onClick={() => show({})}>
              New template
            </Button>
            <div className="form-buttons templates-files-box">
              <TemplateFiles changes={changes} scopes={scopes} projectId={projectId} />
            </div>
          </div>
        ) : null}
        {[...full].map(message => (
          <Tip key={message} name={message}>
            {message} <Upgrade />
          </Tip>
        ))}
        {draft && list.templates ? (
          <p className="templates-full" role="status">
            You haven’t saved “<span dir="auto">{draft.name || 'a new template'}</span>”.{' '}
            <button type="button" className="templates-link" onClick={() => resume(draft)}>
              Keep editing
            </button>{' '}
            <button
              type="button"
              className="templates-link"
              onClick={() => {
                keep(null);
                box.current?.focus();
              }}
            >
              Discard
            </button>
          </p>
        ) : null}
        <p className="templates-undo" role="status">
          {deleted ? (
            <>
              “<span dir="auto">{deleted.name}</span>” is deleted.{' '}
              <button
                ref={undo}
                type="button"
                className="templates-link"
                disabled={changes.restore.isPending}
                onClick={() =>
                  changes.restore.mutate(deleted.id, {
                    onSuccess: () => {
                      setDeleted(undefined);
                      box.current?.focus();
                    },
                  })
                }
              >
                Undo
              </button>
            </>
          ) : null}
        </p>
        <RestoreFailure of={changes} deleted={deleted} />
        {moving ? (
          <ConfirmMove
            template={moving}
            busy={changes.update.isPending}
            onMove={() =>
              changes.update
                .mutateAsync({ id: moving.id, projectId: moving.projectId === null ? (projectId ?? null) : null })
                .then(closeConfirmation)
            }
            onClose={closeConfirmation}
          />
        ) : null}
        {deletion ? (
          <ConfirmDeletion
            {...deletion}
            onClose={() => {
              focusEntry(deletion.template);
              deletion.onClose();
            }}
          />
        ) : null}
        <TemplateSearch view={view} scoped={projectId !== undefined} onView={setView} />
        {!list.templates ? (
          list.isError ? (
            <QueryError
              title={managing.getTemplates}
              error={list.error}
              onRetry={() => void list.refetch()}
              retrying={list.isFetching}
            />
          ) : (
            <Loading />
          )
        ) : list.templates.length === 0 ? (
          <p className="templates-none">{filtered ? messages.noMatch : messages.none}</p>
        ) : (
          <>
            <p className="check-hidden" role="status">
              {list.total === 1 ? '1 template' : `${list.total.toLocaleString('en')} templates`}
            </p>
            <ul className="sortable" aria-label="Templates">
              {list.templates.slice(0, count).map(template => (
                <li key={template.id} className="sortable-item templates-entry">
                  <TemplateEntry
                    template={template}
                    mayChange={mayChange(template)}
                    actions={menu === template.id ? actionsOf(template) : undefined}
                    failed={failed?.template === template.id ? failed : undefined}
                    onOpen={edit}
                    onMenu={setMenu}
                  />
                </li>
              ))}
            </ul>
            {list.hasNextPage ? (
              <div className="form-buttons">
                <Button isLoading={list.isFetchingNextPage} onClick={() => void more()}>
                  Show more
                </Button>
                <Failure of={list.isFetchNextPageError && list.error} words={managing.getTemplates} />
              </div>
            ) : null}
          </>
        )}
        <DeletedTemplates changes={changes} projectId={projectId} />
      </div>
    </>
  );
}
