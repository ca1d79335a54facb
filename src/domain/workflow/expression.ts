/*
 * Pieces of the tracker's expressions (https://developer.atlassian.com/cloud/jira/platform/jira-expressions/).
 */

/** A text as a literal: it stays text, whatever it holds. */
export const literal = (text: string): string =>
  `'${text.replace(/[\r\n\u2028\u2029]+/g, ' ').replace(/[\\']/g, character => `\\${character}`)}'`;

/** Limits of an expression, in characters and in names and literals. Not every site may have them still. */
export const EXPRESSION_MAX = { characters: 1000, leaves: 100 };

const leaf = /'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\d+/g;
const words = new Set(['let', 'new', 'typeof']);

/** Measures an expression by the tracker's limits. */
export const expressionSize = (expression: string) => ({
  characters: expression.length,
  leaves: (expression.match(leaf) ?? []).filter(part => !words.has(part)).length,
});

/** Whether the tracker evaluates an expression of this size. */
export function fitsTracker(expression: string): boolean {
  const { characters, leaves } = expressionSize(expression);
  return characters <= EXPRESSION_MAX.characters && leaves <= EXPRESSION_MAX.leaves;
}
