import type { WebhookFault } from '../wire/faults.ts';
import type { Faults } from './faults.ts';

/** Deliveries to apps: sequential per queue, unless a fault changes that. */
export interface Deliveries {
  add(queue: string, fault: WebhookFault | undefined, deliver: () => Promise<void>): void;
  /** Resolves when no delivery is pending. */
  idle(): Promise<void>;
}

export function createDeliveries(faults: Faults): Deliveries {
  const queues = new Map<string, Promise<void>>();
  /** Deliveries that a fault took out of their queue. */
  const loose = new Set<Promise<void>>();

  function setLoose(delivery: Promise<void>): void {
    loose.add(delivery);
    void delivery.then(() => loose.delete(delivery));
  }

  return {
    add(name, { webhook, delayMs = 0 }: Partial<WebhookFault> = {}, deliver) {
      if (webhook === 'dropped') return;
      const later = () => faults.sleep(delayMs).then(deliver);
      if (webhook === 'overtaken') {
        setLoose(later());
        return;
      }
      const queue = (queues.get(name) ?? Promise.resolve()).then(webhook === 'late' ? later : deliver);
      queues.set(name, queue);
      void queue.then(() => {
        if (queues.get(name) === queue) queues.delete(name);
      });
      if (webhook === 'doubled') setLoose(queue.then(later));
    },
    async idle() {
      while (queues.size + loose.size > 0) await Promise.all([...queues.values(), ...loose]);
    },
  };
}
