import type { Metrics } from '../../http/metrics.ts';
import type { Cause } from '../../quota/work.ts';
import type { Tenant } from '../connect/tenants.ts';
import { createTracker, type Tracker, type TrackerOptions } from './client.ts';

export interface TrackersOptions extends Pick<TrackerOptions, 'quota' | 'send' | 'sleep' | 'now'> {
  metrics: Metrics;
}

/** Each tenant's tracker for what calls are made for, its calls counted. */
export type Trackers = (tenant: Tenant, cause: Cause) => Tracker;

export const createTrackers =
  ({ metrics, ...options }: TrackersOptions): Trackers =>
  (tenant, cause) =>
    createTracker(tenant, { ...options, cause, onCall: (call, status) => metrics.calls.inc({ call, status }) });
