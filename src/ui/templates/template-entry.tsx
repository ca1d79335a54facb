import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { type ComponentProps, memo, useRef } from 'react';
import type { ListedTemplate } from '../../client/admin/templates.ts';
import { ActionMenu, type MenuAction } from '../kit/action-menu.tsx';
import { useLayer } from '../kit/layers.ts';
import { RowButton } from '../kit/sortable/sortable.tsx';
import { timeSince } from '../model/days.ts';
import { itemWords } from '../model/templates/templates.ts';
import { useMinute } from '../model/today.ts';

/** The menu of a template's actions. */
export function TemplateMenu(props: Omit<ComponentProps<typeof ActionMenu<MenuAction>>, 'mark'>) {
  useLayer(true, () => props.onClose(false));
  return <ActionMenu {...props} />;
}

interface Props {
  template: ListedTemplate;
  mayChange: boolean;
  /** Its actions in groups, while its menu is open. */
  actions: readonly (readonly MenuAction[])[] | undefined;
  onOpen(template: ListedTemplate): void;
  /** Opens the menu of the template with that id, and closes any other. */
  onMenu(id: string | undefined): void;
}

/** The time since the last change; rerenders each minute. */
function LastChanged({ at }: { at: string }) {
  const now = useMinute();
  return (
    <span>
      Last changed <time dateTime={at}>{timeSince(Date.parse(at), now)}</time>
    </span>
  );
}

/** A template in a list: name, scope, length and last change. Memoized: only changed entries rerender. */
export const TemplateEntry = memo(({ template, mayChange, actions, onOpen, onMenu }: Props) => {
  const { id, name, projectId, itemCount, isDefault, isGettingStarted, updated } = template;
  const more = useRef<HTMLButtonElement>(null);
  const close = (withFocus: boolean) => {
    onMenu(undefined);
    if (withFocus) more.current?.focus();
  };
  return (
    <>
      <span className="templates-name" dir="auto">
        {mayChange ? (
          <button type="button" className="templates-open" data-opens={id} onClick={() => onOpen(template)}>
            {name}
          </button>
        ) : (
          name
        )}
      </span>
      <span className="templates-about">
        {isDefault ? <span className="templates-mark">Default</span> : null}
        {isGettingStarted ? <span className="templates-mark">Getting started</span> : null}
        <span>{projectId === null ? 'Whole site' : 'Project'}</span>
        <span>{itemWords(itemCount)}</span>
        <LastChanged at={updated} />
      </span>
      {mayChange ? (
        <span className="check-status-control templates-more">
          <RowButton
            ref={more}
            icon={MoreIcon}
            label={`Actions for ${name}`}
            data-menu={id}
            aria-haspopup="menu"
            aria-expanded={actions !== undefined}
            onClick={() => onMenu(id)}
          />
          {actions ? <TemplateMenu label={`Actions for ${name}`} actions={actions} onClose={close} /> : null}
        </span>
      ) : null}
    </>
  );
});
