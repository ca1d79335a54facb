/** Messages of the app as a whole. */

export const unauthorized = 'Unauthorized.';
export const retry = 'Retry';
export const support = 'If the problem persists, please contact customer support.';
export const unsaved =
  'It looks like you have been editing something. If you leave before saving, your changes will be lost.';
export const noDialog = "The dialog didn't open. Reload the page and try again.";
export const chunkFailed = (chunk: string) => `Loading chunk ${chunk} failed.`;
export const userBatchFailed = 'Failed to fetch batch of users';
export const flagsOutsideProvider = 'useFeatureFlags must be used within a FeatureFlagsProvider';
