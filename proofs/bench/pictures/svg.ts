/** What a terminal shows, as an SVG. */

const colours: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '36': '#79c0ff',
  '2': '#8b949e',
  '90': '#8b949e',
};
const lineHeight = 17;
/** Characters that fit next to each other. */
const columns = 119;

const escaped = (part: string): string => part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line of text with its SGR codes as spans. */
function spans(line: string): string {
  let style = '';
  return line
    .split('\u001b[')
    .map((piece, at) => {
      const end = at === 0 ? -1 : piece.indexOf('m');
      for (const code of at === 0 ? [] : piece.slice(0, end).split(';')) {
        if (code === '1') style += ' font-weight="bold"';
        else if (colours[code] !== undefined) style += ` fill="${colours[code]}"`;
        else style = '';
      }
      const rest = piece.slice(end + 1);
      return rest === '' ? '' : `<tspan${style}>${escaped(rest)}</tspan>`;
    })
    .join('');
}

/** At most this many visible characters; SGR codes take no room. */
function fitted(line: string): string {
  let room = columns;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an SGR code begins with one
  const parts = line.split(/(\u001b\[[\d;]*m)/).map((part, at) => {
    if (at % 2 === 1) return part;
    const shown = part.length > room ? `${part.slice(0, Math.max(0, room - 1))}${room > 0 ? '…' : ''}` : part;
    room = part.length > room ? 0 : room - part.length;
    return shown;
  });
  return parts.join('');
}

export function terminalSvg(text: string, label: string): string {
  const lines = text.split('\n').map(fitted);
  const height = lines.length * lineHeight + 40;
  const rows = lines.map(
    (line, at) => `<text x="20" y="${at * lineHeight + 32}" xml:space="preserve">${spans(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="980" height="${height}" viewBox="0 0 980 ${height}" role="img" aria-label="${label}">
<rect width="980" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">
${rows.join('\n')}
</g>
</svg>
`;
}
