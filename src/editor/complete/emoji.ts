import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { complete as words } from '../../domain/messages.ts';
import { type Emoji, type EmojiTable, loadEmoji } from '../../text/emoji.ts';
import { provider } from '../provider.ts';
import { showHint } from './hint.ts';
import { applyAndRemember, type Choice, put } from './option.ts';
import { type Trigger, triggered } from './trigger.ts';

const MAX_EMOJI = 50;

/** A colon that no word or time precedes, and what there is of a name. */
const typed = /(?<![\p{L}\p{N}:])(?::([a-z0-9_+-]*))$/iu;

/** Offered after a bare colon, behind the emoji used before. */
const frequent = [
  ...['white_check_mark', 'warning', 'fire', 'rocket', 'tada', 'bug', 'eyes', 'bulb', 'memo', 'pushpin', 'star'],
  ...['question', 'exclamation', 'x', 'hourglass', 'lock', 'link', 'thumbsup', 'pray', 'smile'],
];

/** Emoji used before come first among the emoji whose names begin with the query. */
function ordered(found: readonly Emoji[], query: string, recent: readonly string[]): Emoji[] {
  const place = ({ code }: Emoji) => {
    const at = code.startsWith(query) ? recent.indexOf(code) : -1;
    return at < 0 ? recent.length : at;
  };
  return [...found].sort((one, other) => place(one) - place(other));
}

const choiceOf = ({ glyph, code }: Emoji): Choice => ({
  label: `:${code}:`,
  picture: { kind: 'glyph', text: glyph },
  apply: applyAndRemember('emoji', code, put(`:${code}:`)),
});

/** The emoji whose names begin with the query; for an empty query, emoji used before and frequent ones. */
function findEmoji(table: EmojiTable, wanted: string, recent: readonly string[]): Emoji[] {
  if (wanted === '') {
    return [...new Set([...recent, ...frequent])].flatMap(code => {
      const glyph = table.glyph(code);
      return glyph === undefined ? [] : [{ glyph, code }];
    });
  }
  // The emoji of an exact name stays first, however often other emoji are used.
  const [exact] = table.search(wanted, 1);
  const best = exact?.code === wanted ? exact : undefined;
  const otherEmoji = ordered(table.search(wanted, MAX_EMOJI * 2), wanted, recent).filter(
    ({ code }) => code !== best?.code,
  );
  return [...(best ? [best] : []), ...otherEmoji];
}

function resultOf(table: EmojiTable, context: CompletionContext, { from, query }: Trigger): CompletionResult | null {
  const recent = context.state.facet(provider).recent?.('emoji') ?? [];
  const options = findEmoji(table, query.toLowerCase(), recent).slice(0, MAX_EMOJI).map(choiceOf);
  if (options.length === 0) return null;
  return {
    from,
    options,
    filter: false,
    update: (_result, _from, _to, later) => {
      const trigger = triggered(later, typed);
      return trigger ? resultOf(table, later, trigger) : null;
    },
  };
}

/** Emoji, after a colon; the best match first. */
export async function emoji(context: CompletionContext): Promise<CompletionResult | null> {
  const trigger = triggered(context, typed);
  if (!trigger) return null;
  try {
    const table = await loadEmoji();
    return context.aborted ? null : resultOf(table, context, trigger);
  } catch {
    showHint(context, trigger.from, typed, words.emojiFailed, true);
    return null;
  }
}
