import { parseSync } from 'vite';
import { filesUnder, textOf } from './sources.ts';

/** A text that the product may show. */
export interface ScreenText {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** With single spaces; placeholders as in the source. */
  readonly text: string;
}

/** Attributes whose values no user reads. */
const technical =
  /^(className|role|type|id|key|href|src|rel|target|dir|lang|name|htmlFor|data-.*|aria-(controls|labelledby|describedby|live|current|haspopup))$/;
/** At least two letters together, and either a capital first or several words. */
const prose = /^[^a-z]*[A-Z][a-z]+|[a-z]+ [a-z]+/;
/** Queries, key names, lists of class names and selectors look like prose. */
const code =
  /^(query|mutation|subscription|fragment)\b|^(?=.*\b(check|editor|smart|tree|templates|history|assigned|button)-)[a-z0-9 -]+$|^(Arrow|Page)[A-Z]|^(Escape|ContextMenu)$|^(\.cm-|@keyframes )/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.start === 'number';

/** The texts below a node, with their offsets. */
function* textsIn(node: unknown, source: string): Generator<{ text: string; start: number }> {
  if (Array.isArray(node)) for (const child of node) yield* textsIn(child, source);
  if (!isNode(node) || /^(Import|Export(All|Named)?)\w*Declaration$|^TS(?!As|Satisfies|NonNull)/.test(node.type)) {
    // An exported declaration holds texts, an import or a re-export only paths.
    if (isNode(node) && 'declaration' in node && node.declaration) yield* textsIn(node.declaration, source);
    return;
  }
  if (node.type === 'JSXAttribute' && 'name' in node && isNode(node.name)) {
    if (technical.test(source.slice(node.name.start, node.name.end))) return;
  }
  if (node.type === 'JSXText' || node.type === 'TemplateLiteral') {
    const text = source.slice(node.start, node.end).replace(/^`|`$/g, '');
    yield { text, start: node.start };
  } else if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') {
    yield { text: node.value, start: node.start };
  }
  for (const child of Object.values(node)) if (typeof child === 'object') yield* textsIn(child, source);
}

/** Files whose texts reach the screen, without the generated table of emoji. */
export const screens = ['src/ui', 'src/domain', 'src/client', 'src/editor', 'src/text', 'src/cli']
  .flatMap(filesUnder)
  .filter(path => path !== 'src/text/emoji/packed.ts');

/** The texts of a source file, in their order. */
export function findTexts(path: string): ScreenText[] {
  const source = textOf(path);
  const { program } = parseSync(path, source);
  return [...textsIn(program, source)].flatMap(({ text, start }) => {
    const words = text.replace(/\s+/g, ' ').trim();
    const fixed = words.replace(/\$\{[^}]*\}/g, '');
    if (!prose.test(fixed) || code.test(fixed)) return [];
    return [{ path, line: source.slice(0, start).split('\n').length, text: words }];
  });
}
