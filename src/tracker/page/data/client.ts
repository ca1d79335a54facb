import { QueryClient } from '@tanstack/react-query';
import { RequestFailed } from './fetch.ts';

/** Refusals are final; timeouts and server errors are retried twice. */
const worthRetry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof RequestFailed && error.status >= 400 && error.status < 500);

export const client = new QueryClient({ defaultOptions: { queries: { retry: worthRetry, retryDelay: 500 } } });

/** Reloads the issues on the page, for `AP.jira.refreshIssuePage`. */
export const refreshIssue = (): void => {
  void client.invalidateQueries({ queryKey: ['issue'] });
};
