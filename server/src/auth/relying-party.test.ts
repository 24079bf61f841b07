import { expect, test } from 'vitest'
import { readAuthSettings } from './auth-settings.ts'

const read = (toml: string, siteUrl = 'https://potluck.example') =>
  readAuthSettings(`[auth.passkey]\nenabled = true\n[auth.webauthn]\n${toml}`, { siteUrl }).passkeys

test('there are no passkeys unless the project wants them', () => {
  expect(readAuthSettings('', { siteUrl: 'https://potluck.example' }).passkeys).toBeNull()
})

test.each([
  ['https://potluck.example', 'potluck.example'],
  ['https://potluck.example:8443/', 'potluck.example'],
  ['http://localhost:3000', 'localhost'],
  ['http://one.localhost:3000', 'one.localhost'],
])('%s is the site %s', (siteUrl, id) => {
  const left = 'rp_id = "env(PASSKEY_DOMAIN)"\nrp_origins = ["env(SITE_URL)"]'
  const site = { name: id, id, origins: [new URL(siteUrl).origin] }
  expect(read('', siteUrl)).toEqual(site)
  expect(read(`${left}\nrp_display_name = "Potluck"`, siteUrl)).toEqual({ ...site, name: 'Potluck' })
})

test.each(['http://127.0.0.1:3000', 'https://127.0.0.1', 'https://[::1]:3000', 'http://potluck.example'])(
  'browsers refuse passkeys to %s',
  (siteUrl) => expect(read('', siteUrl)).toBeNull(),
)

test('the file may name a wider domain and several pages', () => {
  const origins = ['https://one.potluck.example', 'https://potluck.example:8443']
  const toml = `rp_id = "potluck.example"\nrp_origins = ${JSON.stringify(origins)}`
  expect(read(toml)).toEqual({ name: 'potluck.example', id: 'potluck.example', origins })
})

test.each([
  ['rp_id = "https://potluck.example"\nrp_origins = ["https://potluck.example"]', 'rp_id'],
  ['rp_id = "127.0.0.1"\nrp_origins = ["http://127.0.0.1"]', 'rp_id'],
  ['rp_origins = ["https://potluck.example"]', 'rp_id'],
  ['rp_id = "potluck.example"', 'rp_origins'],
  ['rp_id = "potluck.example"\nrp_origins = ["https://notpotluck.example"]', 'notpotluck.example'],
  ['rp_id = "potluck.example"\nrp_origins = ["https://potluck.example/"]', 'rp_origins'],
  ['rp_id = "potluck.example"\nrp_origins = ["potluck.example"]', 'rp_origins'],
])('%j stops the start', (toml, named) => {
  expect(() => read(toml)).toThrow(named)
})
