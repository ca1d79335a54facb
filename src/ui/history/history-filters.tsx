import DropdownMenu, { DropdownItemRadio, DropdownItemRadioGroup } from '@atlaskit/dropdown-menu';
import { useId, useState } from 'react';
import { unknownPerson } from '../../domain/person.ts';
import { useLayer } from '../kit/layers.ts';
import { usePeople } from '../model/people.ts';
import { changeKinds, kindWords } from './row-change.tsx';
import type { HistoryFilter } from './use-history.ts';

interface Props {
  filter: HistoryFilter;
  onFilter(filter: HistoryFilter): void;
  /** Authors of the entries loaded so far. */
  accounts: readonly string[];
}

/** Filters by author, kind of change and row. */
export function Filters({ filter, onFilter, accounts }: Props) {
  const { account, kind, row } = filter;
  const people = usePeople(accounts);
  const nameOf = (id: string) => people.get(id)?.name ?? unknownPerson;
  const without = (key: keyof HistoryFilter) =>
    Object.fromEntries(Object.entries(filter).filter(([name]) => name !== key));
  return (
    <div className="history-filters">
      <Choice
        label="Person"
        chosen={account}
        all="Everyone"
        options={accounts.map(id => ({ value: id, words: nameOf(id) }))}
        onChoose={value => onFilter({ ...without('account'), ...(value !== undefined && { account: value }) })}
      />
      <Choice
        label="Change"
        chosen={kind}
        all="All changes"
        options={changeKinds.map(value => ({ value, words: kindWords[value] }))}
        onChoose={value => onFilter({ ...without('kind'), ...(value !== undefined && { kind: value }) })}
      />
      {row ? (
        <button
          type="button"
          className="history-chip"
          aria-label={`Row: ${row.text}. Show all rows`}
          onClick={() => onFilter(without('row'))}
        >
          <span dir="auto">{row.text || 'an empty row'}</span> <span aria-hidden="true">×</span>
        </button>
      ) : null}
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  chosen: Value | undefined;
  /** The option without a filter. */
  all: string;
  options: readonly { value: Value; words: string }[];
  onChoose(value: Value | undefined): void;
}

function Choice<Value extends string>({ label, chosen, all, options, onChoose }: ChoiceProps<Value>) {
  const group = useId();
  const [open, setOpen] = useState(false);
  useLayer(open, () => setOpen(false));
  const choose = (value: Value | undefined) => {
    setOpen(false);
    onChoose(value);
  };
  const words = options.find(({ value }) => value === chosen)?.words ?? all;
  return (
    <DropdownMenu
      trigger={`${label}: ${words}`}
      isOpen={open}
      onOpenChange={({ isOpen }) => setOpen(isOpen)}
      spacing="compact"
      menuLabel={label}
      // Always below its button: the frame grows.
      shouldFlip={false}
      strategy="absolute"
    >
      <DropdownItemRadioGroup id={group}>
        <DropdownItemRadio id="" isSelected={chosen === undefined} onClick={() => choose(undefined)}>
          {all}
        </DropdownItemRadio>
        {options.map(({ value, words }) => (
          <DropdownItemRadio key={value} id={value} isSelected={chosen === value} onClick={() => choose(value)}>
            {words}
          </DropdownItemRadio>
        ))}
      </DropdownItemRadioGroup>
    </DropdownMenu>
  );
}
