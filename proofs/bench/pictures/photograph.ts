/** A part of a report, as a browser shows it. */
import { join } from 'node:path';
import { browserPath, launch } from '../../../reports/html/testing.ts';
import { docs } from './places.ts';

export interface Photograph {
  readonly page: string;
  /** In `docs`. */
  readonly to: string;
  /** The part to show; the first screen if omitted. */
  readonly part?: string;
  /** What the picture omits. */
  readonly hide?: string;
  /** Pixels. The picture ends there. */
  readonly height?: number;
}

const width = 1120;
const margin = 16;

export async function photograph({ page, to, part, hide, height = 760 }: Photograph): Promise<void> {
  if (browserPath === undefined) throw new Error('no Chromium found: apt-get install -y chromium');
  const browser = await launch(browserPath);
  try {
    // The page's own policy allows no style but its own.
    const opened = await browser.newPage({ viewport: { width, height }, colorScheme: 'light', bypassCSP: true });
    await opened.goto(`file://${page}`);
    if (hide !== undefined) await opened.addStyleTag({ content: `${hide} { display: none !important }` });
    const path = join(docs, to);
    const box = part === undefined ? undefined : await opened.locator(part).first().boundingBox();
    if (box === null) throw new Error(`${page} shows no ${part}`);
    if (box === undefined) {
      await opened.screenshot({ path });
      return;
    }
    const tall = Math.min(height, Math.ceil(box.height) + 2 * margin);
    const clip = { x: 0, y: Math.max(0, Math.floor(box.y) - margin), width, height: tall };
    await opened.screenshot({ path, clip, fullPage: true });
  } finally {
    await browser.close();
  }
}
