import { IconButton } from '@atlaskit/button/new';
import { DropdownItem, DropdownItemGroup } from '@atlaskit/dropdown-menu';
import MoreIcon from '@atlaskit/icon/core/show-more-horizontal';
import { useRef, useState } from 'react';
import type { ListedTemplate } from '../../client/admin/templates.ts';
import { Dropdown } from '../checklist/dropdown.tsx';
import { useLayer } from '../parts/layers.ts';

export interface EntryAction {
  label: string;
  run(): void;
}

interface Props {
  template: ListedTemplate;
  /** What may be done to it, in groups; none where there is nothing. */
  actions: readonly (readonly EntryAction[])[];
  /** Opens it; without that it is only named. */
  onOpen?: (() => void) | undefined;
}

/** “1 item”, “12 items”. */
export const itemWords = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}`;

/** A template in a list: its name, whom it is for, how long it is. */
export function TemplateEntry({ template, actions, onOpen }: Props) {
  const { name, projectId, itemCount, isDefault, isGettingStarted } = template;
  const [open, setOpen] = useState(false);
  const more = useRef<HTMLButtonElement>(null);
  useLayer(open, () => setOpen(false));
  const close = (withFocus: boolean) => {
    setOpen(false);
    if (withFocus) more.current?.focus();
  };
  return (
    <>
      <span className="templates-name" dir="auto">
        {onOpen ? (
          <button type="button" className="templates-open" data-opens={template.id} onClick={onOpen}>
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
      </span>
      {actions.length > 0 ? (
        <span className="check-status-control templates-more">
          <IconButton
            ref={more}
            icon={MoreIcon}
            label={`Actions for ${name}`}
            appearance="subtle"
            aria-haspopup="menu"
            aria-expanded={open}
            onClick={() => setOpen(true)}
          />
          {open ? (
            <Dropdown label={`Actions for ${name}`} onClose={close}>
              {actions.map((group, index) => (
                <DropdownItemGroup key={group[0]?.label} hasSeparator={index > 0}>
                  {group.map(({ label, run }) => (
                    <DropdownItem
                      key={label}
                      onClick={() => {
                        close(true);
                        run();
                      }}
                    >
                      {label}
                    </DropdownItem>
                  ))}
                </DropdownItemGroup>
              ))}
            </Dropdown>
          ) : null}
        </span>
      ) : null}
    </>
  );
}
