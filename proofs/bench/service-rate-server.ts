/** The two servers that `service-rate.ts` compares, each in a process of its own. */
import { createServer } from 'node:http';
import { serve } from '../../fixtures/service/index.ts';

const [kind, answer = ''] = process.argv.slice(2);

if (kind === 'service') {
  const { port } = await serve({ host: '127.0.0.1', port: 0, seed: 'bench', keyLimits: false, addressLimit: false });
  process.send?.(port);
} else {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, headers);
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') process.send?.(address?.port);
  });
}
