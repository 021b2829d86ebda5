/** By which way a container reaches this machine. */
import { networkInterfaces } from 'node:os';

/** The name that engines know for the machine they run on; it has to be told to those on Linux. */
export const hostName = 'host.docker.internal';

/** On Linux the bridge is an address of this machine, at which nobody else can listen in; elsewhere the engine has a name for it. */
export function hostFor(gateway: string | undefined): { readonly listen: string; readonly advertise: string } {
  const ours = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === gateway));
  return gateway !== undefined && ours
    ? { listen: gateway, advertise: gateway }
    : { listen: '0.0.0.0', advertise: hostName };
}
