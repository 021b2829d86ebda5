/** Tens of thousands of exchanges repeat the same few header lines: in memory each of these stands once. */
import type { Exchange, Header, RecordedResponse } from '../model/exchange.ts';
import { lean } from '../model/headers.ts';

/** Beyond it lines are mostly of their own, and remembering them costs more than it saves. */
const mostShared = 20_000;

export class Sharing {
  readonly #headers = new Map<string, Header>();

  exchange(exchange: Exchange): Exchange {
    const { request, response } = exchange;
    return {
      ...exchange,
      request: { ...request, headers: this.#shared(request.headers) },
      ...(response === undefined ? {} : { response: this.#response(response) }),
    };
  }

  #response(response: RecordedResponse): RecordedResponse {
    const leaner = lean(response);
    return leaner === response ? { ...response, headers: this.#shared(response.headers) } : leaner;
  }

  #shared(headers: readonly Header[]): readonly Header[] {
    return headers.map((header) => {
      const name = header.join('\n');
      const known = this.#headers.get(name);
      if (known === undefined && this.#headers.size < mostShared) this.#headers.set(name, header);
      return known ?? header;
    });
  }
}
