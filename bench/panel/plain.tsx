import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** Baseline of the panel: a straightforward list of the same rows with one state and no memoisation. */

interface Item {
  text: string;
  done: boolean;
}

const counts = { rows: 0 };

function Row({ item, onToggle }: { item: Item; onToggle(): void }) {
  counts.rows++;
  return (
    <li>
      <label>
        <input type="checkbox" checked={item.done} onChange={onToggle} /> {item.text}
      </label>
      <select defaultValue="todo">
        <option value="todo">To Do</option>
        <option value="done">Done</option>
      </select>
      <button type="button">Delete</button>
    </li>
  );
}

function List({ texts }: { texts: readonly string[] }) {
  const [items, setItems] = useState(() => texts.map(text => ({ text, done: false })));
  const toggle = (at: number) =>
    setItems(items.map((item, index) => (index === at ? { ...item, done: !item.done } : item)));
  return (
    <ul>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows stay where they are.
        <Row key={index} item={item} onToggle={() => toggle(index)} />
      ))}
    </ul>
  );
}

/** Functions called by the benchmark. */
Object.assign(window, {
  plain: {
    counts,
    show(texts: readonly string[]) {
      const root = createRoot(document.body.appendChild(document.createElement('div')));
      flushSync(() => root.render(<List texts={texts} />));
    },
  },
});
