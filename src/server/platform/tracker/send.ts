import http from 'node:http';
import https from 'node:https';

/** A request as it goes over the wire. */
export interface Sent {
  method: string;
  headers: Readonly<Record<string, string>>;
  /** JSON text, `null` where there is none. */
  body: string | null;
  /** Milliseconds for all of it, from the connection to the answer's last byte. */
  time: number;
}

/** What comes back, of which a `fetch` would do as well. */
export interface Received extends Pick<Response, 'status' | 'text'> {
  headers: Pick<Headers, 'get'>;
}

/** Sends one request. Rejects where no whole answer comes in time, or one that leads elsewhere. */
export type Send = (url: URL, sent: Sent) => Promise<Received>;

/** Milliseconds for which an idle connection is kept: shorter than any tracker closes it, so that none breaks in use. */
const IDLE = 4_000;
const kept = { keepAlive: true, timeout: IDLE };
const clients = {
  'http:': { request: http.request, agent: new http.Agent(kept) },
  'https:': { request: https.request, agent: new https.Agent(kept) },
};

/** 303 is how the tracker says that it has begun a task; where that is told of is not followed. */
const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 303;

const headerOf = ({ headers }: http.IncomingMessage, name: string): string | null => [headers[name]].flat()[0] ?? null;

/** By Node's own client and not by `fetch`, which takes four times the processor's time: every change makes two calls. */
export const send: Send = (url, { method, headers, body, time }) =>
  new Promise((resolve, reject) => {
    const { request, agent } = clients[url.protocol === 'http:' ? 'http:' : 'https:'];
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const asked = request(url, { method, agent, headers: { ...headers, ...length } }, answer => {
      const { statusCode: status = 0 } = answer;
      let text = '';
      answer.setEncoding('utf8').on('data', piece => {
        text += piece;
      });
      answer.once('end', () => {
        clearTimeout(timer);
        if (isRedirect(status)) reject(new Error('The answer leads elsewhere.'));
        else resolve({ status, headers: { get: name => headerOf(answer, name) }, text: async () => text });
      });
      answer.on('error', fail);
    });
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => asked.destroy(new Error('No answer in time.')), time);
    asked.on('error', fail);
    asked.end(body ?? undefined);
  });
