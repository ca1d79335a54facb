/** What is kept of a client: all that it sends to the server, and what it takes for an answer. */

// Each defines its operations.
import.meta.glob(['../../../src/client/**/*.ts', '!**/*.d.ts'], { eager: true });

export { connectBridge } from '../../../src/bridge/connect.ts';
export { forgeServer } from '../../../src/bridge/forge-server.ts';
export { createGraphql } from '../../../src/client/graphql.ts';
export { keepStream } from '../../../src/client/live/stream.ts';
export { createSession } from '../../../src/client/session.ts';
export { build } from '../../../src/domain/build/build.ts';
export { operations } from './recorded.ts';
export { setHost } from './vendor.ts';
