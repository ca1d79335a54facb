import Button from '@atlaskit/button/new';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { createTemplateFromChecklist, createTemplateFromText } from '../../../client/admin/templates.ts';
import type { IssueRef } from '../../../client/reading.ts';
import { fieldErrors } from '../../../domain/fields.ts';
import { managing, refusals, shell, storage, successes, whole } from '../../../domain/messages.ts';
import { applyChanges } from '../../../text/document.ts';
import { untick } from '../../../text/edits/untick.ts';
import { readChecklist } from '../../../text/read.ts';
import { Loading } from '../../kit/content-state.tsx';
import { Check, FormButtons } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { failureText, useChecklist } from '../../model/checklist/use-checklist.ts';
import { type Scope, templateLimitMessage } from '../../model/templates/templates.ts';
import { useRooms } from '../../model/templates/use-templates.ts';
import { useStatusRegistry } from '../../model/use-statuses.ts';
import { useGo, useUnsaved } from '../../shell/navigation/navigation.ts';
import { BackToChecklist, PageTitle } from '../../shell/plain-pages.tsx';
import { useGraphql, useHostContext, useUser } from '../../shell/services/services.ts';
import { type Draft, failureOf, TemplateFields, useDraft, useTemplateForm } from './template-form.tsx';
import './templates.css';

/** Creates a template from an issue's checklist. */
export default function SaveTemplateScreen() {
  const { issueId, issueKey } = useHostContext();
  const { canSaveTemplate, canViewChecklist } = useUser();
  return (
    <main className="templates">
      <PageTitle title="Save as template">
        <BackToChecklist />
      </PageTitle>
      {issueId === undefined || issueKey === undefined ? (
        <Message appearance="error">{storage.issueNotFound}</Message>
      ) : canSaveTemplate && canViewChecklist ? (
        <LoadedChecklist key={issueId} issueId={issueId} issueKey={issueKey} />
      ) : (
        <Message appearance="warning">{refusals.permission}</Message>
      )}
    </main>
  );
}

function LoadedChecklist(issue: IssueRef) {
  const { view, failure, retry } = useChecklist(issue);
  // Read once: later changes to the checklist do not affect the form.
  const [text, setText] = useState<string | undefined>(undefined);
  if (text === undefined && view) setText(view.text);
  if (text === undefined) {
    if (failure === undefined) return <Loading />;
    return (
      <Message appearance="error" actions={[{ label: shell.retry, run: retry }]}>
        {failureText(failure)}
      </Message>
    );
  }
  return <DraftForm issueId={issue.issueId} text={text} />;
}

/** The form, with a restored draft. */
function DraftForm({ issueId, text }: { issueId: string; text: string }) {
  const { draft, isKept, keep } = useDraft(`save-template ${issueId}`);
  /** The form's initial draft, and the number of restarts. */
  const [opened, setOpened] = useState<{ restored: Draft | null; restarts: number } | undefined>(undefined);
  if (!opened && draft !== undefined) setOpened({ restored: draft, restarts: 0 });
  if (!opened) return <Loading />;
  const restart = () => {
    keep(null);
    setOpened({ restored: null, restarts: opened.restarts + 1 });
  };
  return (
    <>
      {opened.restored ? (
        <p className="templates-full" role="status">
          {whole.restored}{' '}
          <button type="button" className="templates-link" onClick={restart}>
            Discard changes
          </button>
        </p>
      ) : null}
      <Form key={opened.restarts} {...{ issueId, text, isKept }} restored={opened.restored} onTyped={keep} />
    </>
  );
}

interface FormProps {
  issueId: string;
  /** The checklist's text. */
  text: string;
  restored: Draft | null;
  /** Whether the browser could store the draft. */
  isKept: boolean;
  onTyped(draft: Draft | null): void;
}

function Form({ issueId, text, restored, isKept, onTyped }: FormProps) {
  const graphql = useGraphql();
  const client = useQueryClient();
  const go = useGo();
  const { projectId } = useHostContext();
  const { canManageTemplates, isAdmin } = useUser();
  const rooms = useRooms(projectId);
  const statuses = useStatusRegistry();
  const field = useRef<HTMLInputElement>(null);
  const form = useTemplateForm(
    () => ({
      name: restored?.name ?? '',
      // Without permission to manage templates, the text is the current checklist.
      text: canManageTemplates ? (restored?.text ?? text) : text,
      scope: projectId === undefined ? 'global' : isAdmin ? (restored?.scope ?? 'project') : 'project',
    }),
    onTyped,
  );
  const { name, text: typed, scope } = form;
  const [fresh, setFresh] = useState(true);
  const [saved, setSaved] = useState(false);
  const scopes: Scope[] = [
    ...(projectId === undefined ? [] : ['project' as const]),
    ...(isAdmin ? ['global' as const] : []),
  ];
  const full = templateLimitMessage(scope, scopes, rooms);
  const empty = readChecklist(typed).rows.length === 0;
  useUnsaved(!saved && (name.value !== '' || typed !== text), () => onTyped(null));

  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const target = { projectId: scope === 'project' ? (projectId ?? null) : null, name: name.value };
      // Without permission to manage templates, the server copies the stored checklist.
      if (!canManageTemplates) {
        const input = { ...target, issueId, keepStatuses: !fresh };
        return graphql.mutate(createTemplateFromChecklist, { input }, data => data.createTemplateFromChecklist);
      }
      const content = fresh ? applyChanges(typed, untick(readChecklist(typed, statuses))) : typed;
      const input = { ...target, text: content };
      return graphql.mutate(createTemplateFromText, { input }, data => data.createTemplateFromText);
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['templates'] });
      onTyped(null);
      setSaved(true);
    },
    onError: error => {
      name.refused(error);
      field.current?.focus();
    },
    meta: { success: successes.createTemplate, failure: managing.createTemplate },
  });
  const save = () => {
    if (!name.check()) return field.current?.focus();
    if (!empty && full === undefined && !isPending) mutate();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  if (saved) return <Saved name={name.value.trim()} onBack={() => go('/checklist')} />;
  return (
    <form className="form" onSubmit={submit} noValidate>
      <TemplateFields
        ref={field}
        form={form}
        scopes={scopes}
        full={full}
        closed={full !== undefined && scopes.every(each => templateLimitMessage(each, scopes, rooms) !== undefined)}
        editable={canManageTemplates}
        textError={empty ? fieldErrors.CHECKLIST_REQUIRED : undefined}
        isKept={isKept}
        hint={canManageTemplates ? undefined : 'Project administrators can change the text of a template.'}
        onSave={save}
      />
      <Check checked={fresh} onChange={setFresh} hint="When off, items keep their current status.">
        Set all items to To Do
      </Check>
      <FormButtons
        save="Save template"
        busy={isPending}
        failure={failureOf(error, managing.createTemplate)}
        disabled={empty || full !== undefined}
        onCancel={() => go('/checklist')}
      />
    </form>
  );
}

/** Shown after saving. */
function Saved({ name, onBack }: { name: string; onBack(): void }) {
  return (
    <>
      <p className="templates-done" role="status">
        {successes.createTemplate} “<span dir="auto">{name}</span>” is now available for other checklists.
      </p>
      <div className="form-buttons">
        <Button appearance="primary" autoFocus onClick={onBack}>
          Done
        </Button>
      </div>
    </>
  );
}
