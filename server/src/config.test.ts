import { describe, expect, test } from 'vitest'
import { ConfigError, isLoopback, readConfig } from './config.ts'

const refusal = (env: Record<string, string>) => {
  try {
    readConfig(env)
    return undefined
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
  }
}

test('an empty environment is a sheltered development server with demo data and captured mail', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    siteUrl: 'http://localhost:3000',
    demo: true,
    outbox: true,
    exposed: false,
    sheltered: true,
    databaseUrl: undefined,
  })
})

test.each<Record<string, string>>([
  { HOST: '0.0.0.0' },
  { SITE_URL: 'https://site.example' },
  { DATABASE_URL: 'postgres://localhost/x', VAULT_KEY: 'k', VAPID_PRIVATE_KEY: 'k' },
  { NODE_ENV: 'production' },
])('%o is not sheltered', (env) => {
  expect(readConfig({ ...env, DEMO: 'off', SMTP_URL: 'smtp://localhost' }).sheltered).toBe(false)
})

test('links follow the port, and a variable set to nothing counts as not set', () => {
  expect(readConfig({ PORT: '4100', SITE_URL: '' }).siteUrl).toBe('http://localhost:4100')
  expect(readConfig({ SITE_URL: 'http://localhost:3000/' }).siteUrl).toBe('http://localhost:3000')
})

test('a wrong variable is named, and so is what is wrong with it', () => {
  expect(refusal({ PORT: 'many' })).toContain('PORT')
  expect(refusal({ JWT_SECRET: 'short' })).toContain('JWT_SECRET: needs at least 32 characters')
  expect(refusal({ DATABASE_URL: 'mysql://x' })).toContain('DATABASE_URL')
  expect(refusal({ REALTIME_SOCKETS: '0' })).toContain('REALTIME_SOCKETS')
})

test('the operator names pages on social networks by their addresses', () => {
  expect(readConfig({}).socialLinks).toEqual([])
  expect(readConfig({ SOCIAL_LINKS: 'https://x.com/us, https://youtube.com/@us ,' }).socialLinks).toEqual([
    'https://x.com/us',
    'https://youtube.com/@us',
  ])
  expect(refusal({ SOCIAL_LINKS: 'javascript:alert(1)' })).toContain('SOCIAL_LINKS')
})

test('a client id with its secret turns on a provider, and one without the other is refused', () => {
  expect(readConfig({}).socialClients).toEqual({})
  expect(
    readConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', X_CLIENT_ID: '' }).socialClients,
  ).toEqual({ google: { clientId: 'id', secret: 'secret' } })
  expect(refusal({ FACEBOOK_CLIENT_ID: 'id' })).toContain('FACEBOOK_CLIENT_ID and FACEBOOK_CLIENT_SECRET')
  expect(refusal({ X_CLIENT_SECRET: 'secret' })).toContain('X_CLIENT_ID and X_CLIENT_SECRET')
})

describe('a start that would leave a door open is refused', () => {
  const exposed: Record<string, string>[] = [
    { HOST: '0.0.0.0' },
    { HOST: '192.168.1.5' },
    { SITE_URL: 'https://site.example' },
  ]
  test.each(exposed)('with %o mail has to be sent', (env) => {
    expect(refusal(env)).toContain('SMTP_URL')
    expect(refusal({ ...env, OUTBOX: 'on' })).toContain('OUTBOX=on')
  })
  test.each(exposed)('with %o there are no demo accounts', (env) => {
    const mail = { SMTP_URL: 'smtp://localhost' }
    expect(refusal({ ...env, ...mail, DEMO: 'on' })).toContain('DEMO=on')
    expect(readConfig({ ...env, ...mail })).toMatchObject({ demo: false, outbox: false, exposed: true })
  })
  test('in production mail has to be sent, even on loopback', () => {
    expect(refusal({ NODE_ENV: 'production' })).toContain('SMTP_URL')
    expect(refusal({ NODE_ENV: 'production', OUTBOX: 'on' })).toContain('OUTBOX=on')
  })
  test('on own Postgres there are no demo accounts, and captured mail has to be asked for', () => {
    const own = { DATABASE_URL: 'postgres://localhost/x', VAULT_KEY: 'k', VAPID_PRIVATE_KEY: 'k' }
    expect(refusal({ ...own, DEMO: 'on', OUTBOX: 'on' })).toContain('DEMO=on')
    expect(refusal(own)).toContain('OUTBOX=on')
    expect(readConfig({ ...own, OUTBOX: 'on' })).toMatchObject({ demo: false, outbox: true })
  })
  test('a secret that servers of one database must agree on is set; a server by itself makes it', () => {
    const own = { DATABASE_URL: 'postgres://localhost/x', OUTBOX: 'on' }
    expect(refusal(own)).toContain('must agree on VAULT_KEY and VAPID_PRIVATE_KEY')
    expect(refusal({ ...own, VAULT_KEY: 'k' })).toContain('must agree on VAPID_PRIVATE_KEY')
    expect(readConfig({ ...own, VAULT_KEY: 'k', VAPID_PRIVATE_KEY: 'k' }).generated).toEqual([])
    expect(readConfig({}).generated).toEqual(['VAULT_KEY', 'VAPID_PRIVATE_KEY'])
  })
  test('what a function needs all of is set whole or not at all', () => {
    const keys = { STRIPE_SECRET_KEY: 'sk', STRIPE_PUBLISHABLE_KEY: 'pk' }
    expect(refusal(keys)).toContain('Missing: STRIPE_WEBHOOK_SECRET.')
    expect(readConfig({ ...keys, STRIPE_WEBHOOK_SECRET: 'whsec' }).environment).toMatchObject(keys)
    expect(refusal({ PAYOUT_HOLDER: 'Potluck' })).toContain('Missing: PAYOUT_IBAN.')
  })
  test('captured and sent mail exclude each other', () => {
    expect(refusal({ OUTBOX: 'on', SMTP_URL: 'smtp://localhost' })).toContain('exclude')
  })
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['app.localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.evil.example', false],
  ['site.example', false],
])('%s is loopback: %s', (host, loopback) => {
  expect(isLoopback(host)).toBe(loopback)
})
