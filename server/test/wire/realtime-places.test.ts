// Nobody takes realtime from the others: so many places for an address, for a person, and for strangers.
import { afterEach, expect, test } from 'vitest'
import type { Limits } from '#realtime/limits.ts'
import { eventually } from '../eventually.ts'
import {
  type BareSocket,
  newPerson,
  openSocket,
  type Person,
  startRealtimeAlone,
  testRealtime,
} from '../fixtures/realtime.ts'

const { db } = await testRealtime()
const FULL = { status: 'error', response: { reason: 'ConnectionRateLimitReached: Too many connected users' } }
const [olivia, marc, zoe] = [newPerson(), newPerson(), newPerson()]

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** A server with these limits, and a way to come to it, each time from another address unless told. */
async function place(limits: Partial<Limits>) {
  const server = await startRealtimeAlone(db, limits)
  endings.push(server.close)
  let addresses = 0
  return async (from?: string, key?: string): Promise<BareSocket> => {
    addresses += 1
    const socket = await openSocket(server, key ?? server.anonKey, from ?? `203.0.113.${addresses}`)
    endings.push(() => socket.ws.terminate())
    return socket
  }
}

const beats = async (socket: BareSocket) => {
  socket.send(null, 'beat', 'phoenix', 'heartbeat', {})
  await socket.next({ ref: 'beat' })
}
const joins = async (socket: BareSocket, person: Person) => {
  await socket.join('realtime:x', { token: await person.token() })
  return socket
}

test.each([
  ['an address', '203.0.113.7', '203.0.113.7', '203.0.113.8'],
  ['a network of IPv6', '2001:db8::1', '2001:db8::2:7', '2001:db8:0:1::1'],
])('%s has so many places, and another one its own', async (_what, address, same, other) => {
  const come = await place({ socketsPerAddress: 2 })
  const first = await come(address)
  await come(`10.0.0.1, ${same}`)
  await expect(come(address)).rejects.toThrow('429')
  await beats(await come(other))
  first.ws.close()
  await beats(await eventually(() => come(address)))
})

test('a person has so many places, with however many tokens', async () => {
  const come = await place({ socketsPerPerson: 2 })
  const [first] = [await joins(await come(), olivia), await joins(await come(), olivia)]
  const third = await come()
  const asOlivia = { token: await olivia.token() }
  expect((await third.tryJoin('realtime:x', asOlivia)).payload).toEqual(FULL)
  await joins(await come(), marc)
  // Nor by another way: joined as a stranger, and then with a token.
  await third.join('realtime:y')
  third.send('2', null, 'realtime:y', 'access_token', { access_token: await olivia.token() })
  await third.next({ event: 'phx_close', topic: 'realtime:y' })
  // Who has left every channel is a stranger again.
  first.send('1', 'leave', 'realtime:x', 'phx_leave', {})
  await first.next({ ref: 'leave' })
  await third.join('realtime:z', asOlivia)
})

test('strangers have a share, within which the one that waits longest makes room', async () => {
  const come = await place({ sockets: 4, strangersShare: 0.5 })
  const hers = await joins(await come(), olivia)
  const [first, second] = [await come(), await come()]
  await first.join('realtime:x')
  const third = await come()
  expect(await first.closed).toBe(1013)
  // The newcomer says who they are, and is safe from those who come after.
  await joins(third, marc)
  const [fourth, fifth] = [await come(), await come()]
  expect(await second.closed).toBe(1013)
  for (const socket of [hers, third, fourth, fifth]) await beats(socket)
})

test('with all places taken by people, nobody else comes', async () => {
  const come = await place({ sockets: 2 })
  const hers = await joins(await come(), olivia)
  await joins(await come(), marc)
  await expect(come()).rejects.toThrow('429')
  hers.ws.close()
  await joins(await eventually(() => come()), zoe)
})
