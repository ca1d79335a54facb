import { parseArgs } from 'node:util';
import type { Tenant } from '../platform/tenants.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { eachOf } from '../queue/each.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../store/vault.ts';
import { checkIssue, checkSite } from './check.ts';
import { Declined, type Result } from './result.ts';
import { exportTenant, findTenant, listTenants, namedTenants, removeSite } from './sites.ts';
import { type CommandName, commands, help, messages } from './texts.ts';
import { listDue, resealAll, showQuota } from './work.ts';

/** The services that a command works with. */
export interface CommandContext {
  store: Store;
  vault: Vault;
  /** The installed tenant of an id. */
  find(id: string): Promise<Tenant | undefined>;
  tracker(tenant: Tenant): Tracker;
  /**
   * Deletes data past its retention. Resolves with the numbers of deleted versions, and of rows of a removed tenant.
   */
  prune(tenant: string): Promise<{ revisions: number; removed: number }>;
  /** The most points of an hour that the app uses, if the operator limits them. */
  mostPoints: number | undefined;
  now(): number;
  /** Resolves when no running server works any more for a site that was uninstalled before. */
  settled(): Promise<void>;
}

/** The program's output, and its exit code. */
export interface Answer {
  output: string;
  errors: string;
  code: number;
}

/** Exit codes, beside those of the start (`admin.ts`). */
const EXIT_FOUND = 1;
const EXIT_USAGE = 2;

/** The command to run, or its answer if the answer needs no database. */
export type ParsedCommand = { run(operated: CommandContext): Promise<Answer> } | { answer: Answer };

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);
/** Whether a command takes so many arguments; those in brackets may be left out. */
function takes(name: CommandName, count: number): boolean {
  const words = commands[name].given.split(' ').filter(Boolean);
  return count <= words.length && count >= words.filter(word => !word.startsWith('[')).length;
}

const refused = (message: string, code: number): Answer => ({ output: '', errors: `${message}\n`, code });

interface Options {
  json?: boolean | undefined;
  confirm?: string | undefined;
  installed?: boolean | undefined;
  'dry-run'?: boolean | undefined;
  project?: string | undefined;
  repair?: boolean | undefined;
}

async function pruneAll({ store, prune }: CommandContext): Promise<Result> {
  const sites: ({ tenant: string; name: string } & Awaited<ReturnType<CommandContext['prune']>>)[] = [];
  const { failures } = await eachOf(
    await namedTenants(store),
    ({ name }) => name,
    async ({ id, name }) => sites.push({ tenant: id, name, ...(await prune(id)) }),
    { endsBy: () => 'never' },
  );
  const failed = failures.map(({ name, error }) => messages.failedFor(name, error));
  const revisions = sites.reduce((sum, site) => sum + site.revisions, 0);
  const removed = sites.filter(site => site.removed > 0).length;
  return {
    json: { sites, failed },
    text: [messages.pruned(sites.length, revisions, removed), ...failed].join('\n'),
    code: failed.length > 0 ? EXIT_FOUND : 0,
  };
}

async function check(
  operated: CommandContext,
  { project, repair = false }: Options,
  siteNameOrId: string,
  issue?: string,
) {
  const { store } = operated;
  const { id, name } = await findTenant(store, siteNameOrId);
  const tenant = await operated.find(id);
  if (!tenant) throw new Declined(messages.notInstalled(name));
  const site = { store, tenant, tracker: operated.tracker(tenant) };
  return issue === undefined ? checkSite(site, { project, repair }) : checkIssue(site, issue, repair);
}

type Run = (operated: CommandContext, options: Options, ...given: string[]) => Promise<Result>;

const runs: Record<CommandName, Run> = {
  tenants: ({ store }) => listTenants(store),
  export: async ({ store }, _options, tenant = '', file = '') =>
    exportTenant(store, await findTenant(store, tenant), file),
  remove: async ({ store, settled }, { confirm, installed = false }, tenant = '') =>
    removeSite(store, await findTenant(store, tenant), { confirm, evenInstalled: installed, settled }),
  prune: pruneAll,
  due: ({ store }) => listDue(store),
  quota: ({ store, mostPoints: most, now }) => showQuota(store, { most, now }),
  check: (operated, options, tenant = '', issue) => check(operated, options, tenant, issue),
  reseal: ({ store, vault }, options) => resealAll(store, vault, options['dry-run'] === true),
};

/** Reads the arguments of the program. */
export function readArguments(args: readonly string[]): ParsedCommand {
  let parsedArguments: { values: Options & { help?: boolean }; positionals: string[] };
  try {
    parsedArguments = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        confirm: { type: 'string' },
        installed: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        project: { type: 'string' },
        repair: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    return { answer: refused(error instanceof Error ? error.message : 'unknown', EXIT_USAGE) };
  }
  const { values, positionals } = parsedArguments;
  const [name, ...commandArguments] = positionals;
  if (values.help || name === undefined)
    return { answer: values.help ? { output: help, errors: '', code: 0 } : refused(help.trimEnd(), EXIT_USAGE) };
  if (!isCommand(name)) return { answer: refused(messages.unknownCommand(name), EXIT_USAGE) };
  if (!takes(name, commandArguments.length)) return { answer: refused(messages.usage(name), EXIT_USAGE) };
  return {
    async run(operated) {
      try {
        const { json, text, code = 0 } = await runs[name](operated, values, ...commandArguments);
        return { output: `${values.json ? JSON.stringify(json, null, 2) : text}\n`, errors: '', code };
      } catch (error) {
        if (error instanceof Declined) return refused(error.message, EXIT_FOUND);
        throw error;
      }
    },
  };
}
