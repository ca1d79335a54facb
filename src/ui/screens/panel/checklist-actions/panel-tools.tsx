import FullscreenIcon from '@atlaskit/icon/core/fullscreen-enter';
import TemplateIcon from '@atlaskit/icon/core/library';
import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { type ComponentType, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { getNotifications, muteNotifications } from '../../../../client/admin/notifications.ts';
import type { ChecklistStore, ChecklistView } from '../../../../client/checklist.ts';
import { failureMessage } from '../../../../client/errors.ts';
import type { IssueRef } from '../../../../client/reading.ts';
import { failures, notifications, whole } from '../../../../domain/messages.ts';
import type { User } from '../../../../domain/user.ts';
import { progressOf } from '../../../../text/progress.ts';
import { listCommands } from '../../../checklist/list/list-commands.ts';
import type { ListContext } from '../../../checklist/list/list-moves.ts';
import { type Command, hasKey, type Offers, offeredCommands, useOffers } from '../../../commands/command.ts';
import { Button } from '../../../kit/button.tsx';
import { requiredComponent } from '../../../kit/content-state.tsx';
import { withEarlyText } from '../../../kit/early-text.tsx';
import { withFallback } from '../../../kit/lazy-component.tsx';
import { InlineDialog } from '../../../kit/popover.tsx';
import { isTyping } from '../../../kit/typing.ts';
import type { Actions } from '../../../model/checklist/use-actions.ts';
import { useKnownNames } from '../../../model/people.tsx';
import { useDialogs } from '../../../shell/navigation/dialogs.tsx';
import { useGo } from '../../../shell/navigation/navigation.ts';
import {
  useBridge,
  useGraphql,
  useHostContext,
  useNotify,
  useTrack,
  useTracked,
  useUser,
} from '../../../shell/services/services.ts';
import { type CommandContext, clear, importInto } from './commands.ts';
import './panel-tools.css';

/** Uses the light theme while printing. */
export function useLightPrint(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let mode: string | undefined;
    const before = () => {
      mode = dataset.colorMode;
      if (mode !== undefined) dataset.colorMode = 'light';
    };
    const after = () => {
      if (mode !== undefined) dataset.colorMode = mode;
    };
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
}

/** Whether the user muted the issue: loaded when it is first `wanted`, so that a panel that is only viewed asks nothing. */
function useMute(
  issueId: string,
  wanted: boolean,
  onFailure: CommandContext['onFailure'],
): { muted: boolean; toggle(): void } {
  const graphql = useGraphql();
  const notify = useNotify();
  const { isAnonymous } = useUser();
  const [muted, setMuted] = useState<boolean | undefined>(undefined);
  const isMissing = wanted && muted === undefined && !isAnonymous;
  useEffect(() => {
    if (!isMissing) return;
    const ended = new AbortController();
    graphql.query(getNotifications, { issueId }, ended.signal).then(
      ({ notificationSettings }) => setMuted(notificationSettings.muted),
      // The menu then offers to mute; doing so twice does no harm.
      () => undefined,
    );
    return () => ended.abort();
  }, [isMissing, graphql, issueId]);

  const toggle = async () => {
    const next = muted !== true;
    onFailure(undefined);
    try {
      await graphql.mutate(muteNotifications, { issueId, muted: next }, data => data.muteNotifications);
      setMuted(next);
      notify(next ? notifications.muted : notifications.unmuted);
    } catch (error) {
      onFailure(failureMessage(error, failures.unknown));
    }
  };
  return { muted: muted === true, toggle: () => void toggle() };
}

/** Opens the palette by its keys from wherever no text is typed, as in the editor. */
function usePaletteKeys(open: (from: HTMLElement) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { activeElement } = document;
    if (!hasKey(listCommands.palette, event) || event.defaultPrevented || isTyping(event.target)) return;
    if (!(activeElement instanceof HTMLElement)) return;
    event.preventDefault();
    open(activeElement);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** The commands that have a button of their own beside the checklist's menu. */
export const toolCommands: readonly Command<{ user: User; edit(): void }>[] = [
  {
    id: 'edit',
    title: 'Open editor',
    icon: FullscreenIcon,
    appliesTo: 'checklist',
    isOffered: ({ user }) => user.canEditChecklist,
    run: ({ edit }) => edit(),
  },
];

interface ConfirmProps {
  text: string;
  /** The answers besides Cancel, the likely one first. */
  answers: Record<string, () => void>;
  onClose(): void;
}

/** Asks before a command that cannot be seen as a whole. */
const Confirm = ({ text, answers, onClose }: ConfirmProps) => (
  <InlineDialog className="check-confirm" text={text} onClose={onClose}>
    {Object.entries(answers).map(([label, run], index) => (
      <Button key={label} appearance={index === 0 ? 'primary' : 'default'} onClick={run}>
        {label}
      </Button>
    ))}
    <Button appearance="subtle" onClick={onClose}>
      Cancel
    </Button>
  </InlineDialog>
);

const nothing = () => undefined;

const loadMenu = async () => ({ default: (await import('./checklist-layers.tsx')).ChecklistMenu });
const Menu = withFallback(requiredComponent('menu', loadMenu));
const prepareMenu = () => void loadMenu().catch(nothing);
const Rename = withEarlyText(
  requiredComponent('name', async () => ({ default: (await import('./checklist-layers.tsx')).RenameChecklist })),
  () => 'Checklist name',
);
const Palette = withEarlyText(
  requiredComponent('commands', async () => ({ default: (await import('./checklist-layers.tsx')).PanelPalette })),
  () => 'Commands',
);

const loadTemplates = async () => ({ default: (await import('./launcher.tsx')).TemplatesPopup });
const Templates = withEarlyText(requiredComponent('templates', loadTemplates), () => 'Find a template');
const prepareTemplates = () => void loadTemplates().catch(nothing);

interface ToolButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  icon: ComponentType<{ label: string }>;
  label: string;
  /** The popup of a button that opens one; `prepare` loads the popup's code. */
  opens?: { popup: 'menu' | 'dialog'; isOpen: boolean; prepare(): void };
  onClick(): void;
}

/** A button beside the checklist's progress. */
const ToolButton = ({ ref, icon: Icon, label, opens, onClick }: ToolButtonProps) => (
  <button
    ref={ref}
    type="button"
    className="check-more-whole"
    aria-haspopup={opens?.popup}
    aria-expanded={opens?.isOpen}
    aria-label={label}
    title={label}
    onPointerEnter={opens?.prepare}
    onFocus={opens?.prepare}
    onClick={onClick}
  >
    <Icon label="" />
    {opens?.popup === 'menu' ? null : <span className="check-more-label">{label}</span>}
  </button>
);

interface Props {
  issue: IssueRef;
  view: ChecklistView;
  store: ChecklistStore;
  actions: Actions;
  list: RefObject<ListContext | undefined>;
  offers: RefObject<Offers>;
  /** Takes the focus if no other element can. */
  openerRef: RefObject<HTMLButtonElement | null>;
  onHelp(): void;
}

/** The buttons for the full-screen editor and for the checklist's menu. */
export default function PanelTools({ issue, view, store, actions, list, offers, openerRef, onHelp }: Props) {
  const user = useUser();
  const bridge = useBridge();
  const dialogs = useDialogs();
  const notify = useNotify();
  const { surface, projectKey } = useHostContext();
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState<'clear' | 'import' | 'rename' | undefined>(undefined);
  const more = useRef<HTMLButtonElement>(null);
  useLightPrint();
  // Tracked here, in a lazy chunk that loads once the checklist is shown.
  useTracked('Checklist queried');
  const [applying, setApplying] = useState(false);
  const apply = useRef<HTMLButtonElement>(null);
  const [palette, setPalette] = useState<HTMLElement>();
  usePaletteKeys(setPalette);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const onFailure = (message: string | undefined) => {
    setFailure(message);
    if (message !== undefined) notify(message, 'error');
  };
  const mute = useMute(issue.issueId, open || palette !== undefined, onFailure);
  const context: CommandContext = {
    issue,
    view,
    store,
    user,
    actions,
    bridge,
    dialogs,
    surface,
    projectKey,
    graphql: useGraphql(),
    notify,
    onFailure,
    go: useGo(),
    names: useKnownNames(),
    help: surface === 'mobile' || view.model.rows.length === 0 ? undefined : onHelp,
    palette: surface === 'mobile' ? undefined : () => setPalette(more.current ?? undefined),
    onTemplates: () => setApplying(true),
    onClear: () => setAsking('clear'),
    onRename: () => setAsking('rename'),
    onImport: () => setAsking('import'),
    muted: mute.muted,
    onMute: mute.toggle,
  };
  const edit = () =>
    void dialogs.open('editor', { issueId: issue.issueId, issueKey: issue.issueKey }).then(
      () => openerRef.current?.focus(),
      () => undefined,
    );
  const tools = offeredCommands(toolCommands, () => ({ user, edit }), useTrack());
  useOffers(offers, 'tools', () => tools);
  const leave = () => {
    setAsking(undefined);
    more.current?.focus();
  };
  const answer = (act: () => void) => () => {
    leave();
    act();
  };
  const { rows } = view.model;
  const items = progressOf(rows).total;
  const confirmations = {
    clear: { text: whole.clear(items), answers: { Clear: answer(() => clear(context)) } },
    import: {
      text: whole.importMore(items),
      answers: {
        'Import below': answer(() => importInto(context, 'APPEND')),
        'Replace all': answer(() => importInto(context, 'OVERRIDE')),
      },
    },
  };
  return (
    <>
      {tools.map(({ id, icon, label, run }) =>
        icon ? <ToolButton key={id} ref={openerRef} icon={icon} label={label} onClick={run} /> : null,
      )}
      {user.canImportTemplate && rows.length > 0 ? (
        <ToolButton
          ref={apply}
          icon={TemplateIcon}
          label="Apply template"
          opens={{ popup: 'dialog', isOpen: applying, prepare: prepareTemplates }}
          onClick={() => setApplying(!applying)}
        />
      ) : null}
      <span className="check-status-control">
        <ToolButton
          ref={more}
          icon={MoreIcon}
          label="Checklist actions"
          opens={{ popup: 'menu', isOpen: open, prepare: prepareMenu }}
          onClick={() => setOpen(!open)}
        />
        {open ? (
          <Menu
            context={context}
            onClose={withFocus => {
              setOpen(false);
              if (withFocus) more.current?.focus();
            }}
          />
        ) : null}
        {palette ? (
          <Palette
            context={context}
            list={list}
            offers={offers}
            from={palette}
            onClose={withFocus => {
              setPalette(undefined);
              if (withFocus) (palette.isConnected ? palette : more.current)?.focus();
            }}
          />
        ) : null}
      </span>
      {applying ? (
        <Templates
          context={context}
          onClose={withFocus => {
            setApplying(false);
            if (withFocus) (apply.current ?? more.current)?.focus();
          }}
        />
      ) : null}
      {failure === undefined ? null : (
        <p className="check-error check-tools-failure" role="alert">
          {failure}
        </p>
      )}
      {asking === undefined ? null : asking === 'rename' ? (
        <Rename store={store} actions={actions} name={view.name} onClose={leave} />
      ) : (
        <Confirm {...confirmations[asking]} onClose={leave} />
      )}
    </>
  );
}
