import type { SyntaxNode } from '@lezer/common';
import { parser } from '../../../grammar/parser.ts';
import { type Command, json } from '../command.ts';

interface NodeOutput {
  name: string;
  from: number;
  to: number;
  children?: NodeOutput[];
}

function nodeOutput({ name, from, to, firstChild }: SyntaxNode): NodeOutput {
  const children: NodeOutput[] = [];
  for (let child = firstChild; child; child = child.nextSibling) children.push(nodeOutput(child));
  return { name, from, to, ...(children.length > 0 && { children }) };
}

function outline({ name, from, to, children }: NodeOutput, text: string, depth = 0): string {
  const line = `${'  '.repeat(depth)}${name} ${from}-${to}`;
  if (!children) return `${line} ${JSON.stringify(text.slice(from, to))}\n`;
  return `${line}\n${children.map(child => outline(child, text, depth + 1)).join('')}`;
}

export const tree: Command = {
  name: 'tree',
  summary: 'the syntax tree',
  takesText: true,
  options: {},
  details: `Prints one node a line, with its range and, for a leaf, its text. With --json nested {name, from, to, children?}.`,
  async run(call) {
    const text = await call.text();
    const top = nodeOutput(parser.parse(text).topNode);
    return { output: call.flag('json') ? json(top) : outline(top, text) };
  },
};
