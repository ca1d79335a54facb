import { QueryClient } from '@tanstack/react-query';
import { RequestFailed } from './fetch.ts';

/** Refusals are final; silence and server errors are worth another two tries. */
const worthRetry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof RequestFailed && error.status >= 400 && error.status < 500);

export const client = new QueryClient({ defaultOptions: { queries: { retry: worthRetry, retryDelay: 500 } } });

/** Reads the issues on the page anew, as `AP.jira.refreshIssuePage` asks. */
export const refreshIssue = (): void => {
  void client.invalidateQueries({ queryKey: ['issue'] });
};
