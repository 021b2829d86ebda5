/** By which way a container reaches this machine, and this machine a container. */
import { canListenAt } from './ports.ts';

/** The name that engines know for the machine they run on; on Linux it has to be passed to them. */
export const hostName = 'host.docker.internal';

/** On Linux the bridge is an address of this machine, at which nobody else can listen in; elsewhere the engine has a name for it. */
export async function hostFor(
  gateway: string | undefined,
): Promise<{ readonly listen: string; readonly advertise: string }> {
  return gateway !== undefined && (await canListenAt(gateway))
    ? { listen: gateway, advertise: gateway }
    : { listen: '0.0.0.0', advertise: hostName };
}

/**
 * Where the ports of containers are. A process that runs in a container itself is sent to the bridge; where that is an
 * address of this machine, the port is at loopback just as well, and there nobody else can reach it.
 */
export const portsAt = async (host: string): Promise<string> =>
  host === 'localhost' || (await canListenAt(host)) ? '127.0.0.1' : host;
