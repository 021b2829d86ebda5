/** What the exchanges do not show, by the member that says it: the signer's word. */
export const claimed = [
  'subject',
  'issued',
  'suite.touchstone',
  'runs.target',
  'runs.profile',
  'runs.touchstone',
  'runs.started',
  'runs.ended',
  'runs.strict',
  'waivers',
  'limits',
  'measurements',
] as const;
