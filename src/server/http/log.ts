import { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { destination, type LoggerOptions } from 'pino';

/** A request without its query: tokens stand there. */
const req = ({ id, method, url }: FastifyRequest) => ({ id, method, path: url.split('?', 1)[0] });

const res = ({ statusCode }: FastifyReply) => ({ statusCode });

/** An error without what libraries attach to it: statements with their values, whole client objects. */
function err(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}

/** Structured logs. Nothing of a checklist's text is ever handed to the log. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  redact: ['*.headers.authorization', '*.headers.cookie', 'authorization', '*.jwt', '*.token', '*.secret'],
  serializers: { req, res, err, error: err },
});

/** Bytes of lines that are gathered, and milliseconds after which what there is goes out: each writing stops the server. */
const GATHERED = 8_192;
const LONGEST = 200;

/** Where a server's lines go: standard output, all of them by its end unless it is killed. */
export const logStream = () => destination({ sync: false, minLength: GATHERED, periodicFlush: LONGEST });

/** One line a request, once it is answered. */
class OneLine extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: FastifyError | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const about = { req: request, res: reply, responseTime: reply.elapsedTime };
    if (error) reply.log.error({ ...about, err: error }, 'request errored');
    else reply.log.info(about, 'request completed');
  }
}

export const oneLine = (): LogController => new OneLine();
