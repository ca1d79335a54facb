import { portalModes } from '../../../domain/permissions.ts';
import type { Status } from '../../../domain/statuses.ts';
import type { PortalView } from '../../checklists/read/portal.ts';
import { builder } from './builder.ts';
import { Color } from './statuses.ts';

export const PortalModeType = builder.enumType('PortalMode', {
  description:
    'What portal customers see: whole checklists, as installations before the choice did, nothing, or the sections marked for them.',
  values: portalModes,
});

const PortalStatusType = builder.objectRef<Status>('PortalStatus').implement({
  description: 'A custom status that the text names.',
  fields: t => ({
    slug: t.exposeString('slug'),
    name: t.exposeString('name'),
    checked: t.exposeBoolean('checked'),
    color: t.expose('color', { type: Color }),
  }),
});

const PortalType = builder.objectRef<PortalView>('PortalChecklist').implement({
  description: 'What the portal shows of a checklist.',
  fields: t => ({
    mode: t.expose('mode', { type: PortalModeType, description: 'ALL: read the checklist itself.' }),
    text: t.exposeString('text', { description: 'The sections for customers, without names of people.' }),
    statuses: t.field({ type: [PortalStatusType], resolve: ({ statuses }) => [...statuses] }),
  }),
});

builder.queryFields(t => ({
  portalChecklist: t.field({
    type: PortalType,
    description: 'What customers see of the checklist of their request.',
    args: { issueId: t.arg.id() },
    resolve: (_root, { issueId }, { checklists }) => checklists.portal(issueId),
  }),
}));
