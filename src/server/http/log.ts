import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoggerOptions } from 'pino';

/** A request without its query: tokens stand there. */
const req = ({ id, method, url }: FastifyRequest) => ({ id, method, path: url.split('?', 1)[0] });

const res = ({ statusCode }: FastifyReply) => ({ statusCode });

/** An error without what libraries attach to it: statements with their values, whole client objects. */
function err(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}

/** Structured logs, one line a request. Nothing of a checklist's text is ever handed to the log. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  redact: ['*.headers.authorization', '*.headers.cookie', 'authorization', '*.jwt', '*.token', '*.secret'],
  serializers: { req, res, err, error: err },
});
