import Button from '@atlaskit/button/new';
import { useId, useState } from 'react';
import type { TemplateVersion } from '../../../../client/admin/template-views.ts';
import type { ListedTemplate } from '../../../../client/admin/templates.ts';
import { failureMessage } from '../../../../client/errors.ts';
import { managing, templates as messages, whole } from '../../../../domain/messages.ts';
import { Person } from '../../../checklist/inline/inline.tsx';
import { Loading } from '../../../kit/content-state.tsx';
import { Failure } from '../../../kit/form/form.tsx';
import { QueryError } from '../../../kit/query-result.tsx';
import { clockTime, dayName } from '../../../model/days.ts';
import { itemWords } from '../../../model/templates/templates.ts';
import { TextDifference } from '../../../text-editor/text-editor.tsx';
import { useFetchVersion, useVersion, useVersions } from './use-template-views.ts';

interface Props {
  template: ListedTemplate;
  projectId: string | undefined;
  /** Puts a version's text into the editor; missing without write permission. */
  onRestore: ((text: string, from: string) => void) | undefined;
}

/** The time of a version, unique enough to name it. */
const when = (created: string) => {
  const time = new Date(created);
  return `${dayName(time, new Date())}, ${clockTime(time)}`;
};

/** The versions of a template: author, time, difference, and restoring. */
export default function Versions({ template, projectId, onRestore }: Props) {
  const list = useVersions(template.id, projectId);
  const versions = list.data?.pages.flatMap(page => page.versions);
  if (!versions) {
    if (!list.isError) return <Loading size="small" />;
    return (
      <QueryError
        title={managing.getTemplates}
        error={list.error}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  return (
    <>
      <ul className="smart-versions">
        {versions.map((version, index) => (
          <Version
            key={version.version}
            template={template}
            projectId={projectId}
            version={version}
            before={versions[index + 1]}
            current={index === 0}
            onRestore={index === 0 ? undefined : onRestore}
          />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button isLoading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show older
        </Button>
      ) : null}
      <Failure of={list.isFetchNextPageError && list.error} words={managing.getTemplates} />
    </>
  );
}

interface VersionProps extends Props {
  version: TemplateVersion;
  /** The version before, if it is loaded. */
  before: TemplateVersion | undefined;
  current: boolean;
}

function Version({ template, projectId, version, before, current, onRestore }: VersionProps) {
  const [open, setOpen] = useState(false);
  const words = useId();
  const [fetching, setFetching] = useState(false);
  const fetchVersion = useFetchVersion(template.id, projectId);
  const [failure, setFailure] = useState<unknown>(undefined);
  const restore = async (put: NonNullable<Props['onRestore']>) => {
    setFetching(true);
    setFailure(undefined);
    try {
      const { text } = await fetchVersion(version.version);
      put(text, when(version.created));
    } catch (error) {
      setFailure(error);
    } finally {
      setFetching(false);
    }
  };
  const renamed = before?.version === version.version - 1 && before.name !== version.name;
  return (
    <li>
      <p id={words} className="smart-when">
        <time dateTime={version.created}>{when(version.created)}</time>
        {current ? <span className="templates-mark">Current</span> : null}
      </p>
      <p className="smart-who">
        {version.account === '' ? 'Updated automatically' : <Person accountId={version.account} />}
        <span>· {itemWords(version.itemCount)}</span>
      </p>
      {renamed ? (
        <p className="smart-who">
          Renamed from “<span dir="auto">{before.name}</span>” to “<span dir="auto">{version.name}</span>”
        </p>
      ) : null}
      <div className="smart-version-actions">
        <button
          type="button"
          className="templates-link"
          aria-expanded={open}
          aria-describedby={words}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide difference' : 'Difference'}
        </button>
        {onRestore ? (
          <button
            type="button"
            className="templates-link"
            aria-describedby={words}
            disabled={fetching}
            onClick={() => void restore(onRestore)}
          >
            Restore
          </button>
        ) : null}
      </div>
      <Failure of={failure} />
      {open ? <Difference id={template.id} projectId={projectId} version={version.version} /> : null}
    </li>
  );
}

/** Ends a text with a line break, so that an appended line does not change the last one. */
const withLineBreak = (text: string) => text.replace(/\n*$/, '\n');

interface DifferenceProps {
  id: string;
  projectId: string | undefined;
  version: number;
}

/** Why the version before cannot be shown, by the server's message. */
const missing: Readonly<Record<string, string>> = {
  [messages.versionNotFound]: whole.previousNotKept,
  [messages.versionHidden]: "You don't have permission to see the previous version. It belonged to a project.",
};

/** The difference of a version from the version before; of the first version from an empty text. */
function Difference({ id, projectId, version }: DifferenceProps) {
  const before = useVersion(id, projectId, version - 1);
  const after = useVersion(id, projectId, version);
  if (after.error) return <p className="templates-none">{failureMessage(after.error)}</p>;
  if (before.error)
    return <p className="templates-none">{missing[before.error.message] ?? failureMessage(before.error)}</p>;
  if (!before.data || !after.data) return <Loading size="small" />;
  if (before.data.text === after.data.text) return <p className="templates-none">The text is unchanged.</p>;
  return <TextDifference before={withLineBreak(before.data.text)} after={withLineBreak(after.data.text)} />;
}
