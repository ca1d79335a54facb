import { losses } from '../../../domain/messages.ts';
import type { DraftBuilder } from '../blocks.ts';
import { decodeEntities } from '../html/entities.ts';
import { MAX_MARKED_CHARS } from '../lines.ts';
import { codeOf, type Delimiters, isLinked, linkOf, respanned } from '../spans.ts';
import { alternatives, bracedSigns, codeMacros, wikiAddress } from './signs.ts';

/** Underlined, raised, lowered and cited words lose their look: the checklist has none for them. */
const delimiters: Delimiters = [
  ['*', '**'],
  ['-', '~~'],
  ['+', ''],
  ['^', ''],
  ['??', ''],
  ['~', ''],
];

/** Effects as the tracker's editor writes them inside of words: `{*}x{*}`. */
const braced: Record<string, string> = { '*': '**', _: '*', '-': '~~' };

/** Italic in braces behind the star of bold: of three stars in a row none would be at its place. */
const italicInBold = /(?<=(?:^|[^\p{L}\p{N}\\{])\*)\{_\}((?:(?!\{_\}).)*)\{_\}/gu;

const code = alternatives(codeMacros);

/** Code, brackets, images, addresses, line breaks, escapes, characters by name, effects in braces, macros of code, colours. */
const aside = new RegExp(
  [
    String.raw`\{\{(?:\{\}((?:[^{}\\]|\\.|\{(?!\}))*)\{\}\}\}|((?:[^{}\\]|\\.)*)\}\})`,
    String.raw`\[([^\][]*)\]`,
    String.raw`!([^!\s|]+\.\w+(?:\|[^!]*)?)!`,
    wikiAddress.source.slice(1),
    String.raw`\\\\`,
    '\\\\([!-/:-@[-`{-~])',
    '&(?:#\\d{1,8}|[A-Za-z][A-Za-z0-9]{1,30});',
    bracedSigns,
    String.raw`\{(?:${code})(?::([^{}]*))?\}((?:(?!\{(?:${code})\}).)*)\{(?:${code})\}`,
    String.raw`\{(?:color|anchor)(?::[^{}]*)?\}`,
  ].join('|'),
  'g',
);

/** Code without the escapes of signs that would be markup in it. */
const codeText = (source: string) => decodeEntities(source.replace(/\\([!-/:-@[\]^_`{-~])/g, '$1'));

export function inlineOf(text: string, line: number, draft: DraftBuilder): string {
  if (text.length > MAX_MARKED_CHARS) {
    draft.lost.push({ what: losses.length, line, text: '' });
    return text;
  }
  const braces = new Map<string, number>();
  if (text.includes('{'))
    for (const [, sign = ''] of text.matchAll(new RegExp(bracedSigns, 'g')))
      braces.set(sign, (braces.get(sign) ?? 0) + 1);
  const renew = ([
    found = '',
    wrapped = '',
    inCode = '',
    bracket = '',
    image = '',
    escaped = '',
    brace = '',
    parameters = '',
    macro = '',
  ]: readonly string[]) => {
    if (found.startsWith('{{')) return codeOf(codeText(wrapped || inCode));
    if (macro !== '' || parameters !== '') {
      draft.lose(losses.setting, line, parameters);
      return codeOf(macro);
    }
    if (found.startsWith('[')) return bracketOf(bracket, line, draft);
    if (found.startsWith('!')) {
      draft.lose(losses.image, line, image);
      return '';
    }
    if (escaped !== '') return escaped;
    // One of an odd number opens nothing.
    if (brace !== '' && (braces.get(brace) ?? 0) % 2 === 1) return found;
    if (brace !== '') {
      if (braced[brace] === undefined) draft.lose(losses.effect, line, found);
      return braced[brace] ?? '';
    }
    if (found === '\\\\') return ' ';
    if (found.startsWith('&')) return decodeEntities(found);
    return found.startsWith('{') ? '' : found;
  };
  return respanned(text.replace(italicInBold, '_$1_'), aside, renew, delimiters, found =>
    draft.lose(losses.effect, line, found),
  );
}

function bracketOf(inside: string, line: number, draft: DraftBuilder): string {
  const bar = inside.indexOf('|');
  const label = bar < 0 ? inside : inside.slice(0, bar);
  const address = (bar < 0 ? inside : inside.slice(bar + 1)).split('|')[0]?.trim() ?? '';
  if (isLinked(address)) return linkOf(bar < 0 ? label : inlineOf(label, line, draft), address);
  if (inside.startsWith('^')) {
    draft.lose(losses.attachment, line, inside.slice(1));
    return '';
  }
  if (/^~accountid:/.test(inside)) return `[${inside}]`;
  if (inside.startsWith('~')) return `@${inside.slice(1)}`;
  if (bar < 0) return `[${inside}]`;
  draft.lose(losses.address, line, inside.slice(bar + 1));
  return label;
}
