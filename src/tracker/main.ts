import closeWithGrace from 'close-with-grace';
import { createTracker } from './app.ts';
import { readConfig } from './config.ts';
import { errorText } from './log.ts';

/** The local tracker: for development, demonstrations and tests, on this machine only. */

const fail = (error: unknown): never => {
  process.stderr.write(`${errorText(error)}\n`);
  process.exit(1);
};

try {
  const config = readConfig(process.env);
  const { app } = await createTracker(config);
  closeWithGrace({ delay: 5_000, logger: false }, async ({ err }) => {
    if (err) app.log.error(err);
    await app.close();
  });
  try {
    await app.listen({ host: '127.0.0.1', port: config.port });
  } catch (error) {
    await app.close();
    const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    fail(busy ? new Error(`Port ${config.port} is in use. Set TRACKER_PORT to another one.`) : error);
  }
  app.log.info(`The local tracker is at http://localhost:${config.port}`);
} catch (error) {
  fail(error);
}
