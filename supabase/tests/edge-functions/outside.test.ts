import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listen } from '../../../server/test/free-port.ts'
import { fetchOutside, isPublic, NotOutside, outsideUrl } from '../../functions/_shared/outside.ts'

const dns = vi.hoisted(() => ({ lookup: vi.fn(), resolve4: vi.fn(), resolve6: vi.fn() }))
vi.mock('node:dns/promises', () => dns)
dns.lookup.mockResolvedValue([{ address: '127.0.0.1' }])

const PRIVATE =
  `0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 192.0.0.1 192.0.2.1
  192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8
  64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001:db8::1 2001::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0
  fec0::1 ff02::1 localhost`.split(/\s+/)

test('no address of a machine, a network or a purpose is public', () => {
  expect(PRIVATE.filter(isPublic)).toEqual([])
  expect(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111'].every(isPublic)).toBe(true)
})

test('what cannot be called is refused before anything is resolved, however it is written', () => {
  const refused = {
    'This is no web address': 'nonsense ftp://a.example',
    'The address must start with https://': 'http://a.example',
    'The address must not contain a user name or password': 'https://user@a.example',
    'The port must be 443, or 1024 or higher': 'https://a.example:25',
    'The address is not on the public internet': `https://127.1 https://0x7f.1 https://2130706433 https://017700000001
      https://[::1] https://[::ffff:a9fe:a9fe] https://[fe80::1]:8443`,
  }
  for (const [sentence, addresses] of Object.entries(refused))
    for (const address of addresses.split(/\s+/))
      expect(() => outsideUrl(address, 'home.example:8123'), address).toThrow(sentence)
  const taken = [
    'https://a.example',
    'https://a.example:8443/x',
    'https://1.1.1.1',
    'http://home.example:8123',
  ]
  for (const address of taken) expect(outsideUrl(address, 'home.example:8123').href).toContain(address)
})

let server: Server
let port = 0
const asked: { host: string | undefined; body: string }[] = []
beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked.push({ host: request.headers.host, body: Buffer.concat(await request.toArray()).toString() })
    if (request.url === '/silent') return
    if (request.url === '/dripping') return response.write('x')
    if (request.url === '/elsewhere') return response.writeHead(302, { Location: '/' }).end()
    response.end('🍲'.repeat(10_000))
  })
  port = Number(new URL(await listen(server)).port)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const call = (path: string, allowed = `hook.example:${port}`) =>
  fetchOutside(`http://hook.example:${port}${path}`, {
    method: 'POST',
    body: 'né',
    timeoutMs: 300,
    maxBytes: 1024,
    allowed,
  })

test('connects to the address that was checked, and reads no more than it was told to', async () => {
  expect(await call('/')).toMatchObject({ status: 200, isCut: true, body: { length: 1024 } })
  // Only the test's resolver knows this name, so the connection went to the IP address that was checked.
  expect(asked).toEqual([{ host: `hook.example:${port}`, body: 'né' }])
  expect(await call('/elsewhere')).toMatchObject({ status: 302, isCut: false })
  expect(asked).toHaveLength(2)
  for (const path of ['/silent', '/dripping']) await expect(call(path)).rejects.toThrow('0.3 seconds')
})

test('a name that is not there is said to be that', async () => {
  for (const resolve of [dns.resolve4, dns.resolve6]) resolve.mockRejectedValue(new Error('queryA ENOTFOUND'))
  const options = { timeoutMs: 300, maxBytes: 1, allowed: '' }
  await expect(fetchOutside('https://nowhere.example', options)).rejects.toThrow('queryA ENOTFOUND')
})

test('a name with one private address is not called, unless the operator has named it with its port', async () => {
  for (const address of PRIVATE) {
    dns.resolve4.mockResolvedValue(['1.1.1.1'])
    dns.resolve6.mockResolvedValue([address])
    const options = { timeoutMs: 300, maxBytes: 1, allowed: `hook.example:${port + 1}` }
    await expect(fetchOutside(`https://hook.example:${port}`, options), address).rejects.toThrow(NotOutside)
  }
})
