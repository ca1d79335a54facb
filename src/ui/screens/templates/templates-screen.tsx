import Button from '@atlaskit/button/new';
import Heading from '@atlaskit/heading';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import * as v from 'valibot';
import type { IssueRef } from '../../../client/reading.ts';
import { edition } from '../../../domain/edition.ts';
import { limitReached, managing, templates as messages, refusals } from '../../../domain/messages.ts';
import { pages } from '../../../domain/pages.ts';
import { readAs } from '../../../domain/shape.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import { TemplatePreview } from '../../checklist/row/static-row.tsx';
import { Loading } from '../../kit/content-state.tsx';
import { useFirstKey } from '../../kit/first-key.ts';
import { FormButtons, Select, TextInput } from '../../kit/form/form.tsx';
import { Message } from '../../kit/message.tsx';
import { QueryError } from '../../kit/query-result.tsx';
import { useChecklist } from '../../model/checklist/use-checklist.ts';
import { itemWords, type TemplateChoice } from '../../model/templates/templates.ts';
import { type Offered, useOfferedTemplates, useStarters } from '../../model/templates/use-offered-templates.ts';
import { Upgrade } from '../../shell/navigation/links.tsx';
import { useGo, useLeave, usePath } from '../../shell/navigation/navigation.ts';
import { Back } from '../../shell/plain-pages.tsx';
import { useBridge, useHostContext, useUser } from '../../shell/services/services.ts';
import { TemplateManager } from './manager/template-manager.tsx';
import '../../kit/sortable/sortable.css';
import './templates.css';

/** The purpose of the dialog. */
const purposeShape = v.object({ purpose: v.picklist(['import', 'manage']) });

/**
 * The template manager, as a dialog or page, or with the form for a new template open; for an issue, the template
 * selection.
 */
export default function TemplatesScreen() {
  const create = usePath().startsWith('/templates/new');
  const bridge = useBridge();
  const go = useGo();
  const leave = useLeave();
  const { surface, projectId, issueId, issueKey, dialogData } = useHostContext();
  const { canImportTemplate, canManageTemplates, isAdmin } = useUser();
  const choosing =
    !create &&
    surface === 'dialog' &&
    readAs(purposeShape, dialogData)?.purpose === 'import' &&
    issueId !== undefined &&
    issueKey !== undefined
      ? { issueId, issueKey }
      : undefined;
  const may = projectId === undefined ? isAdmin : canImportTemplate;
  return (
    <main className="templates">
      <header className="page-title">
        <Heading as="h1" size="small">
          {choosing ? 'Apply template' : projectId === undefined ? 'Site templates' : 'Templates'}
        </Heading>
        <div className="form-buttons">
          {may && !choosing ? (
            <Button appearance="subtle" onClick={() => go(pages.templatesEditor.path)}>
              Smart templates editor
            </Button>
          ) : null}
          {canManageTemplates && !choosing ? (
            <Button appearance="subtle" onClick={() => go('/templates/assignments')}>
              Rules
            </Button>
          ) : null}
          {surface === 'admin' ? <Back to="/admin">Site settings</Back> : null}
          {surface === 'project-admin' ? <Back to={pages.project.path}>Project settings</Back> : null}
          {surface === 'dialog' ? (
            <Button appearance="subtle" onClick={() => leave(() => bridge.closeDialog())}>
              Close
            </Button>
          ) : null}
        </div>
      </header>
      {!may ? (
        <Message appearance="warning">{refusals.permission}</Message>
      ) : choosing ? (
        <ImportTemplates {...choosing} />
      ) : (
        <TemplateManager create={create} />
      )}
    </main>
  );
}

/** The maximum number of templates per import; the server's limit. */
const MAX_TEMPLATES = 20;

/** The target of the rows, as a `<select>` value: the end, the whole checklist, or a header's index. */
type Where = 'append' | 'replace' | `section ${number}`;

/** Joins texts, each starting on its own line. */
const joinTexts = (texts: readonly string[]): string => texts.map(text => text.replace(/\n*$/, '\n')).join('');

/** Selects templates for an issue, with a preview and the target position. */
function ImportTemplates(issue: IssueRef) {
  const bridge = useBridge();
  const go = useGo();
  const { projectId } = useHostContext();
  const { canManageTemplates, canDeleteChecklistItems } = useUser();
  const { view } = useChecklist(issue);
  const [search, setSearch] = useState('');
  const { offered, more, loading, failed, error, retry, retrying } = useOfferedTemplates(projectId, search);
  const starters = useStarters(search);
  const field = useRef<HTMLInputElement>(null);
  useFirstKey(character => {
    field.current?.focus();
    setSearch(search + character);
  });
  const [chosen, setChosen] = useState<readonly Offered[]>([]);
  const [where, setWhere] = useState<Where>('append');

  const model = view?.model;
  const headers = useMemo(
    () =>
      (model?.rows ?? []).flatMap((row, index) =>
        row.kind === 'header' ? [{ index, text: row.text, words: row.words }] : [],
      ),
    [model],
  );
  const section = headers.find(({ index }) => where === `section ${index}`);
  const target: Where = section || where === 'replace' ? where : 'append';
  const texts = chosen.flatMap(({ text }) => text ?? []);
  const hasAllTexts = texts.length === chosen.length;
  const text = joinTexts(texts);
  const added = progressOf(readChecklist(text).rows).total;
  const existing = target === 'replace' ? 0 : progressOf(model?.rows ?? []).total;
  const tooMany = hasAllTexts && added > 0 && added + existing > edition.limits.itemsPerChecklist;
  const toggle = (template: Offered) =>
    setChosen(
      chosen.some(({ id }) => id === template.id)
        ? chosen.filter(({ id }) => id !== template.id)
        : [...chosen, template],
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length === 0 || tooMany) return;
    const choice = {
      templateIds: chosen.map(({ id }) => id),
      names: chosen.map(({ name }) => name),
      mode: target === 'replace' ? 'REPLACE' : 'APPEND',
    } as const satisfies TemplateChoice;
    bridge.closeDialog(section ? { ...choice, section: { index: section.index, text: section.text } } : choice);
  };
  const list = (label: string) => ({ className: 'sortable templates-offered', 'aria-label': label });
  const entry = (template: Offered) => {
    const at = chosen.findIndex(({ id }) => id === template.id);
    return (
      <li key={template.id} className="sortable-item templates-entry">
        <label className="templates-pick">
          <input
            type="checkbox"
            checked={at >= 0}
            disabled={at < 0 && chosen.length >= MAX_TEMPLATES}
            onChange={() => toggle(template)}
          />
          <span className="templates-name" dir="auto">
            {template.name}
          </span>
        </label>
        <span className="templates-about">
          {template.first ? <span className="templates-mark">Default</span> : null}
          {template.global && offered?.includes(template) ? <span>Whole site</span> : null}
          <span>{itemWords(template.items)}</span>
        </span>
      </li>
    );
  };
  return (
    <form className="templates-import" onSubmit={submit}>
      <div className="templates-box">
        <TextInput ref={field} label="Search" value={search} autoFocus onChange={setSearch} />
        {failed ? <QueryError title={managing.getTemplates} error={error} onRetry={retry} retrying={retrying} /> : null}
        {loading ? (
          <Loading />
        ) : offered === undefined ? null : (
          <>
            {offered.length > 0 ? null : search.trim() === '' ? (
              <p className="templates-none">
                {messages.none}{' '}
                {canManageTemplates ? (
                  <button type="button" className="templates-link" onClick={() => go('/templates/new')}>
                    Create a template
                  </button>
                ) : null}
              </p>
            ) : starters.length === 0 ? (
              <p className="templates-none">{messages.noMatch}</p>
            ) : null}
            {offered.length > 0 ? <ul {...list('Templates')}>{offered.map(entry)}</ul> : null}
            {starters.length > 0 ? (
              <>
                <h2 className="templates-group">Starter templates</h2>
                <ul {...list('Starter templates')}>{starters.map(entry)}</ul>
              </>
            ) : null}
          </>
        )}
        {more ? <p className="templates-none">{messages.searchForMore}</p> : null}
      </div>
      <div className="templates-box">
        <Select<Where>
          label="Position"
          value={target}
          options={[
            { value: 'append', words: 'At the end' },
            ...headers.map(({ index, words }) => ({
              value: `section ${index}` as const,
              words: `Under “${words.slice(0, 60)}”`,
            })),
            ...(canDeleteChecklistItems && (model?.rows.length ?? 0) > 0
              ? [{ value: 'replace' as const, words: 'Replace the checklist' }]
              : []),
          ]}
          hint={
            target === 'replace'
              ? `This deletes ${itemWords(progressOf(model?.rows ?? []).total)} of this checklist.`
              : undefined
          }
          onChange={setWhere}
        />
        <section className="templates-import-preview" aria-label="Preview">
          {chosen.length === 0 ? (
            <p className="templates-none">Choose a template to preview it.</p>
          ) : hasAllTexts ? (
            <TemplatePreview text={text} />
          ) : (
            <Loading size="small" />
          )}
        </section>
        {tooMany ? (
          <p className="templates-full" role="alert">
            {limitReached.items} <Upgrade />
          </p>
        ) : null}
        <FormButtons
          save={chosen.length > 1 ? `Apply ${chosen.length} templates` : 'Apply template'}
          disabled={chosen.length === 0 || tooMany}
          onCancel={() => bridge.closeDialog()}
        />
      </div>
    </form>
  );
}
