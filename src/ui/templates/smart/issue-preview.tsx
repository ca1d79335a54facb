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
import { TextInput } from '../../kit/form/form.tsx';
import { Loading } from '../../kit/loading.tsx';
import { failureText } from '../../model/checklist/use-checklist.ts';
import { useStatusRegistry } from '../../model/statuses.ts';
import { itemWords } from '../../model/templates/template-labels.ts';
import { usePreference } from '../../model/use-preference.ts';
import { TrackerLink } from '../../shell/navigation/tracker-link.tsx';
import { useHostContext } from '../../shell/services/services.ts';
import { TemplatePreview } from '../template-preview.tsx';
import { useIssue } from './use-template-views.ts';

const keyShape = v.string();

/** What the tracker does not show is not found; whatever else failed is told in its own words. */
const whyNot = (error: Error): string => (error instanceof TrackerError ? failureText(error) : failureMessage(error));

/** What would come of a template: on its own, or below the checklist of a real issue. Nothing is written there. */
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
    // The same one once more: it may have been out of reach.
    if (key === chosen && issue.isError) void issue.refetch();
  };
  return (
    <>
      <form className="smart-issue" noValidate onSubmit={submit}>
        <TextInput
          label="On issue"
          value={value}
          error={chosen !== '' && typed === undefined && issue.error ? whyNot(issue.error) : undefined}
          hint={value === '' ? 'The key of an issue, for example ABC-1' : undefined}
          onChange={setTyped}
        />
        <button type="submit" className="smart-show">
          Show
        </button>
      </form>
      {chosen === '' || issue.isError ? (
        <Mutex text={text} />
      ) : issue.data ? (
        <Together issue={issue.data} text={text} />
      ) : (
        <Loading size="small" />
      )}
    </>
  );
}

const nothing = <p className="templates-none">There is nothing to see yet.</p>;

const Mutex = ({ text }: { text: string }) => (text.trim() === '' ? nothing : <TemplatePreview text={text} />);

/** The template below what the issue has. */
function Together({
  issue: { summary, text: there },
  text,
}: {
  issue: NonNullable<ReturnType<typeof useIssue>['data']>;
  text: string;
}) {
  const statuses = useStatusRegistry();
  const { joined, before, coming } = useMemo(() => {
    const checklist = readChecklist(there, statuses);
    return {
      joined: applyChanges(there, applyTemplate(checklist, text, { replace: false })),
      before: checklist.rows.length,
      coming: progressOf(readChecklist(text, statuses).rows).total,
    };
  }, [there, text, statuses]);
  const has = progressOf(readChecklist(there, statuses).rows).total;
  const tooMany = coming > 0 && has + coming > edition.limits.itemsPerChecklist;
  return (
    <>
      <p className="smart-summary">
        <TrackerLink path={issuePath(summary.key)}>{summary.key}</TrackerLink> <span dir="auto">{summary.name}</span>
      </p>
      <p className="form-hint">
        {before === 0 ? 'It has no checklist yet.' : `It has ${itemWords(has)} now; ${itemWords(coming)} would come.`}
      </p>
      {tooMany ? (
        <p className="templates-full" role="status">
          {limitReached.items}
        </p>
      ) : null}
      {joined.trim() === '' ? (
        nothing
      ) : (
        <TemplatePreview
          text={joined}
          above={before > 0 ? { index: before, words: 'From this template' } : undefined}
        />
      )}
    </>
  );
}
