// Search, filters, keys, colours and copying. The page can be read without all of it.
{
  /** @template {HTMLElement} T @param {string} selector @param {ParentNode} [within] @returns {T[]} */
  const all = (selector, within = document) => [...within.querySelectorAll(/** @type {any} */ (selector))];
  /** @param {string} id @returns {any} */
  const byId = (id) => document.getElementById(id);

  /** @type {HTMLDetailsElement[]} */
  const rules = all('details.rule');
  /** @type {HTMLButtonElement[]} */
  const chips = all('.chip');
  const search = byId('search');
  const level = byId('level');
  /** @type {Map<HTMLElement, string>} */
  const texts = new Map();

  /** @param {HTMLElement} rule */
  const textOf = (rule) => {
    let text = texts.get(rule);
    if (text === undefined) {
      text = (rule.textContent ?? '').toLowerCase();
      texts.set(rule, text);
    }
    return text;
  };

  const filter = () => {
    if (search === null) return;
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(chips.filter((chip) => chip.ariaPressed === 'false').map((chip) => chip.dataset.verdict));
    let shown = 0;
    for (const rule of rules) {
      const fits =
        !off.has(rule.dataset.verdict) &&
        (level.value === '' || rule.dataset.level === level.value) &&
        wanted.every((/** @type {string} */ word) => textOf(rule).includes(word));
      rule.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const area of all('.area')) area.hidden = all('details.rule:not([hidden])', area).length === 0;
    byId('none').hidden = shown > 0;
    byId('shown').textContent = shown === rules.length ? `${shown} rules` : `${shown} of ${rules.length} rules`;
  };

  /** The first choice shows one verdict alone; further ones add to it. @param {HTMLButtonElement} chip */
  const choose = (chip) => {
    const on = chips.filter((each) => each.ariaPressed === 'true');
    if (on.length === chips.length) for (const each of chips) each.ariaPressed = String(each === chip);
    else if (on.length === 1 && on[0] === chip) for (const each of chips) each.ariaPressed = 'true';
    else chip.ariaPressed = String(chip.ariaPressed !== 'true');
    filter();
  };

  /** What a link names is shown, whatever was filtered away or folded up. */
  const follow = () => {
    // Identifiers hold nothing that an address would spell otherwise.
    const target = document.getElementById(location.hash.slice(1));
    const rule = target?.closest('details.rule');
    if (!(rule instanceof HTMLDetailsElement)) return;
    if (rule.hidden) {
      search.value = '';
      level.value = '';
      for (const chip of chips) chip.ariaPressed = 'true';
      filter();
    }
    rule.open = true;
    rule.scrollIntoView({ block: 'start' });
    rule.querySelector('summary')?.focus({ preventScroll: true });
  };

  /** @param {number} step */
  const move = (step) => {
    /** @type {HTMLElement[]} */
    const seen = all('details.rule:not([hidden]) > summary');
    const here = seen.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    seen[Math.min(Math.max(here + step, 0), seen.length - 1)]?.focus();
  };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = /** @type {HTMLElement} */ (event.target);
    const typing = at.matches('input, select, textarea');
    if (event.key === '/' && !typing && byId('keys')?.checked) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && at === search) {
      search.value = '';
      filter();
    } else if (at.matches('details.rule > summary') && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (at === search && event.key === 'ArrowDown') {
      event.preventDefault();
      move(1);
    }
  });

  /** @param {HTMLElement} pre */
  const select = (pre) => {
    const range = document.createRange();
    range.selectNodeContents(pre);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
  };

  document.addEventListener('click', async (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest('button.copy');
    const pre = button?.previousElementSibling;
    if (!(button instanceof HTMLElement) || !(pre instanceof HTMLElement)) return;
    try {
      await navigator.clipboard.writeText(pre.textContent ?? '');
      button.textContent = 'Copied';
    } catch {
      // No clipboard here: what is selected can be copied by hand.
      select(pre);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });

  for (const pre of all('pre.curl')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    pre.after(button);
  }

  const theme = byId('theme');
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  };
  const tell = () => {
    theme.textContent = isDark() ? 'Light' : 'Dark';
  };
  theme.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    tell();
    document.dispatchEvent(new Event('theme'));
  });
  theme.hidden = false;
  tell();

  /** @param {boolean} open */
  const fold = (open) => {
    for (const rule of rules) if (!rule.hidden) rule.open = open;
  };
  // A run of load has no rules.
  if (search !== null) {
    for (const chip of chips) chip.addEventListener('click', () => choose(chip));
    search.addEventListener('input', filter);
    level.addEventListener('change', filter);
    byId('tools').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());
    byId('open-all').addEventListener('click', () => fold(true));
    byId('close-all').addEventListener('click', () => fold(false));
    byId('tools').hidden = false;
  }
  addEventListener('hashchange', follow);
  addEventListener('beforeprint', () => {
    for (const rule of rules) if (rule.dataset.verdict === 'fail') rule.open = true;
  });
  for (const part of all('.needs-script')) part.hidden = false;
  for (const part of all('.no-script')) part.hidden = true;
  filter();
  follow();
}
