// Finds free loopback ports, for servers that must know their port before they start. The ports are below the range
// that systems use for outgoing connections and for port 0, because another process could take a port of that range
// first.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

const LOWEST = 10_240
const HIGHEST = 32_767
/**
 * The next port to try. Parallel processes start at different ports, and a process never returns the same port twice.
 */
let next = randomInt(LOWEST, HIGHEST)

export async function freePort(): Promise<number> {
  const port = next
  next = port === HIGHEST ? LOWEST : port + 1
  return (await isFree(port)) ? port : freePort()
}

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })

/** Makes a server listen on loopback, on the given port or any free one. Returns the server's URL. */
export async function listen(server: Server, port = 0): Promise<string> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
