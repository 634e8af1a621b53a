/** Ports of the server: bound before they are served, because the engine needs their addresses before the services exist. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Fault } from '../../contract/calls/faults.ts'
import { message } from '../../contract/words/message.ts'
import { localOrigins } from './gate.ts'

/** A port that is bound but not yet served. */
export interface OpenPort {
  server: Server
  port: number
  origin: string
  /** All origins by which clients reach it; `origin` is the first. */
  origins: readonly string[]
}

/** Binds a port of this machine; 0 takes any free one. Throws `Fault` refused where it is in use. */
export function openPort(port: number): Promise<OpenPort> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => reject(portFault({ host: '127.0.0.1', port }, error)))
    server.listen(port, '127.0.0.1', () => {
      server.removeAllListeners('error')
      const opened = (server.address() as AddressInfo).port
      const origins = localOrigins(opened)
      resolve({ server, port: opened, origin: origins[0] ?? '', origins })
    })
  })
}

/** Why a port cannot be opened. */
export function portFault({ host, port }: { host: string; port: number }, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') return new Fault('refused', message('server.portTaken', { port }))
  if (error.code === 'EACCES') return new Fault('notAllowed', message('server.portDenied', { port }))
  return new Error(`listening on ${host}:${port}`, { cause: error })
}
