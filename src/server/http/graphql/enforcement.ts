import type { CustomersView } from '../../checklists/service/types.ts';
import type { WorkflowChecks } from '../../settings/workflow-checks.ts';
import { builder } from './builder.ts';
import { PortalModeType } from './portal.ts';

interface Enforcement {
  checks: WorkflowChecks;
  customers: CustomersView;
}

const EnforcementType = builder.objectRef<Enforcement>('Enforcement').implement({
  description: 'What follows from gates, mandatory items and sections for customers.',
  fields: t => ({
    gates: t.boolean({
      nullable: true,
      description: "Some workflow rule of the issue's project checks gates; null if the tracker does not say.",
      resolve: ({ checks }) => checks.gates,
    }),
    mandatory: t.boolean({
      nullable: true,
      description:
        "Some workflow rule of the issue's project checks mandatory items; null if the tracker does not say.",
      resolve: ({ checks }) => checks.mandatory,
    }),
    hasPortal: t.boolean({
      nullable: true,
      description: "The issue's project has a portal; null where that is not known.",
      resolve: ({ customers }) => customers.hasPortal ?? null,
    }),
    portal: t.field({
      type: PortalModeType,
      description: 'What customers see in the portal, if there is one.',
      resolve: ({ customers }) => customers.mode,
    }),
  }),
});

builder.queryFields(t => ({
  enforcement: t.field({
    type: EnforcementType,
    description: 'Whether gates and mandatory items of an issue are checked, and its sections shown to customers.',
    args: {
      issueId: t.arg.id(),
      issueType: t.arg.id({
        required: false,
        description: "Id of the issue's type, by which a project may have workflows.",
      }),
    },
    resolve: async (_root, { issueId, issueType }, { checklists, workflowChecks }) => {
      // The permission to view the issue comes first.
      const customers = await checklists.customersView(issueId);
      const of = { project: customers.project, issueType: issueType ?? undefined };
      return { checks: await workflowChecks(of), customers };
    },
  }),
}));
