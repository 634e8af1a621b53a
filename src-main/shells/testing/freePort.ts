/** A port for a server that a test starts and that cannot choose one itself. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Returns a port of loopback at which no server listens. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
