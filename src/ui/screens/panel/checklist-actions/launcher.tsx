import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ChecklistStore } from '../../../../client/checklist.ts';
import type { IssueRef } from '../../../../client/reading.ts';
import { edition } from '../../../../domain/edition.ts';
import { limitReached, managing, templates as messages, shell } from '../../../../domain/messages.ts';
import { progressOf } from '../../../../text/progress.ts';
import { readChecklist } from '../../../../text/read.ts';
import { type PickedTemplate, TemplatePicker } from '../../../checklist/template-picker.tsx';
import { EarlyText } from '../../../kit/early-text.tsx';
import { Popover } from '../../../kit/popover.tsx';
import { useSearchField } from '../../../kit/use-debounced.ts';
import type { Actions } from '../../../model/checklist/use-actions.ts';
import { createRecentTemplates } from '../../../model/preferences.ts';
import { itemWords } from '../../../model/templates/templates.ts';
import {
  useMirroredTemplates,
  useOfferedTemplates,
  useStarters,
} from '../../../model/templates/use-offered-templates.ts';
import { useDialogs } from '../../../shell/navigation/dialogs.tsx';
import { Upgrade } from '../../../shell/navigation/links.tsx';
import { Cached } from '../../../shell/services/query-client.tsx';
import { useHostContext, useNotify, useServices, useUser } from '../../../shell/services/services.ts';
import { applyTemplates, type ImportContext, importTemplates } from './commands.ts';
import './panel-tools.css';

const SEARCH_DEBOUNCE_MS = 150;

type Picked = Pick<PickedTemplate, 'id' | 'name'>;

/** Applies a template at the checklist's end and remembers it. Resolves with whether it was applied. */
function useApply(context: ImportContext): (template: Picked) => Promise<boolean> {
  const recent = useServices().once(createRecentTemplates);
  return async ({ id, name }) => {
    const isApplied = await applyTemplates(context, { templateIds: [id], names: [name], mode: 'APPEND' });
    if (isApplied) recent.use(id);
    return isApplied;
  };
}

interface PopupProps {
  context: ImportContext;
  onApply?: (applied: Promise<boolean>, name: string) => void;
  /** `withFocus`: the focus is still inside. */
  onClose(withFocus: boolean): void;
}

/** A popup to apply a template: one click on it, or Enter. */
export function TemplatesPopup(props: PopupProps) {
  return (
    <div className="check-templates-popup">
      <Popover label="Apply template" onClose={props.onClose}>
        <Cached
          without={
            <>
              <p className="check-pick-note">Loading…</p>
              <EarlyText label="Find a template" onEscape={() => props.onClose(true)} />
            </>
          }
        >
          <Offered {...props} />
        </Cached>
      </Popover>
    </div>
  );
}

/** The project's and the site's templates, and the starters. */
function Offered({ context, onApply, onClose }: PopupProps) {
  const { projectId } = useHostContext();
  const [search, setSearch] = useState('');
  const [typed, setTyped] = useSearchField(search, SEARCH_DEBOUNCE_MS, setSearch);
  const { offered, more, loading, failed, retry } = useOfferedTemplates(projectId, search);
  const starters = useStarters(typed);
  // The answer to an earlier search is filtered at once: Enter must not apply a template that does not match.
  const words = typed.trim().toLowerCase();
  const matchingTemplates = offered?.filter(({ name }) => name.toLowerCase().includes(words));
  const apply = useApply(context);
  const existing = progressOf(context.store.get()?.model.rows ?? []).total;
  const refusal = ({ text, items }: PickedTemplate) => {
    const added = text === undefined ? items : progressOf(readChecklist(text).rows).total;
    if (added === 0 || added + existing <= edition.limits.itemsPerChecklist) return undefined;
    return (
      <>
        {limitReached.items} <Upgrade />
      </>
    );
  };
  const isEmpty = matchingTemplates?.length === 0 && starters.length === 0;
  return (
    <TemplatePicker
      groups={[
        {
          label: 'Your templates',
          templates: (matchingTemplates ?? []).map(template => ({
            ...template,
            note: template.first ? 'Default' : undefined,
          })),
        },
        { label: 'Starter templates', templates: starters },
      ]}
      search={typed}
      onSearch={setTyped}
      refusal={refusal}
      onPick={template => {
        onClose(true);
        const applied = apply(template);
        onApply?.(applied, template.name);
      }}
      status={
        <p className="check-pick-note" role="status">
          {failed ? (
            <>
              {managing.getTemplates}{' '}
              <button type="button" className="check-send" onClick={retry}>
                {shell.retry}
              </button>
            </>
          ) : loading ? (
            'Loading…'
          ) : isEmpty ? (
            typed.trim() === '' ? (
              messages.none
            ) : (
              messages.noMatch
            )
          ) : more ? (
            messages.searchForMore
          ) : (
            ''
          )}
        </p>
      }
    >
      <button
        type="button"
        className="check-tool"
        onClick={() => {
          onClose(true);
          void importTemplates(context);
        }}
      >
        More options…
      </button>
    </TemplatePicker>
  );
}

/** Templates are offered besides the default one. */
const MAX_RECENT_TEMPLATES = 3;

/** Buttons for the default template and the templates that the user applied lately, read without our server. */
function Shortcuts({ onPick }: { onPick(template: Picked): void }) {
  const { projectId } = useHostContext();
  const recent = useServices().once(createRecentTemplates);
  const ids = useSyncExternalStore(recent.subscribe, recent.get);
  const { data: mirror } = useMirroredTemplates(projectId);
  const starters = useStarters('');
  const knownTemplates = [...(mirror?.templates ?? []), ...starters];
  const standard = knownTemplates.find(({ id }) => id === mirror?.first);
  const recentTemplates = ids.flatMap(id => knownTemplates.find(each => each.id === id && each !== standard) ?? []);
  return [...(standard ? [standard] : []), ...recentTemplates.slice(0, MAX_RECENT_TEMPLATES)].map(template => (
    <button key={template.id} type="button" className="check-launch" onClick={() => onPick(template)}>
      <span dir="auto">{template.name}</span>{' '}
      <span className="check-launch-note">
        {template === standard ? 'Default, ' : ''}
        {itemWords(template.items)}
      </span>
    </button>
  ));
}

interface Props {
  issue: IssueRef;
  store: ChecklistStore;
  actions: Actions;
  say(words: string): void;
  /** Takes the focus when the first rows replace this. */
  focusElsewhere(): void;
}

/** Below an empty checklist: templates to apply with one click, all templates, and the checklist as text. */
export default function Launcher({ issue, store, actions, say, focusElsewhere }: Props) {
  const dialogs = useDialogs();
  const notify = useNotify();
  const user = useUser();
  const [isOpen, setOpen] = useState(false);
  /** The name of the template that is being applied. */
  const [applying, setApplying] = useState<string | undefined>(undefined);
  const box = useRef<HTMLElement>(null);
  const browse = useRef<HTMLButtonElement>(null);
  const context = { dialogs, issue, store, actions, notify };
  const apply = useApply(context);
  const follow = (applied: Promise<boolean>, name: string) => {
    setApplying(name);
    void applied.then(isApplied => {
      setApplying(undefined);
      if (isApplied) say(`Applied “${name}”.`);
    });
  };
  const latest = useRef(focusElsewhere);
  useEffect(() => {
    latest.current = focusElsewhere;
  });
  useLayoutEffect(() => {
    const { current: here } = box;
    return () => {
      if (here?.contains(document.activeElement)) latest.current();
    };
  }, []);
  const edit = () => dialogs.open('editor', { issueId: issue.issueId, issueKey: issue.issueKey });
  return (
    <section ref={box} className="check-launcher" aria-label="Start the checklist">
      {user.canImportTemplate ? (
        <>
          <Cached without={null}>
            <Shortcuts onPick={template => applying ?? follow(apply(template), template.name)} />
          </Cached>
          <button
            ref={browse}
            type="button"
            className="check-launch"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Browse templates
          </button>
        </>
      ) : null}
      {user.canEditChecklist ? (
        <button type="button" className="check-launch" onClick={() => void edit()}>
          Start from text
        </button>
      ) : null}
      <p className="check-launch-state" role="status">
        {applying === undefined ? '' : `Applying “${applying}”…`}
      </p>
      {isOpen ? (
        <TemplatesPopup
          context={context}
          onApply={follow}
          onClose={withFocus => {
            setOpen(false);
            if (withFocus) browse.current?.focus();
          }}
        />
      ) : null}
    </section>
  );
}
