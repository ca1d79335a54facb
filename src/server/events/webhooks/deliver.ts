import http from 'node:http';
import https from 'node:https';
import { answerWithin } from '../../platform/bounded.ts';
import { addressIn, createPublicLookup, isPublicAddress, PrivateAddress } from './public-address.ts';

/** A call to send. */
export interface OutgoingCall {
  /** URL of the site whose call it is. */
  site: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The receiver's status, 0 without an answer, and the milliseconds until then. */
export interface DeliveryAnswer {
  status: number;
  took: number;
}

/** Sends a call once. Never rejects. */
export type Deliver = (call: OutgoingCall) => Promise<DeliveryAnswer>;

/** A host that may be private and without TLS for the webhooks of one site; both have their port, if it is not the usual one. */
export interface SiteHost {
  site: string;
  host: string;
}

export interface DeliverOptions {
  privateHosts?: readonly SiteHost[];
  lookup?: ReturnType<typeof createPublicLookup>;
  /** Milliseconds for the receiver to answer. */
  time?: number;
}

/** A receiver that needs more time should accept the call first and work afterwards. */
const CALL_TIMEOUT_MS = 5_000;

const isPrivateHost = (site: string, { host }: URL, privateHosts: readonly SiteHost[]): boolean =>
  privateHosts.some(each => each.host === host && each.site === new URL(site).host);

/** Whether a site may store the address: https, or one of its private hosts; a name is resolved with each call. */
export function isAllowed(site: string, url: string, privateHosts: readonly SiteHost[] = []): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') return false;
  if (isPrivateHost(site, parsed, privateHosts)) return true;
  const address = addressIn(parsed);
  return (
    parsed.protocol === 'https:' && (address === undefined ? parsed.hostname.includes('.') : isPublicAddress(address))
  );
}

/** Sends calls to the internet only. Redirects are not followed, and answers not read: they could lead elsewhere. */
export function createDeliver({
  privateHosts = [],
  lookup = createPublicLookup(),
  time = CALL_TIMEOUT_MS,
}: DeliverOptions = {}): Deliver {
  const status = ({ site, headers, body }: OutgoingCall, url: URL): Promise<number> => {
    const isPrivate = isPrivateHost(site, url, privateHosts);
    const { request } = url.protocol === 'http:' ? http : https;
    const sent = request(url, {
      method: 'POST',
      // A connection of its own for each call: the host is checked while it is made.
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(!isPrivate && { lookup }),
    });
    const answered = new Promise<number>((resolve, reject) => {
      sent.once('response', answer => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      });
      sent.on('error', reject);
      sent.end(body);
    });
    return answerWithin(sent, answered, time);
  };

  return async call => {
    const begun = performance.now();
    const answered = async () => {
      if (!isAllowed(call.site, call.url, privateHosts)) throw new PrivateAddress();
      return status(call, new URL(call.url));
    };
    const answerStatus = await answered().catch(() => 0);
    return { status: answerStatus, took: Math.round(performance.now() - begun) };
  };
}
