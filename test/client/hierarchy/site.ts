import type { HostRequest, HostResponse } from '../../../src/bridge/bridge.ts';
import { status } from '../fake-bridge.ts';

/** An issue of a tracker in memory. Ids are numbers, keys `T-{id}`. */
export interface FakeTreeIssue {
  id: string;
  parent?: string;
  subtask?: boolean;
  /** `[other, name of the link]`. */
  links?: readonly (readonly [string, string])[];
  /** Not visible to the user. */
  hidden?: boolean;
}

/** A tracker that answers the calls of a hierarchy with the real one's limits. */
export interface TreeSite {
  issues: Map<string, FakeTreeIssue>;
  /** In order: `children 1,2` or `fetch 1,2`. */
  asked: string[];
  /** Answers that replace the tracker's. */
  faults: ((asked: string) => HostResponse | undefined)[];
  request(path: string, init?: HostRequest): HostResponse;
}

const PAGE = 100;

export function treeSite(issues: readonly FakeTreeIssue[]): TreeSite {
  const site: TreeSite = {
    issues: new Map(issues.map(issue => [issue.id, issue])),
    asked: [],
    faults: [],
    request: (path, { query = {}, json } = {}) => {
      const seen = (name: string) => {
        const issue = site.issues.get(name.replace(/^T-/, ''));
        return issue?.hidden ? undefined : issue;
      };
      const answer = (asked: string, found: () => HostResponse): HostResponse => {
        site.asked.push(asked);
        for (const fault of site.faults) {
          const given = fault(asked);
          if (given) return given;
        }
        return found();
      };
      if (path.endsWith('/issue/bulkfetch')) {
        const { issueIdsOrKeys } = json as { issueIdsOrKeys: string[] };
        return answer(`fetch ${issueIdsOrKeys.join()}`, () => {
          if (issueIdsOrKeys.length > PAGE) return status(400, 'No more than 100 issues.');
          return ok({ issues: issueIdsOrKeys.flatMap(name => seen(name) ?? []).map(bean) });
        });
      }
      if (path.endsWith('/search/jql')) {
        const [, list = ''] = /^parent in \(([^)]*)\) order by created asc$/.exec(String(query.jql)) ?? [];
        const parents = list.split(', ');
        return answer(`children ${parents.join()}`, () => {
          const unknown = parents.find(id => !seen(id));
          if (unknown !== undefined) return status(400, `An issue with key '${unknown}' does not exist.`);
          const all = [...site.issues.values()].filter(
            ({ parent, hidden }) => !hidden && parent !== undefined && parents.includes(parent),
          );
          const from = Number(query.nextPageToken ?? 0);
          const end = from + Math.min(PAGE, Number(query.maxResults));
          const more = end < all.length ? { nextPageToken: String(end) } : {};
          return ok({ issues: all.slice(from, end).map(bean), ...more });
        });
      }
      return status(404, 'No such thing.');
    },
  };
  return site;
}

const ok = (value: unknown) => status(200, JSON.stringify(value));

const bean = ({ id, parent, subtask = false, links = [] }: FakeTreeIssue) => ({
  id,
  key: `T-${id}`,
  fields: {
    summary: `Issue ${id}`,
    assignee: Number(id) % 2 ? { displayName: 'Ana', avatarUrls: {} } : null,
    priority: id === '9' ? { name: 'High', iconUrl: 'https://t.example/high.svg' } : null,
    status: { name: 'To Do', statusCategory: { colorName: 'blue-gray' } },
    issuetype: { name: subtask ? 'Sub-task' : 'Story', iconUrl: 'https://t.example/story.svg', subtask },
    project: { id: '9', key: 'T' },
    ...(parent !== undefined && { parent: { id: parent, key: `T-${parent}` } }),
    issuelinks: links.map(([other, words]) => ({
      id: `${id}-${other}`,
      type: { name: 'Blocks', inward: words, outward: words },
      outwardIssue: { id: other, key: `T-${other}` },
    })),
  },
});
