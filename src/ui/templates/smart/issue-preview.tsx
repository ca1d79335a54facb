import { type FormEvent, useMemo, useState } from 'react';
import * as v from 'valibot';
import { failureMessage, TrackerError } from '../../../client/errors.ts';
import { edition } from '../../../domain/edition.ts';
import { limitReached } from '../../../domain/messages.ts';
import { issuePath } from '../../../domain/pages.ts';
import { applyChanges } from '../../../text/document.ts';
import { applyTemplate } from '../../../text/edits.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import { TemplatePreview } from '../../checklist/templates/template-preview.tsx';
import { Loading } from '../../kit/content-state.tsx';
import { TextInput } from '../../kit/form/form.tsx';
import { failureText } from '../../model/checklist/use-checklist.ts';
import { useStatusRegistry } from '../../model/statuses.ts';
import { itemWords } from '../../model/templates/templates.ts';
import { usePreference } from '../../model/use-preference.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useHostContext } from '../../shell/services/services.ts';
import { useIssue } from './use-template-views.ts';

const keyShape = v.string();

/** The tracker's own error, with 403 and 404 as not found; else the server's error message. */
const errorText = (error: Error): string =>
  error instanceof TrackerError ? failureText(error) : failureMessage(error);

/** A preview of the template, alone or applied to an issue's checklist. Writes nothing. */
export function IssuePreview({ text }: { text: string }) {
  const { issueKey = '' } = useHostContext();
  const [chosen, choose] = usePreference('template preview issue', keyShape, issueKey);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const issue = useIssue(chosen);
  const value = typed ?? chosen;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = value.trim().toUpperCase();
    choose(key);
    setTyped(undefined);
    // Submitting the same key retries a failed load.
    if (key === chosen && issue.isError) void issue.refetch();
  };
  return (
    <>
      <form className="smart-issue" noValidate onSubmit={submit}>
        <TextInput
          label="On issue"
          value={value}
          error={chosen !== '' && typed === undefined && issue.error ? errorText(issue.error) : undefined}
          hint={value === '' ? 'Issue key, for example, ABC-1' : undefined}
          onChange={setTyped}
        />
        <button type="submit" className="smart-show">
          Show
        </button>
      </form>
      {chosen === '' || issue.isError ? (
        <TemplateOnly text={text} />
      ) : issue.data ? (
        <AppliedTemplate issue={issue.data} text={text} />
      ) : (
        <Loading size="small" />
      )}
    </>
  );
}

const nothing = <p className="templates-none">Nothing to preview yet.</p>;

const TemplateOnly = ({ text }: { text: string }) => (text.trim() === '' ? nothing : <TemplatePreview text={text} />);

/** The template appended to the issue's checklist. */
function AppliedTemplate({
  issue: { summary, text: existing },
  text,
}: {
  issue: NonNullable<ReturnType<typeof useIssue>['data']>;
  text: string;
}) {
  const statuses = useStatusRegistry();
  const { combined, before, added } = useMemo(() => {
    const checklist = readChecklist(existing, statuses);
    return {
      combined: applyChanges(existing, applyTemplate(checklist, text, { replace: false })),
      before: checklist.rows.length,
      added: progressOf(readChecklist(text, statuses).rows).total,
    };
  }, [existing, text, statuses]);
  const has = progressOf(readChecklist(existing, statuses).rows).total;
  const tooMany = added > 0 && has + added > edition.limits.itemsPerChecklist;
  return (
    <>
      <p className="smart-summary">
        <TrackerLink path={issuePath(summary.key)}>{summary.key}</TrackerLink> <span dir="auto">{summary.name}</span>
      </p>
      <p className="form-hint">
        {before === 0
          ? 'This issue has no checklist yet.'
          : `It has ${itemWords(has)} now; ${itemWords(added)} would be added.`}
      </p>
      {tooMany ? (
        <p className="templates-full" role="status">
          {limitReached.items}
        </p>
      ) : null}
      {combined.trim() === '' ? (
        nothing
      ) : (
        <TemplatePreview
          text={combined}
          above={before > 0 ? { index: before, words: 'From this template' } : undefined}
        />
      )}
    </>
  );
}
