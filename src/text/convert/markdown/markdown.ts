import { losses } from '../../../domain/messages.ts';
import type { Sliced } from '../../sliced.ts';
import { type Draft, DraftBuilder } from '../blocks.ts';
import { hasKeywords } from '../head.ts';
import { readingTable } from '../table.ts';
import { readingText } from '../text.ts';
import { withDefinitions } from './definitions.ts';
import { PieceReader, type WholeText } from './piece-reader.ts';
import { MAX_PIECE_WEIGHT, piecesOf } from './pieces.ts';

/** GitHub's and GitLab's Markdown: lists with or without boxes in any nesting, headers, tables, quotes, code and HTML. */
export function* readingMarkdown(text: string): Sliced<Draft> {
  const draft = new DraftBuilder();
  const whole: WholeText = { draft, hasKeywords: hasKeywords(text), tableRows: [] };
  const pieces = piecesOf(text);
  const sources = withDefinitions(text, pieces);
  for (const [i, { text: own, line, weight, isTablePart }] of pieces.entries()) {
    const isHeavy = weight > MAX_PIECE_WEIGHT;
    if (!isTablePart || isHeavy) draft.append(yield* readingTable(whole.tableRows.splice(0)));
    if (isHeavy) {
      draft.lost.push({ what: losses.unparsed, line, text: '' });
      draft.append(yield* readingText(own), line);
      continue;
    }
    new PieceReader(sources[i] ?? own, whole, at => at + line - 1).read({
      isTablePart,
      isContinued: pieces[i + 1]?.isTablePart ?? false,
    });
    yield;
  }
  draft.append(yield* readingTable(whole.tableRows));
  return draft;
}
