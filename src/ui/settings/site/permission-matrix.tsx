/** What each permission of ours lets somebody do. */
const columns = ['Add items', 'Change statuses', 'Delete items', 'Manage', 'Administer project'] as const;

const rows: readonly (readonly [string, readonly boolean[]])[] = [
  ['Add an item', [true, false, false, true, false]],
  ['Set a status', [false, true, false, true, false]],
  ['Delete an item, clear', [false, false, true, true, false]],
  ['Edit as text, reorder, assign, convert, details, mandatory', [false, false, false, true, false]],
  ['Import a template, save as a template', [true, false, false, true, true]],
  ['Write, change and delete templates and statuses', [false, false, false, false, true]],
];

/** The permissions in words: rows are what can be done, columns who may. */
export const PermissionMatrix = () => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
  <section className="settings-table" aria-label="Who can do what" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <td />
          {columns.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, may]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            {columns.map((column, index) => (
              <td key={column}>{may[index] ? 'Yes' : <span className="settings-no">No</span>}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
