/** Touchstone in a vitest suite of your own: one test a rule, grouped by area. Put it beside touchstone.yaml. */
import { conformance } from 'touchstone/vitest';

conformance('touchstone.yaml', { depth: 'quick' });
