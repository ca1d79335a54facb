import type { Tenant } from '../connect/tenants.ts';
import type { Metrics } from '../http/metrics.ts';
import { createTracker, type Tracker, type TrackerOptions } from './client.ts';

export interface TrackersOptions extends Pick<TrackerOptions, 'send' | 'sleep'> {
  metrics: Metrics;
}

/** Each tenant's tracker, its calls counted. */
export type Trackers = (tenant: Tenant) => Tracker;

export const createTrackers =
  ({ metrics, ...options }: TrackersOptions): Trackers =>
  tenant =>
    createTracker(tenant, { ...options, onCall: (call, status) => metrics.calls.inc({ call, status }) });
