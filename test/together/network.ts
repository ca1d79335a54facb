import { HostUnreachable } from '../../src/bridge/bridge.ts';

/** A request on its way to the server, or its answer on the way back. */
interface Delivery {
  /** Who sent the request, and from which of the person's frames. */
  person: number;
  frame: number;
  what: string;
  arrive(): void;
  lose(): void;
}

/** The network between frames and servers: nothing arrives unless a step says so. */
export function createNetwork() {
  let waiting: Delivery[] = [];
  const offline = new Set<number>();

  const remove = (delivery: Delivery) => {
    waiting = waiting.filter(other => other !== delivery);
  };

  /** Resolves with an answer when both the request and the answer have arrived. */
  const request = <Answer extends object>(
    from: Pick<Delivery, 'person' | 'frame'>,
    what: string,
    answer: () => Promise<Answer>,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const lose = () => reject(new HostUnreachable('The network is gone.'));
      if (offline.has(from.person)) return lose();
      const back = (given: Answer) => {
        waiting.push({ ...from, what: `the answer to ${what}`, arrive: () => resolve(given), lose });
      };
      waiting.push({ ...from, what, lose, arrive: () => void answer().then(back, reject) });
    });

  return {
    request,
    waiting: (): readonly Delivery[] => waiting,
    arrive: (delivery: Delivery) => {
      remove(delivery);
      delivery.arrive();
    },
    lose: (delivery: Delivery) => {
      remove(delivery);
      delivery.lose();
    },
    goOffline: (person: number) => {
      offline.add(person);
      for (const delivery of waiting.filter(each => each.person === person)) {
        remove(delivery);
        delivery.lose();
      }
    },
    goOnline: (person: number) => offline.delete(person),
    isOffline: (person: number) => offline.has(person),
  };
}

export type Network = ReturnType<typeof createNetwork>;
