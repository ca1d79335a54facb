/** How rows are read by pages. */
export interface Paging<Row> {
  /** How many rows a full page has; a page with fewer rows is the last one. */
  size: number;
  /** The id by which rows are ordered. */
  idOf(row: Row): string;
  /** Reads the rows after an id, at most `size` of them. */
  next(after: string, size: number): Promise<readonly Row[]>;
}

/** Reads all rows in the order of their ids, page by page. No page is empty. */
export async function* pagesOf<Row>({ size, idOf, next }: Paging<Row>): AsyncGenerator<readonly Row[]> {
  for (let after = ''; ; ) {
    const page = await next(after, size);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < size) return;
    after = idOf(last);
  }
}

/** Pages of rows of issues. */
export const pagesOfIssues = <Row extends { issue: string }>(size: number, next: Paging<Row>['next']) =>
  pagesOf({ size, idOf: ({ issue }: Row) => issue, next });
