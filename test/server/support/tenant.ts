import type { Tenant } from '../../../src/server/platform/tenants.ts';

/** An installed tenant with the usual settings, for a tracker client without a database. */
export const plainTenant = (values: Pick<Tenant, 'id' | 'url' | 'secret'> & Partial<Tenant>): Tenant => ({
  forge: undefined,
  licensed: true,
  epoch: 'e',
  mirror: 'own',
  portal: { fallback: 'ALL', projects: new Map() },
  statusVersion: 0,
  settings: {
    getting_started_template_id: null,
    manage_permissions_enabled: false,
    view_permissions_enabled: false,
    analytics_enabled: true,
  },
  ...values,
});
