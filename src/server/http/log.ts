import { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { destination, type LoggerOptions } from 'pino';
import { notesOf } from '../errors/request-notes.ts';

/** A request without its query, which may have tokens. */
const req = ({ id, method, url }: FastifyRequest) => ({ id, method, path: url.split('?', 1)[0] });

const res = ({ statusCode }: FastifyReply) => ({ statusCode });

/** An error without properties of libraries, such as statements with values, or client objects. */
function err(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}

/** Structured logs. A checklist's text is never logged. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  redact: ['*.headers.authorization', '*.headers.cookie', 'authorization', '*.jwt', '*.token', '*.secret'],
  serializers: { req, res, err, error: err },
});

/** Lines are buffered, as each write blocks the server. */
const BUFFER_BYTES = 8_192;
const FLUSH_INTERVAL_MS = 200;

/** Applies to lines that wait for room on the disk. Later lines are lost. */
const MAX_WAITING_BYTES = 1_048_576;

/**
 * Writes log lines to standard output (or `dest`, a path), buffered; flushes at the end unless the process is killed. While
 * they cannot be written, as on a full disk, the server goes on.
 */
export function logStream(dest: string | number = 1) {
  const stream = destination({
    ...{ dest, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_INTERVAL_MS, maxLength: MAX_WAITING_BYTES },
  });
  let isFailing = false;
  // Without a listener the process would end, and the flush at its end repeats a failed write for ever.
  stream.on('error', () => {
    isFailing = true;
  });
  stream.on('write', () => {
    isFailing = false;
  });
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => {
    if (!isFailing) flush();
  };
  return stream;
}

/** Logs one line per request, after the response: the request, its tenant, and its outcome. */
class OneLine extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: FastifyError | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const about = { req: request, res: reply, ...notesOf(request, reply), responseTime: reply.elapsedTime };
    if (error) reply.log.error({ ...about, err: error }, 'request errored');
    else reply.log.info(about, 'request completed');
  }
}

export const oneLine = (): LogController => new OneLine();
