import type { BuiltInSlug } from '../../domain/statuses.ts';
import { type Block, type DetailBlock, type HeaderBlock, type ItemBlock, item } from './blocks.ts';
import { trimBlanks } from './lines.ts';

/** A block with a resolved place; a detail always has a row above. */
export type SettledBlock = HeaderBlock | ItemBlock | DetailBlock;

const oneLine = (text: string) => trimBlanks(/[\n\r]/.test(text) ? text.replace(/[\n\r]+/g, ' ') : text);

const startsMandatory = (text: string) => text.startsWith('!') && /^!(?:[ \t\xa0]|$)/.test(text);

/** Behind a mark, a text's own lone `!` would make the item mandatory. Only a line without any mark can hold it; bold says the same. */
function withOwnExclamation(block: ItemBlock): ItemBlock {
  if (block.mandatory || block.status === 'todo' || !startsMandatory(block.text)) return block;
  return { ...block, text: `**!**${block.text.slice(1)}` };
}

/** Each paragraph directly below a header that has items before the next header. */
function headerProse(blocks: readonly Block[]): Set<Block> {
  const prose = new Set<Block>();
  let itemsFollow = false;
  let run: Block[] = [];
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i];
    if (block?.kind === 'paragraph') run.push(block);
    else if (block?.kind === 'header') {
      if (itemsFollow) for (const line of run) prose.add(line);
      itemsFollow = false;
      run = [];
    } else if (block?.kind === 'item') {
      itemsFollow = true;
      run = [];
    }
  }
  return prose;
}

/** Resolves every prose line: it becomes a detail or an item; a detail without a row above becomes an item. */
export function settle(blocks: readonly Block[]): SettledBlock[] {
  const prose = headerProse(blocks);
  const settled: SettledBlock[] = [];
  for (const block of blocks) {
    const text = oneLine(block.text);
    const isDetail = block.kind === 'detail' ? settled.length > 0 : prose.has(block);
    if (isDetail) settled.push({ kind: 'detail', text });
    else if (block.kind === 'header') settled.push(block.text === text ? block : { ...block, text });
    else if (block.kind !== 'item') settled.push(withOwnExclamation(item(text)));
    else settled.push(withOwnExclamation(block.text === text ? block : { ...block, text }));
  }
  return settled;
}

const marks: Record<BuiltInSlug, string> = { todo: '-', done: '+', in_progress: '~', skipped: 'x' };

function lineOf(block: SettledBlock): string {
  const { text } = block;
  if (block.kind === 'detail') return `> ${text}`.trimEnd();
  if (block.kind === 'header') return `${'#'.repeat(block.level)} ${text}`.trimEnd();
  if (!block.mandatory && startsMandatory(text)) return text;
  return `${marks[block.status]}${block.mandatory ? ' !' : ''}${text === '' ? '' : ` ${text}`}`;
}

/** The blocks as checklist text, one line each: reading it gives exactly these rows and details. */
export const write = (blocks: readonly SettledBlock[]): string => blocks.map(lineOf).join('\n');
