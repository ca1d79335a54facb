/** Says in the browser's log what no screen shows. */
export function warn(message: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the one place that logs in the browser
  console.warn(message, error);
}
