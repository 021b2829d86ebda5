/** Addresses that requests are sent from: `127.0.0.2`, `127.0.0.2-127.0.0.9`, `127.1.0.0/24`, with commas between them. */

const numberOf = (address: string): number | undefined => {
  const parts = address.split('.').map(Number);
  return parts.length === 4 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)
    ? parts.reduce((sum, part) => sum * 256 + part, 0)
    : undefined;
};

/** How many; undefined: not addresses. Of other than IPv4, only single ones. */
export function countAddresses(ranges: string): number | undefined {
  let count = 0;
  for (const range of ranges.split(',')) {
    const some = countOf(range.trim());
    if (some === undefined) return undefined;
    count += some;
  }
  return count;
}

function countOf(range: string): number | undefined {
  if (/^[0-9a-fA-F:]*:[0-9a-fA-F:]*$/.test(range)) return 1;
  const [address = '', bits] = range.split('/');
  if (bits !== undefined) {
    const size = 2 ** (32 - Number(bits));
    if (numberOf(address) === undefined || !/^\d+$/.test(bits) || size < 1 || size > 65_536) return undefined;
    // The first and the last of a block are no hosts.
    return size > 2 ? size - 2 : size;
  }
  const [from = '', to = from] = range.split('-');
  const [low, high] = [numberOf(from), numberOf(to)];
  return low === undefined || high === undefined || high < low ? undefined : high - low + 1;
}
