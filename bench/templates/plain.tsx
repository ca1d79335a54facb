import { type KeyboardEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** Baseline of the screens: straightforward lists of the same rows with one state, no memoisation and no pages. */

interface Named {
  key: string;
  name: string;
}

const Template = ({ name }: { name: string }) => (
  <li>
    <button type="button">{name}</button> <span>Whole site</span> <span>12 items</span>
    <button type="button">More</button>
  </li>
);

function Templates({ all }: { all: readonly Named[] }) {
  const [search, setSearch] = useState('');
  const found = all.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <>
      <input aria-label="Search" value={search} onChange={({ target }) => setSearch(target.value)} />
      <ul>
        {found.map(({ key, name }) => (
          <Template key={key} name={name} />
        ))}
      </ul>
    </>
  );
}

interface StatusProps extends Named {
  onKeyDown(event: KeyboardEvent): void;
  onDrag(): void;
  onDrop(): void;
}

const Status = ({ name, onKeyDown, onDrag, onDrop }: StatusProps) => (
  <li draggable onDragStart={onDrag} onDragOver={event => event.preventDefault()} onDrop={onDrop}>
    <button type="button" aria-label={`Move ${name}`} onKeyDown={onKeyDown}>
      ⋮
    </button>
    <span>{name}</span>
    <button type="button">Edit</button>
    <button type="button">Delete</button>
  </li>
);

function Statuses({ all }: { all: readonly Named[] }) {
  const [order, setOrder] = useState(all);
  const [dragged, setDragged] = useState(0);
  const move = (from: number, to: number) => {
    const next = [...order];
    next.splice(to, 0, ...next.splice(from, 1));
    setOrder(next);
  };
  return (
    <ul>
      {order.map(({ key, name }, index) => (
        <Status
          key={key}
          name={name}
          onKeyDown={({ key }) => (key === 'ArrowUp' ? move(index, index - 1) : undefined)}
          onDrag={() => setDragged(index)}
          onDrop={() => move(dragged, index)}
        />
      ))}
    </ul>
  );
}

/** Functions called by the benchmark. */
Object.assign(window, {
  show(what: 'templates' | 'statuses', names: readonly string[]) {
    const root = createRoot(document.body.appendChild(document.createElement('div')));
    const all = names.map(name => ({ key: name, name }));
    flushSync(() => root.render(what === 'templates' ? <Templates all={all} /> : <Statuses all={all} />));
  },
});
