import Skeleton from '@atlaskit/skeleton';
import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { IssueRef } from '../../../client/reading.ts';
import { refusals, storage } from '../../../domain/messages.ts';
import { isDefaultName } from '../../../domain/storage.ts';
import { ChecklistContent, LoadFailure, useChecklistView } from '../../checklist/checklist-view.tsx';
import type { ListControls } from '../../checklist/list/list-commands.ts';
import type { Offers } from '../../commands/command.ts';
import { lazyComponent, lazyPart } from '../../kit/lazy-component.tsx';
import { Message } from '../../kit/message.tsx';
import { useHostContext, useUser } from '../../shell/services/services.ts';
import '../../checklist/checklist.css';

const widths = ['72%', '56%', '64%'];

/** Placeholder of a short checklist's height while it loads. */
export const PanelSkeleton = () => (
  <div className="check-panel check-skeleton" role="status" aria-label="Loading checklist">
    <Skeleton width="100%" height={6} borderRadius="var(--ds-radius-small)" isShimmering />
    {widths.map(width => (
      <Skeleton key={width} width={width} height={20} borderRadius="var(--ds-radius-small)" isShimmering />
    ))}
  </div>
);

const Portal = lazyComponent(() => import('./portal.tsx'));
const Bar = lazyPart(() => import('./bar.tsx'), <div className="check-bar-room" />);
const Foot = lazyPart(() => import('./foot.tsx'));
const Launcher = lazyPart(() => import('./checklist-actions/launcher.tsx'));
const Tools = lazyPart(() => import('./checklist-actions/panel-tools.tsx'));

/** An issue's checklist: first read-only from the tracker's copy, then with the commands that permissions grant. */
export default function ChecklistPanel() {
  const { issueId, issueKey, surface } = useHostContext();
  const { canViewChecklist } = useUser();
  if (issueId === undefined || issueKey === undefined)
    return <Message appearance="error">{storage.issueNotFound}</Message>;
  const panel = canViewChecklist ? (
    <Panel key={issueId} issueId={issueId} issueKey={issueKey} />
  ) : (
    <Message appearance="warning">{refusals.permission}</Message>
  );
  return surface === 'portal' ? <Portal issueId={issueId}>{panel}</Portal> : panel;
}

function Panel(issue: IssueRef) {
  const user = useUser();
  const used = useChecklistView(issue);
  const { store, view, failure, retry, actions, keys, rowFilter, selection, setSelection } = used;
  const opener = useRef<HTMLButtonElement>(null);
  const [announcement, announce] = useState('');
  const focusOpener = useCallback(() => opener.current?.focus(), []);
  const [selecting, setSelecting] = useState(false);
  const [help, setHelp] = useState(false);
  const toggleHelp = useCallback(() => setHelp(open => !open), []);
  const offers = useRef<Offers>({});
  const controls = useRef<ListControls>({ help: toggleHelp });
  const madeChanges = useSyncExternalStore(actions.made.subscribe, actions.made.get);

  if (!view) return failure === undefined ? <PanelSkeleton /> : <LoadFailure failure={failure} retry={retry} />;
  const { model } = view;
  /** The props that bar and foot share. */
  const shown = { store, checklist: model, keys, view: rowFilter, user, actions, offers };
  const isUsed = model.rows.length > 0 || madeChanges.length > 0;
  return (
    <main className="check-panel">
      <h1 className={isDefaultName(view.name) ? 'check-hidden' : 'check-name'} dir="auto">
        {view.name}
      </h1>
      <ChecklistContent
        used={used}
        view={view}
        tools={
          <Tools
            issue={issue}
            view={view}
            store={store}
            actions={actions}
            list={used.list}
            offers={offers}
            openerRef={opener}
            onHelp={toggleHelp}
          />
        }
        selecting={selecting}
        say={announce}
        controls={controls}
        focusElsewhere={focusOpener}
        start={
          <Launcher
            issue={issue}
            store={store}
            actions={actions}
            say={announce}
            focusElsewhere={() => (used.input.current ?? focusOpener)()}
          />
        }
      >
        {isUsed ? (
          <Bar
            {...shown}
            issueId={issue.issueId}
            controls={controls}
            selection={selection}
            onSelect={setSelection}
            selecting={selecting}
            onSelecting={setSelecting}
            help={help}
            onHelp={setHelp}
          />
        ) : null}
      </ChecklistContent>
      {isUsed ? <Foot {...shown} say={announce} /> : null}
      <p className="check-hidden" role="status">
        {announcement}
      </p>
    </main>
  );
}
