import { type A_Expr, type InsertStmt, type Node, parse, type SelectStmt, type WithClause } from 'libpg-query';

/*
 * Which tables of tenants a statement reads or writes without a tenant of its own, by PostgreSQL's own parser. A table is
 * bound where its column `tenant` equals a parameter, or the column of a bound table, in a condition that every row has
 * to meet; a row that is inserted where its `tenant` is such a value.
 */

/** One source of rows: a table of tenants, or rows of a query. */
interface Relation {
  alias: string;
  /** Whether it has a column `tenant`, and whether that is known to be the statement's. */
  hasTenant: boolean;
  bound: boolean;
  table?: string;
}

/** An equality of two terms, and the relations whose rows all meet it. */
interface Equality {
  left: Node;
  right: Node;
  binds: ReadonlySet<Relation>;
}

/** What a query gives: its columns, by name, and whether each is the statement's tenant. */
type Columns = { name: string; isTenant: boolean }[];

class Scope {
  readonly relations: Relation[] = [];
  readonly queries: Map<string, Columns>;
  /** Queries that refer to relations beside them, to be analysed once those are. */
  readonly lateral: (() => void)[] = [];
  readonly outer: Scope | undefined;

  constructor(outer?: Scope, queries = new Map<string, Columns>()) {
    this.outer = outer;
    this.queries = queries;
  }

  /** For a query beside its relations, which it cannot see. */
  beside(): Scope {
    return new Scope(this.outer, this.queries);
  }

  query(name: string): Columns | undefined {
    return this.queries.get(name) ?? this.outer?.query(name);
  }

  /** The relation whose column `tenant` is meant, if that is what is meant. */
  tenantOf(names: readonly string[]): Relation | undefined {
    if (names.at(-1) !== 'tenant') return undefined;
    const alias = names.at(-2);
    const candidates = this.relations.filter(each => (alias === undefined ? each.hasTenant : each.alias === alias));
    if (candidates.length === 0) return this.outer?.tenantOf(names);
    return candidates.length === 1 ? candidates[0] : undefined;
  }
}

/** A node's kind and contents: `{ SelectStmt: { … } }`. */
function partsOf(node: Node): [kind: string, contents: object] {
  const [[kind, contents] = ['', {}]] = Object.entries(node);
  return [kind, contents as object];
}

function namesOf(fields: readonly Node[] = []): string[] {
  return fields.map(field => ('String' in field ? (field.String.sval ?? '') : '*'));
}

const isEqual = ({ kind, name }: A_Expr) => kind === 'AEXPR_OP' && namesOf(name).join() === '=';

/** The conditions that all have to be met. */
function conjuncts(condition: Node | undefined): Node[] {
  if (!condition) return [];
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR') {
    return (condition.BoolExpr.args ?? []).flatMap(conjuncts);
  }
  return [condition];
}

function equalities(condition: Node | undefined, binds: ReadonlySet<Relation>): Equality[] {
  return conjuncts(condition).flatMap(each => {
    if (!('A_Expr' in each) || !isEqual(each.A_Expr)) return [];
    const { lexpr: left, rexpr: right } = each.A_Expr;
    if (!left || !right) return [];
    if (!('RowExpr' in left) || !('RowExpr' in right)) return [{ left, right, binds }];
    const others = right.RowExpr.args ?? [];
    return (left.RowExpr.args ?? []).flatMap((one, index) => {
      const other = others[index];
      return other ? [{ left: one, right: other, binds }] : [];
    });
  });
}

/** Statements that `parse` gives and that name tables; anything else is none that a request sends. */
const kinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'DeclareCursorStmt'];

class Analysis {
  readonly unbound = new Set<string>();
  private readonly tables: ReadonlySet<string>;

  constructor(tables: ReadonlySet<string>) {
    this.tables = tables;
  }

  /** Whether it is the statement's tenant. */
  private isTenant(node: Node | undefined, scope: Scope): boolean {
    if (!node) return false;
    if ('ParamRef' in node) return true;
    if ('TypeCast' in node) return this.isTenant(node.TypeCast.arg, scope);
    return 'ColumnRef' in node && (scope.tenantOf(namesOf(node.ColumnRef.fields))?.bound ?? false);
  }

  private bind(scope: Scope, found: readonly Equality[]): void {
    const bindOne = (one: Node, other: Node, binds: ReadonlySet<Relation>): boolean => {
      const relation = 'ColumnRef' in one ? scope.tenantOf(namesOf(one.ColumnRef.fields)) : undefined;
      if (!relation || relation.bound || !binds.has(relation) || !this.isTenant(other, scope)) return false;
      relation.bound = true;
      return true;
    };
    while (found.some(({ left, right, binds }) => bindOne(left, right, binds) || bindOne(right, left, binds)));
  }

  /** Adds what a `from` names, and gives the equalities of its joins. */
  private from(item: Node, scope: Scope): { relations: Relation[]; found: Equality[] } {
    const add = (relation: Relation) => {
      scope.relations.push(relation);
      return { relations: [relation], found: [] };
    };
    if ('RangeVar' in item) {
      const { relname = '', alias, schemaname } = item.RangeVar;
      const as = alias?.aliasname ?? relname;
      const columns = schemaname ? undefined : scope.query(relname);
      if (columns) return add(rowsOf(as, columns));
      const hasTenant = this.tables.has(relname);
      return add({ alias: as, hasTenant, bound: false, ...(hasTenant && { table: relname }) });
    }
    if ('RangeSubselect' in item) {
      const { subquery, alias, lateral } = item.RangeSubselect;
      const as = alias?.aliasname ?? '';
      if (!lateral) return add(rowsOf(as, subquery ? this.statement(subquery, scope.beside()) : []));
      const relation = rowsOf(as, []);
      scope.lateral.push(() => Object.assign(relation, rowsOf(as, subquery ? this.statement(subquery, scope) : [])));
      return add(relation);
    }
    if ('JoinExpr' in item) {
      const { larg, rarg, quals, jointype } = item.JoinExpr;
      const left = larg ? this.from(larg, scope) : { relations: [], found: [] };
      const right = rarg ? this.from(rarg, scope) : { relations: [], found: [] };
      // An outer join keeps the rows of one side whatever its condition says.
      const binds = new Set([
        ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? left.relations : []),
        ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? right.relations : []),
      ]);
      const found = [...left.found, ...right.found, ...equalities(quals, binds)];
      return { relations: [...left.relations, ...right.relations], found };
    }
    // A function that gives rows: they have no tenant.
    const alias = 'RangeFunction' in item ? (item.RangeFunction.alias?.aliasname ?? '') : '';
    return add({ alias, hasTenant: false, bound: false });
  }

  private with(clause: WithClause | undefined, scope: Scope): void {
    for (const each of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in each)) continue;
      const { ctename = '', ctequery } = each.CommonTableExpr;
      scope.queries.set(ctename, ctequery ? this.statement(ctequery, scope) : []);
    }
  }

  /** Analyses the queries within expressions. */
  private within(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) for (const each of value) this.within(each, scope);
    else if (typeof value === 'object' && value !== null) {
      for (const [kind, contents] of Object.entries(value)) {
        if (kinds.includes(kind)) this.statement({ [kind]: contents } as Node, scope);
        else this.within(contents, scope);
      }
    }
  }

  /** One level: its relations, its conditions, what it gives. */
  private level(
    scope: Scope,
    sources: readonly Node[],
    condition: Node | undefined,
    given: readonly Node[],
    rest: unknown,
  ): Columns {
    const parts = sources.map(source => this.from(source, scope));
    const found = parts.flatMap(part => part.found);
    found.push(...equalities(condition, new Set(scope.relations)));
    this.bind(scope, found);
    for (const analyse of scope.lateral) analyse();
    this.bind(scope, found);
    for (const { table, bound } of scope.relations) if (table !== undefined && !bound) this.unbound.add(table);
    this.within([condition, given, rest], scope);
    for (const source of sources) this.within(joinConditions(source), scope);
    return given.map(target => {
      const { name, val } = 'ResTarget' in target ? target.ResTarget : {};
      const column = val && 'ColumnRef' in val ? namesOf(val.ColumnRef.fields).at(-1) : undefined;
      return { name: name ?? column ?? '', isTenant: this.isTenant(val, scope) };
    });
  }

  private select(select: SelectStmt, outer: Scope | undefined): Columns {
    const scope = new Scope(outer);
    this.with(select.withClause, scope);
    if (select.larg && select.rarg) {
      const [one, other] = [this.select(select.larg, scope), this.select(select.rarg, scope)];
      return one.map((column, index) => ({ ...column, isTenant: column.isTenant && !!other[index]?.isTenant }));
    }
    const { fromClause = [], whereClause, targetList = [], valuesLists = [] } = select;
    if (valuesLists.length > 0) {
      this.within(valuesLists, scope);
      const rows = valuesLists.map(row => ('List' in row ? (row.List.items ?? []) : []));
      return (rows[0] ?? []).map((_, index) => ({
        name: '',
        isTenant: rows.every(row => this.isTenant(row[index], scope)),
      }));
    }
    const { havingClause, sortClause, groupClause, distinctClause, limitCount } = select;
    const rest = [havingClause, sortClause, groupClause, distinctClause, limitCount];
    return this.level(scope, fromClause, whereClause, targetList, rest);
  }

  private insert(insert: InsertStmt, outer: Scope | undefined): Columns {
    const scope = new Scope(outer);
    this.with(insert.withClause, scope);
    const table = insert.relation?.relname ?? '';
    const place = (insert.cols ?? []).findIndex(column => 'ResTarget' in column && column.ResTarget.name === 'tenant');
    const rows = insert.selectStmt ? this.statement(insert.selectStmt, scope) : [];
    const hasTenant = this.tables.has(table);
    const bound = rows[place]?.isTenant ?? false;
    if (hasTenant && !bound) this.unbound.add(table);
    const inserted = { hasTenant, bound };
    scope.relations.push({ alias: insert.relation?.alias?.aliasname ?? table, ...inserted });
    const conflict = new Scope(scope);
    conflict.relations.push({ alias: 'excluded', hasTenant: false, bound });
    this.within(insert.onConflictClause, conflict);
    return this.level(scope, [], undefined, insert.returningClause?.exprs ?? [], undefined);
  }

  /** Analyses a statement within a scope; gives its columns. */
  statement(node: Node, outer?: Scope): Columns {
    if ('SelectStmt' in node) return this.select(node.SelectStmt, outer);
    if ('InsertStmt' in node) return this.insert(node.InsertStmt, outer);
    if ('DeclareCursorStmt' in node) {
      return node.DeclareCursorStmt.query ? this.statement(node.DeclareCursorStmt.query, outer) : [];
    }
    const scope = new Scope(outer);
    if ('UpdateStmt' in node) {
      const { relation, fromClause = [], whereClause, targetList, returningClause, withClause } = node.UpdateStmt;
      this.with(withClause, scope);
      const sources = [...(relation ? [{ RangeVar: relation }] : []), ...fromClause];
      return this.level(scope, sources, whereClause, returningClause?.exprs ?? [], targetList);
    }
    if ('DeleteStmt' in node) {
      const { relation, usingClause = [], whereClause, returningClause, withClause } = node.DeleteStmt;
      this.with(withClause, scope);
      const sources = [...(relation ? [{ RangeVar: relation }] : []), ...usingClause];
      return this.level(scope, sources, whereClause, returningClause?.exprs ?? [], undefined);
    }
    throw new Error(`${partsOf(node)[0]} is not a statement that is known here.`);
  }
}

const rowsOf = (alias: string, columns: Columns): Relation => {
  const tenant = columns.find(({ name }) => name === 'tenant');
  return { alias, hasTenant: tenant !== undefined, bound: tenant?.isTenant ?? false };
};

/** The conditions of joins, which hold queries of their own at times. */
function joinConditions(item: Node): Node[] {
  if (!('JoinExpr' in item)) return [];
  const { larg, rarg, quals } = item.JoinExpr;
  return [...[larg, rarg].flatMap(side => (side ? joinConditions(side) : [])), ...(quals ? [quals] : [])];
}

/** Whether it is a statement on rows: not one of transactions, settings or the schema. */
export async function isOnRows(text: string): Promise<boolean> {
  const { stmts = [] } = await parse(text);
  return stmts.every(({ stmt }) => stmt !== undefined && kinds.includes(partsOf(stmt)[0]));
}

/** Those of `tables` that the statement reads or writes without its tenant. */
export async function unboundTables(text: string, tables: ReadonlySet<string>): Promise<string[]> {
  const analysis = new Analysis(tables);
  const { stmts = [] } = await parse(text);
  for (const { stmt } of stmts) if (stmt) analysis.statement(stmt);
  return [...analysis.unbound].sort();
}
