/** An open list or object of `writeDeep`: its members with their names as JSON, and how many are written. */
interface Open {
  end: string;
  members: readonly (readonly [name: string, value: unknown])[];
  written: number;
}

function opened(value: object): Open {
  if (Array.isArray(value)) return { end: ']', members: value.map(each => ['', each] as const), written: 0 };
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return { end: '}', members: members.map(([name, each]) => [`${JSON.stringify(name)}:`, each] as const), written: 0 };
}

/** Writes JSON without recursion. */
function writeDeep(value: unknown): string {
  const parts: string[] = [];
  const open: Open[] = [];
  const write = (each: unknown) => {
    if (typeof each !== 'object' || each === null)
      return void parts.push(each === undefined ? 'null' : JSON.stringify(each));
    parts.push(Array.isArray(each) ? '[' : '{');
    open.push(opened(each));
  };
  write(value);
  for (let currentNode = open.at(-1); currentNode; currentNode = open.at(-1)) {
    const member = currentNode.members[currentNode.written];
    if (member) {
      parts.push(currentNode.written > 0 ? ',' : '', member[0]);
      currentNode.written += 1;
      write(member[1]);
    } else {
      parts.push(currentNode.end);
      open.pop();
    }
  }
  return parts.join('');
}

/**
 * The JSON of plain data. `JSON.stringify` recurses, and fails if it is nested some thousand levels deep: `JSON.parse`
 * reads such values, and an account that can edit an issue can store one in its property.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return writeDeep(value);
  }
}
