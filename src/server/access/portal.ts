import type { PortalMode } from '../../domain/permissions.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import { createCache } from '../store/cached.ts';

/** The project of an issue, and whether customers can see the issue in a portal. */
export interface IssuePlace {
  /** Id of the issue's project; `undefined` if the tracker does not name the project. */
  project: string | undefined;
  /** Whether its project has a portal; `undefined` while unknown. */
  service: boolean | undefined;
}

/** An account with permission to browse an issue of a project counts as the project's agent for this time. */
const AGENT_MS = 60 * 60_000;
const MAX_CACHED_AGENTS = 10_000;

/** The part of checklists that customers see in a project with a portal. */
export const modeIn = ({ portal }: Tenant, project: string | undefined): PortalMode =>
  (project === undefined ? undefined : portal.projects.get(project)) ?? portal.fallback;

/** Whether customers of some project see less than all of a checklist. */
const isRestricted = ({ portal }: Tenant): boolean =>
  portal.fallback !== 'ALL' || [...portal.projects.values()].some(mode => mode !== 'ALL');

/** Decides which part of checklists an account sees as a customer, and which accounts are agents. */
export interface Portal {
  /** The part of an issue's checklist that customers see. Makes no call if the site restricts nothing. */
  modeOf(caller: Caller, issueId: string): Promise<PortalMode>;
  /** Whether a frame's token alone lets this account see all of a checklist: it cannot be a customer who sees less. */
  trusts(caller: Caller, issueId: string): Promise<boolean>;
  /** Notes that the tracker lets an account browse an issue. */
  isAgent(caller: Caller, issueId: string): Promise<void>;
}

/** `placeOf` reads a known issue's place from the database, an unknown one's from the tracker. */
export function createPortal(
  placeOf: (caller: Caller, issueId: string) => Promise<IssuePlace>,
  now: () => number,
): Portal {
  /** Until when an account is no customer of a project. */
  const agents = createCache<number>(MAX_CACHED_AGENTS);
  const keyOf = ({ tenant, account }: Caller, { project }: IssuePlace) =>
    project === undefined ? undefined : JSON.stringify([tenant.id, tenant.epoch, account, project]);

  async function look(caller: Caller, issueId: string): Promise<{ place: IssuePlace; mode: PortalMode } | undefined> {
    if (!isRestricted(caller.tenant)) return undefined;
    const place = await placeOf(caller, issueId);
    return { place, mode: place.service === false ? 'ALL' : modeIn(caller.tenant, place.project) };
  }

  return {
    modeOf: async (caller, issueId) => (await look(caller, issueId))?.mode ?? 'ALL',
    async trusts(caller, issueId) {
      const issueMode = await look(caller, issueId);
      if (!issueMode || issueMode.mode === 'ALL') return true;
      const key = keyOf(caller, issueMode.place);
      return key !== undefined && (agents.get(key) ?? 0) > now();
    },
    async isAgent(caller, issueId) {
      const issueMode = await look(caller, issueId);
      const key = issueMode && issueMode.mode !== 'ALL' ? keyOf(caller, issueMode.place) : undefined;
      if (key !== undefined) agents.set(key, now() + AGENT_MS);
    },
  };
}
