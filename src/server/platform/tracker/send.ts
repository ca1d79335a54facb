import http from 'node:http';
import https from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { answerWithin, TooLong } from '../bounded.ts';

/** A request to send. */
export interface OutgoingRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  /** JSON text, `null` if there is none. */
  body: string | null;
  /** Timeout in milliseconds, from the connection to the response's last byte. */
  time: number;
  /** The maximum number of bytes of the response, by default the size of the largest expected response. */
  most?: number;
}

/** The response, compatible with `fetch`. */
export interface Received extends Pick<Response, 'status' | 'text'> {
  headers: Pick<Headers, 'get'>;
}

/** Sends one request. Rejects if the response is incomplete at the timeout or too long, and for a redirect. */
export type Send = (url: URL, sent: OutgoingRequest) => Promise<Received>;

/** An idle connection is closed before the tracker closes it. */
const IDLE_TIMEOUT_MS = 4_000;
const agentOptions = { keepAlive: true, timeout: IDLE_TIMEOUT_MS };
const clients = {
  'http:': { request: http.request, agent: new http.Agent(agentOptions) },
  'https:': { request: https.request, agent: new https.Agent(agentOptions) },
};

/** An answer with a hundred issues, with full properties and fields, has a third of this size. */
const MAX_ANSWER_BYTES = 33_554_432;

/** Except for 303, with which the tracker refers to a started task; it is not followed. */
const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 303;

const headerOf = ({ headers }: http.IncomingMessage, name: string): string | null => [headers[name]].flat()[0] ?? null;

/** Uses Node's HTTP client: `fetch` takes four times the CPU time, and every change makes two calls. */
export const send: Send = async (url, { method, headers, body, time, most = MAX_ANSWER_BYTES }) => {
  const { request, agent } = clients[url.protocol === 'http:' ? 'http:' : 'https:'];
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
  const clientRequest = request(url, { method, agent, headers: { ...headers, ...length } });
  const received = new Promise<Received>((resolve, reject) => {
    clientRequest.once('response', answer => {
      const { statusCode: status = 0 } = answer;
      let [text, size] = ['', 0];
      const decoder = new StringDecoder('utf8');
      answer.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > most) return void answer.destroy(new TooLong(most));
        text += decoder.write(piece);
      });
      answer.once('end', () => {
        if (isRedirect(status)) reject(new Error('The answer leads elsewhere.'));
        else
          resolve({ status, headers: { get: name => headerOf(answer, name) }, text: async () => text + decoder.end() });
      });
      answer.on('error', reject);
    });
    clientRequest.on('error', reject);
    clientRequest.end(body ?? undefined);
  });
  return answerWithin(clientRequest, received, time);
};
