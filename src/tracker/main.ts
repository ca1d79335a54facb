import closeWithGrace from 'close-with-grace';
import { createTracker } from './app.ts';
import { readConfig } from './config.ts';
import { errorText } from './log.ts';

/** Names of the listeners, by the variable with the listener's port. */
const names = {
  TRACKER_PORT: 'The local tracker is',
  TRACKER_SECOND_PORT: 'Its second site is',
  FORGE_RESOURCE_PORT: 'The pages of the Forge app are',
};

/** The local tracker: for development, demonstrations and tests, on this machine only. */

const fail = (error: unknown): never => {
  process.stderr.write(`${errorText(error)}\n`);
  process.exit(1);
};

try {
  const config = readConfig(process.env);
  const { app, second, resources } = await createTracker(config);
  closeWithGrace({ delay: 5_000, logger: false }, async ({ err }) => {
    if (err) app.log.error(err);
    await app.close();
  });
  await listen(app, config.port, 'TRACKER_PORT');
  if (second && config.secondPort) await listen(second.app, config.secondPort, 'TRACKER_SECOND_PORT');
  if (resources && config.forge) await listen(resources, config.forge.resourcePort, 'FORGE_RESOURCE_PORT');

  async function listen(site: typeof app, port: number, variable: keyof typeof names): Promise<void> {
    try {
      await site.listen({ host: '127.0.0.1', port });
    } catch (error) {
      await app.close();
      const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      throw busy ? new Error(`Port ${port} is in use. Set ${variable} to another one.`) : error;
    }
    app.log.info(`${names[variable]} at http://localhost:${port}`);
  }
} catch (error) {
  fail(error);
}
