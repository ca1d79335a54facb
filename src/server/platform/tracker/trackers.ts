import type { Metrics } from '../../monitoring/metrics.ts';
import type { Cause } from '../../quota/work.ts';
import { createTracker, type Tracker, type TrackerOptions } from './client.ts';
import type { CallTarget } from './endpoint.ts';

export interface TrackersOptions
  extends Pick<TrackerOptions, 'quota' | 'onTime' | 'askers' | 'refused' | 'send' | 'sleep' | 'now'> {
  metrics: Metrics;
}

/** The tracker of a tenant for a cause, with metrics. */
export type Trackers = (tenant: CallTarget, cause: Cause) => Tracker;

export const createTrackers =
  ({ metrics, ...options }: TrackersOptions): Trackers =>
  (tenant, cause) =>
    createTracker(tenant, {
      ...{ ...options, cause },
      onCall: (call, status) => metrics.calls.inc({ call, status }),
      withoutToken: whose => metrics.withoutToken.inc({ whose }),
    });
