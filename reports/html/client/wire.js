// Exchanges on demand: the steps of a rule, the list of all, and one by itself. What a service said is only ever made text.
{
  /**
   * @typedef {{ id: number, at: number, ms: number, status: number, waited: number, asked: number, answered: number,
   *   sent: number, received: number, took: number, curl?: number, notes?: number[] }} Exchange
   * @typedef {{ context: number, exchanges: number[], twin?: number, came?: number, ms: number }} Step
   * @typedef {{ texts: string[], exchanges: Exchange[], steps: Record<string, Step[]>, left: number }} Data
   */
  /** @param {string} id @returns {any} */
  const byId = (id) => document.getElementById(id);

  /** @type {Data | undefined} */
  let read;
  /** @type {Map<number, number>} Where an exchange is in the list. */
  const places = new Map();
  /** Megabytes are read when somebody wants to see them. @returns {Data} */
  const data = () => {
    if (read === undefined) {
      read = /** @type {Data} */ (JSON.parse(byId('data').textContent));
      for (const [place, { id }] of read.exchanges.entries()) places.set(id, place);
    }
    return read;
  };
  /** @param {number} at */
  const text = (at) => data().texts[at] ?? '';

  /** @param {string} name @param {Record<string, string>} attributes @param {(Node | string)[]} content */
  const element = (name, attributes = {}, ...content) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  };

  /** @param {number} waited */
  const bar = (waited) => {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    const set = (/** @type {Element} */ made, /** @type {Record<string, string | number>} */ attributes) => {
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
      return made;
    };
    set(svg, { class: 'bar', width: 60, height: 8, viewBox: '0 0 60 8', 'aria-hidden': 'true' });
    svg.append(
      set(document.createElementNS(space, 'rect'), { class: 'wait', width: 60 * waited, height: 8 }),
      set(document.createElementNS(space, 'rect'), {
        class: 'read',
        x: 60 * waited,
        width: 60 - 60 * waited,
        height: 8,
      }),
    );
    return svg;
  };

  /** @param {Exchange} exchange */
  const status = ({ status: code, answered }) =>
    element('span', { class: `status s${Math.floor(code / 100)}` }, text(answered));

  /** As `wire.ts` writes it. @param {Exchange} exchange */
  const wire = (exchange) => {
    const side = (/** @type {string} */ title, /** @type {number} */ said) =>
      element('div', {}, element('h3', {}, title), element('pre', { tabindex: '0' }, text(said)));
    const made = element(
      'div',
      { class: 'wire' },
      element('p', { class: 'line' }, element('code', {}, text(exchange.asked)), ' ', status(exchange)),
      element('p', { class: 'quiet' }, bar(exchange.waited), ' ', text(exchange.took)),
      element('div', { class: 'sides' }, side('Sent', exchange.sent), side('Came', exchange.received)),
    );
    if (exchange.curl !== undefined) {
      const notes = (exchange.notes ?? []).map((note) => element('li', {}, text(note)));
      made.append(
        element('h3', {}, 'Reproduce'),
        element('pre', { class: 'curl', tabindex: '0' }, text(exchange.curl)),
        element('button', { type: 'button', class: 'copy' }, 'Copy'),
        element('ul', { class: 'notes' }, ...notes),
      );
    }
    return made;
  };

  const drawer = byId('drawer');
  let current = 0;
  /** @param {number} id */
  const show = (id) => {
    const { exchanges } = data();
    const place = places.get(id);
    const exchange = place === undefined ? undefined : exchanges[place];
    current = id;
    byId('drawer-title').textContent = `Exchange ${id}`;
    byId('drawer-content').replaceChildren(
      exchange === undefined
        ? element('p', {}, 'This exchange is in the run file only: the report had no room for it.')
        : wire(exchange),
    );
    byId('previous').disabled = place === undefined || place === 0;
    byId('next').disabled = place === undefined || place === exchanges.length - 1;
    if (!drawer.open) drawer.showModal();
    drawer.scrollTop = 0;
  };
  /** @param {number} step */
  const go = (step) => {
    const place = places.get(current);
    const next = place === undefined ? undefined : data().exchanges[place + step];
    if (next !== undefined) show(next.id);
  };
  byId('previous').addEventListener('click', () => go(-1));
  byId('next').addEventListener('click', () => go(1));
  byId('close').addEventListener('click', () => drawer.close());
  drawer.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'ArrowLeft') go(-1);
    else if (event.key === 'ArrowRight') go(1);
  });
  drawer.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    if (event.target === drawer) drawer.close();
  });
  document.addEventListener('click', (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest('a[data-exchange]');
    if (!(link instanceof HTMLElement) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(Number(link.dataset.exchange));
  });

  /** @param {number} id */
  const link = (id) =>
    element('a', { class: 'exchange', href: `#exchange-${id}`, 'data-exchange': String(id) }, `#${id}`);

  /** @param {string[]} titles */
  const table = (...titles) => {
    const body = element('tbody');
    const head = element('tr', {}, ...titles.map((title) => element('th', { scope: 'col' }, title)));
    return {
      whole: element('div', { class: 'wide', tabindex: '0' }, element('table', {}, element('thead', {}, head), body)),
      body,
    };
  };
  const long = (/** @type {Node | string} */ content) => element('td', { class: 'long' }, content);
  const cell = (/** @type {(Node | string)[]} */ ...content) => element('td', {}, ...content);

  /**
   * Rows, some hundred at a time. @template T
   * @param {HTMLElement} place @param {string[]} titles @param {T[]} items @param {(item: T) => Node} row
   */
  const list = (place, titles, items, row) => {
    const { whole, body } = table(...titles);
    const more = element('button', { type: 'button' });
    let shown = 0;
    const add = () => {
      body.append(...items.slice(shown, shown + 200).map(row));
      shown = Math.min(shown + 200, items.length);
      more.textContent = `Show more (${items.length - shown})`;
      more.hidden = shown === items.length;
    };
    more.addEventListener('click', add);
    add();
    place.replaceChildren(whole, more);
  };

  /** @param {Step} step */
  const stepRow = ({ context, exchanges, twin, came, ms }) => {
    const links = exchanges.flatMap((id) => [link(id), ' ']);
    return element(
      'tr',
      {},
      long(text(context)),
      cell(...links, ...(twin === undefined ? [] : ['twin ', link(twin)])),
      cell(came === undefined ? '' : text(came)),
      cell(`${ms} ms`),
    );
  };

  for (const place of document.querySelectorAll('.steps')) {
    if (!(place instanceof HTMLElement) || place.dataset.count === '0') continue;
    const content = element('div');
    const summary = element('summary', {}, `All exchanges (${place.dataset.count})`);
    const whole = element('details', { class: 'asked' }, summary, content);
    const titles = ['context', 'exchanges', 'remark', 'took'];
    whole.addEventListener(
      'toggle',
      () => {
        const steps = data().steps[place.dataset.rule ?? ''] ?? [];
        list(content, titles, steps, stepRow);
        const left = Number(place.dataset.count) - steps.length;
        if (left > 0) content.append(element('p', { class: 'quiet' }, `${left} more are in the run file only.`));
      },
      { once: true },
    );
    place.append(whole);
  }

  /** @param {Exchange} exchange */
  const exchangeRow = (exchange) =>
    element(
      'tr',
      {},
      cell(link(exchange.id)),
      cell(`${(exchange.at / 1000).toFixed(2)} s`),
      long(element('code', {}, text(exchange.asked))),
      cell(status(exchange)),
      cell(`${exchange.ms} ms`),
    );
  const log = byId('log');
  const fill = () => {
    const wanted = byId('log-search').value.toLowerCase();
    const fitting = data().exchanges.filter(
      ({ asked, answered, sent, received }) =>
        wanted === '' || [asked, answered, sent, received].some((at) => text(at).toLowerCase().includes(wanted)),
    );
    list(byId('log-list'), ['exchange', 'at', 'asked', 'answered', 'took'], fitting, exchangeRow);
    const left = data().left > 0 ? `; ${data().left} more are in the run file only` : '';
    byId('log-shown').textContent = `${fitting.length} of ${data().exchanges.length} exchanges${left}`;
  };
  log?.addEventListener('toggle', fill, { once: true });
  byId('log-search')?.addEventListener('input', fill);
}
