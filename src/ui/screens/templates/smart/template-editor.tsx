import Button from '@atlaskit/button/new';
import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import {
  type ComponentProps,
  type FormEvent,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { ListedTemplate } from '../../../../client/admin/templates.ts';
import type { DraftSlot } from '../../../../client/drafts.ts';
import { fieldErrors } from '../../../../domain/fields.ts';
import { managing, templates as messages } from '../../../../domain/messages.ts';
import { templateSubject } from '../../../../domain/templates/subjects.ts';
import type { RemoteChangeNote } from '../../../../editor/index.ts';
import { readChecklist } from '../../../../text/read.ts';
import { ActionMenu } from '../../../kit/action-menu.tsx';
import { Loading } from '../../../kit/content-state.tsx';
import { focusAwaited } from '../../../kit/focus.ts';
import { DeletedMessage, TextInput } from '../../../kit/form/form.tsx';
import { Message } from '../../../kit/message.tsx';
import { QueryError } from '../../../kit/query-result.tsx';
import { RowButton } from '../../../kit/sortable/sortable.tsx';
import { useLayer } from '../../../kit/use-layer.ts';
import { useDraftSlot } from '../../../model/drafts/use-draft-slot.ts';
import { useTemplateChanges } from '../../../model/templates/use-templates.ts';
import { useLeave, useUnsaved } from '../../../shell/navigation/navigation.ts';
import { useBridge, useHostContext, useUser } from '../../../shell/services/services.ts';
import { Collaborators, RemoteChange, useChangeNotes } from '../../../text-editor/collaboration/collaborators.tsx';
import { SaveNotice } from '../../../text-editor/saving/save-notice.tsx';
import { ActionFailure, ConfirmDeletion, ConfirmMove, useActions } from '../template-entry.tsx';
import { TemplateText } from '../template-form.tsx';
import { Side } from './side-panel.tsx';
import { useTemplateSaving } from './use-template-saving.ts';
import { useTemplate } from './use-template-views.ts';

interface Props {
  template: ListedTemplate;
  slot: DraftSlot;
  /** It was created just now, as the server stored it: its name has the focus. */
  created: ListedTemplate | undefined;
  /** The template was deleted. */
  notFound: boolean;
  mayChange: boolean;
  /** The project in which a site template is to be used. */
  projectId: string | undefined;
  /** The name of its folder. */
  folder: string;
  /** The panes of the text and of what stands beside it. */
  panes: Record<'text' | 'side', RefObject<HTMLElement | null>>;
  onUnsaved(template: ListedTemplate, unsaved: boolean): void;
  onDeleted(template: ListedTemplate): void;
  /** Called with a template that was created from the text of the deleted one. */
  onCreated(template: ListedTemplate): void;
}

const states = { saved: 'Saved', saving: 'Saving…', unsaved: 'Unsaved changes' };

/** The editor of a template with its side panel. */
export function TemplateEditor(props: Props) {
  const { template, slot, created, notFound, mayChange, projectId, folder, panes, onUnsaved, onDeleted, onCreated } =
    props;
  const { isAdmin } = useUser();
  const changes = useTemplateChanges();
  const saving = useTemplateSaving(template, slot, mayChange);
  const { name, state, notice } = saving;
  const deleted = saving.deleted || notFound;
  const { add, ...notes } = useChangeNotes();
  const onRemoteChange = useCallback((note: RemoteChangeNote) => add({ ...note, by: [] }), [add]);
  const [text, setText] = useState(saving.opening);
  const shown = useDeferredValue(text);
  const [tried, setTried] = useState(false);
  const empty = tried && readChecklist(shown).rows.length === 0;
  const [menu, setMenu] = useState(false);
  const [moving, setMoving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (created) focusAwaited(field.current);
  }, [created]);
  const unsaved = state === 'unsaved';
  const discard = () => {
    saving.discard();
    slot.clear();
  };
  useUnsaved(unsaved, discard, () => slot.read()?.text === saving.text());
  const bridge = useBridge();
  const { surface } = useHostContext();
  const leave = useLeave();
  // In the text, Escape lets the next Tab leave.
  const isInText = () => document.activeElement?.closest('.cm-editor');
  useLayer(unsaved && surface === 'dialog', () => isInText() || leave(() => bridge.closeDialog()), true);
  useEffect(() => onUnsaved(template, unsaved), [template, unsaved, onUnsaved]);

  const save = async () => {
    setTried(true);
    if (!name.check()) return field.current?.focus();
    if (readChecklist(saving.text()).rows.length === 0) return;
    if (!deleted) return void (await saving.save());
    try {
      const values = { name: name.value, text: saving.text(), projectId: template.projectId };
      const { template: made } = await changes.create.mutateAsync(values);
      saving.discard();
      onUnsaved(template, false);
      if (made) onCreated(made);
    } catch (error) {
      saving.refuse(error, managing.createTemplate);
      field.current?.focus();
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const { actionsOf, failed, deletion } = useActions({
    changes,
    projectId: undefined,
    isAdmin,
    onEdit: () => undefined,
    onMove: () => setMoving(true),
    onDeleted,
  });
  const actions = actionsOf(template).map(group => group.filter(({ label }) => label !== 'Edit'));
  const closeConfirmation = () => {
    setMoving(false);
    more.current?.focus();
  };
  return (
    <>
      <section ref={panes.text} className="smart-editing" aria-label={`Template ${template.name}`}>
        {deleted ? <DeletedMessage what={template.name} /> : null}
        <form className="smart-head" noValidate onSubmit={submit} aria-label="Name and save">
          {mayChange ? (
            <TextInput ref={field} label="Name" value={name.value} error={name.error} onChange={saving.rename} />
          ) : (
            <h2 dir="auto">{template.name}</h2>
          )}
          <div className="smart-tools">
            <span className="smart-scope" dir="auto">
              {folder}
            </span>
            {mayChange ? (
              <>
                <span className={`editor-state editor-state-${state}`} role="status">
                  {states[state]}
                </span>
                <Button
                  appearance="primary"
                  type="submit"
                  isLoading={changes.create.isPending}
                  isDisabled={!deleted && state === 'saved'}
                >
                  {deleted ? 'Save as a new template' : 'Save'}
                </Button>
                <span className="check-status-control templates-more">
                  <RowButton
                    ref={more}
                    icon={MoreIcon}
                    label={`Actions for ${template.name}`}
                    aria-haspopup="menu"
                    aria-expanded={menu}
                    onClick={() => setMenu(true)}
                  />
                  {menu ? (
                    <ActionMenu
                      label={`Actions for ${template.name}`}
                      actions={actions}
                      onClose={withFocus => {
                        setMenu(false);
                        if (withFocus) more.current?.focus();
                      }}
                    />
                  ) : null}
                </span>
              </>
            ) : (
              <span className="smart-scope">Read-only</span>
            )}
          </div>
        </form>
        <ActionFailure of={template.id} failed={failed} />
        {mayChange && !deleted ? (
          <p className="smart-collaborators">
            <Collaborators
              subjectId={templateSubject(template.id)}
              editing={mayChange}
              document={saving.document}
              stored={saving.stored}
            />
          </p>
        ) : null}
        {moving ? (
          <ConfirmMove
            template={template}
            busy={changes.update.isPending}
            onMove={() => changes.update.mutateAsync({ id: template.id, projectId: null }).then(closeConfirmation)}
            onClose={closeConfirmation}
          />
        ) : null}
        {deletion ? (
          <ConfirmDeletion
            {...deletion}
            onClose={() => {
              deletion.onClose();
              more.current?.focus();
            }}
          />
        ) : null}
        {notice ? <SaveNotice notice={notice} onDismiss={saving.dismiss} /> : null}
        {empty ? (
          <p className="form-error" role="alert">
            {fieldErrors.CHECKLIST_REQUIRED}
          </p>
        ) : null}
        <TemplateText
          label={`Text of ${template.name}`}
          text={saving.opening}
          editable={mayChange}
          onChange={typed => {
            setText(typed);
            saving.edited();
          }}
          onSave={() => void save()}
          onView={saving.onView}
          onRemoteChange={onRemoteChange}
          onTyped={notes.onTyped}
          initial={saving.document.initial}
        />
        <RemoteChange shown={notes.shown} onDismiss={notes.dismiss} />
      </section>
      <Side
        ref={panes.side}
        template={template}
        text={shown}
        projectId={projectId}
        onRestore={mayChange ? saving.restore : undefined}
      />
    </>
  );
}

interface OpenTemplateProps extends Omit<ComponentProps<typeof TemplateEditor>, 'template' | 'slot' | 'notFound'> {
  id: string;
  /** The template with unsaved edits, as it was before another one was opened. */
  lastKnown: ListedTemplate | undefined;
}

/** Loads the selected template and opens it. */
export function OpenTemplate({ id, lastKnown, ...shared }: OpenTemplateProps) {
  const { data, error, refetch, isFetching } = useTemplate(id, shared.projectId);
  const slot = useDraftSlot(`template ${id}`);
  const notFound = error?.message === messages.notFound;
  const template = data ?? shared.created ?? (notFound ? lastKnown : undefined);
  if (template && slot) return <TemplateEditor template={template} slot={slot} notFound={notFound} {...shared} />;
  if (notFound) return <Message appearance="warning">{messages.notFound}</Message>;
  if (error)
    return (
      <QueryError title={managing.getTemplates} error={error} onRetry={() => void refetch()} retrying={isFetching} />
    );
  return <Loading />;
}
