import Button, { IconButton } from '@atlaskit/button/new';
import AddIcon from '@atlaskit/icon/core/add';
import DeleteIcon from '@atlaskit/icon/core/delete';
import EditIcon from '@atlaskit/icon/core/edit';
import { useEffect, useRef, useState } from 'react';
import type { ManagedStatus } from '../../client/admin/statuses.ts';
import { managing } from '../../domain/messages.ts';
import { ErrorView } from '../parts/error-view.tsx';
import { Loading } from '../parts/loading.tsx';
import { SortableList } from '../parts/sortable.tsx';
import { StatusForm } from './form.tsx';
import { Lozenge } from './lozenge.tsx';
import { RemoveStatus } from './remove.tsx';
import { useStatuses, useStatusJob } from './use-statuses.ts';
import '../parts/sortable.css';
import './statuses.css';

/** What is open in the section: one form at a time. */
type Open = { kind: 'create' } | { kind: 'edit' | 'delete'; slug: string } | undefined;

/** The statuses of a project, below those of the site, or the site's own; and what becomes of them. */
export function StatusesSection({ projectId }: { projectId: string | undefined }) {
  const { statuses, own, create, update, remove, move, refetch, isFetching } = useStatuses(projectId);
  const job = useStatusJob(projectId);
  const [open, setOpen] = useState<Open>(undefined);
  const section = useRef<HTMLElement>(null);
  /** What has the focus when the form that is open closes. */
  const opener = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (open || opener.current === undefined) return;
    const button = section.current?.querySelector<HTMLElement>(`[data-opens="${CSS.escape(opener.current)}"]`);
    opener.current = undefined;
    (button ?? section.current)?.focus();
  }, [open]);
  const show = (next: NonNullable<Open>) => {
    opener.current = next.kind === 'create' ? 'create' : `${next.kind} ${next.slug}`;
    setOpen(next);
  };
  const close = () => setOpen(undefined);

  if (!statuses)
    return isFetching ? (
      <Loading />
    ) : (
      <ErrorView title={managing.getStatuses} onRetry={() => void refetch()} retrying={isFetching} />
    );
  const mine = statuses.filter(own);
  const inherited = statuses.filter(status => !own(status));
  const entry = (status: ManagedStatus) => {
    if (open && open.kind !== 'create' && open.slug === status.slug)
      return open.kind === 'edit' ? (
        <StatusForm
          status={status}
          busy={update.isPending}
          onSave={values => update.mutateAsync({ status, values }).then(close)}
          onClose={close}
        />
      ) : (
        <RemoveStatus
          status={status}
          others={statuses.filter(({ slug, going }) => slug !== status.slug && !going)}
          busy={remove.isPending}
          onDelete={moveTo => remove.mutate({ slug: status.slug, moveTo }, { onSuccess: close })}
          onClose={close}
        />
      );
    return (
      <>
        <Words status={status} />
        {own(status) && !status.going ? (
          <span className="statuses-tools">
            <IconButton
              icon={EditIcon}
              label={`Edit ${status.name}`}
              appearance="subtle"
              data-opens={`edit ${status.slug}`}
              onClick={() => show({ kind: 'edit', slug: status.slug })}
            />
            {status.builtIn ? null : (
              <IconButton
                icon={DeleteIcon}
                label={`Delete ${status.name}`}
                appearance="subtle"
                data-opens={`delete ${status.slug}`}
                onClick={() => show({ kind: 'delete', slug: status.slug })}
              />
            )}
          </span>
        ) : null}
      </>
    );
  };
  return (
    <section ref={section} className="statuses" aria-labelledby="statuses-title" tabIndex={-1}>
      <div className="statuses-head">
        <h2 id="statuses-title">Statuses</h2>
        <Button iconBefore={AddIcon} data-opens="create" onClick={() => show({ kind: 'create' })}>
          New status
        </Button>
      </div>
      {open?.kind === 'create' ? (
        <StatusForm busy={create.isPending} onSave={values => create.mutateAsync(values).then(close)} onClose={close} />
      ) : null}
      {job ? (
        <p className="statuses-job" role="status">
          Checklists that name the status are being brought up to date
          {job.seen === 0 ? '' : `: ${progress(job)}`}.
        </p>
      ) : null}
      {inherited.length > 0 ? (
        <>
          <h3>Of the whole site</h3>
          <ul className="sortable" aria-label="Statuses of the whole site">
            {inherited.map(status => (
              <li key={status.slug} className="sortable-item">
                <Words status={status} />
              </li>
            ))}
          </ul>
          <h3>Of this project</h3>
        </>
      ) : null}
      {mine.length === 0 ? <p className="statuses-none">This project has no statuses of its own yet.</p> : null}
      <SortableList
        label={projectId === undefined ? 'Statuses' : 'Statuses of this project'}
        items={mine.map(status => ({ key: status.slug, name: status.name, status }))}
        onMove={open ? undefined : move}
      >
        {({ status }) => entry(status)}
      </SortableList>
    </section>
  );
}

const progress = ({ seen, total }: { seen: number; total: number | null }): string =>
  total === null || total < seen
    ? `${seen.toLocaleString('en')} issues seen`
    : `${seen.toLocaleString('en')} of about ${total.toLocaleString('en')} issues seen`;

const Words = ({ status }: { status: ManagedStatus }) => (
  <>
    <Lozenge name={status.name} color={status.color} />
    <span className="statuses-about">
      {[
        ...(status.checked ? ['completes an item'] : []),
        ...(status.builtIn ? ['built in'] : []),
        ...(status.going ? ['being deleted'] : []),
      ].join(' · ')}
    </span>
  </>
);
