/**
 * One connection of a client, and its own connection to the service: as many as the client keeps, kept as long, so that what
 * it would meet directly (a connection that was closed in the meantime, say) it meets here too.
 */
import { Agent, type ClientRequest } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';

export class Line {
  readonly number: number;
  readonly client: Socket;
  readonly agent: Agent;
  uses = 0;
  /** Calls under way. */
  open = 0;
  readonly #known = new WeakSet<Socket>();

  constructor(client: Socket, number: number, secure: boolean) {
    this.client = client;
    this.number = number;
    const options = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1 };
    this.agent = secure ? new TlsAgent(options) : new Agent(options);
    client.once('close', () => this.agent.destroy());
    client.once('end', () => {
      if (this.open === 0) client.end();
    });
  }

  /** When the service closes its side between two calls, the client sees it in the same way. */
  watch(call: ClientRequest): void {
    call.once('socket', (socket) => {
      if (this.#known.has(socket)) return;
      this.#known.add(socket);
      socket.once('close', () => {
        if (this.open === 0) this.client.end();
      });
    });
  }

  /** A connection under TLS has no reset of its own. */
  reset(): void {
    this.client.resetAndDestroy();
  }
}
