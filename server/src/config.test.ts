// Proves NAV 08, API 05
import { expect, test } from 'vitest'
import { ConfigError, isLoopback, readConfig } from './config.ts'

const MAIL = { SMTP_URL: 'smtp://localhost' }
const POSTGRES = { DATABASE_URL: 'postgres://localhost/x' }
const OWN = { ...POSTGRES, VAULT_KEY: 'k', VAPID_PRIVATE_KEY: 'k' }
const STRIPE = { STRIPE_SECRET_KEY: 'sk', STRIPE_PUBLISHABLE_KEY: 'pk' }
const KITE = {
  OPENID_KITE_CLUB_ISSUER: 'https://id.example/o/potluck/',
  OPENID_KITE_CLUB_CLIENT_ID: 'id',
  OPENID_KITE_CLUB_CLIENT_SECRET: 'secret',
  OPENID_KITE_CLUB_NAME: 'Kite Club',
}
const GOOGLE = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
// Each of these makes the server reachable from outside.
const EXPOSED = [{ HOST: '0.0.0.0' }, { HOST: '192.168.1.5' }, { SITE_URL: 'https://site.example' }]

test.each<[Record<string, string>, object]>([
  // The defaults: a sheltered development server with demo data and captured mail.
  [{}, { port: 3000, host: '127.0.0.1', siteUrl: 'http://localhost:3000', databaseUrl: undefined }],
  [{}, { demo: true, outbox: true, exposed: false, sheltered: true, socialLinks: [], socialClients: {} }],
  [{}, { generated: ['VAULT_KEY', 'VAPID_PRIVATE_KEY'] }],
  ...EXPOSED.map((env): [Record<string, string>, object] => [
    { ...env, ...MAIL },
    { demo: false, outbox: false, exposed: true, sheltered: false },
  ]),
  [
    { NODE_ENV: 'production', DEMO: 'off', ...MAIL },
    { sheltered: false, exposed: false },
  ],
  // Servers that share a database must share their secrets. Captured mail has to be requested explicitly.
  [
    { ...OWN, ...MAIL },
    { generated: [], sheltered: false, demo: false },
  ],
  [
    { ...OWN, OUTBOX: 'on' },
    { demo: false, outbox: true },
  ],
  // The site's default URL has the port, and an empty variable counts as unset.
  [{ PORT: '4100', SITE_URL: '' }, { siteUrl: 'http://localhost:4100' }],
  [{ SITE_URL: 'http://localhost:3000/' }, { siteUrl: 'http://localhost:3000' }],
  [
    { SOCIAL_LINKS: 'https://x.com/us, https://y.com/@us ,' },
    { socialLinks: ['https://x.com/us', 'https://y.com/@us'] },
  ],
  [{ ...GOOGLE, X_CLIENT_ID: '' }, { socialClients: { google: { clientId: 'id', secret: 'secret' } } }],
  [
    {
      ...KITE,
      OPENID_ONLY: 'on',
      OPENID_KITE_CLUB_DOMAIN: 'Kite.example',
      OPENID_KITE_CLUB_TRUST_EMAIL: 'on',
    },
    {
      openidOnly: true,
      openidProviders: [
        {
          ...{ id: 'custom:kite-club', name: 'Kite Club', issuer: KITE.OPENID_KITE_CLUB_ISSUER },
          ...{ clientId: 'id', secret: 'secret', trustsEmail: true, domain: 'kite.example' },
        },
      ],
    },
  ],
  [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: 'whsec' }, { environment: expect.objectContaining(STRIPE) }],
])('%o is understood as %o', (env, config) => {
  const read = readConfig(env)
  expect(read).toMatchObject(config)
  if ('socialClients' in config) expect(read.socialClients).toEqual(config.socialClients)
})

test.each<[Record<string, string>, string]>([
  // The error names the variable and the reason.
  [{ PORT: 'many' }, 'PORT'],
  [{ JWT_SECRET: 'short' }, 'JWT_SECRET: needs at least 32 characters'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ REALTIME_SOCKETS: '0' }, 'REALTIME_SOCKETS'],
  [{ SOCIAL_LINKS: 'javascript:alert(1)' }, 'SOCIAL_LINKS'],
  [{ FACEBOOK_CLIENT_ID: 'id' }, 'FACEBOOK_CLIENT_ID and FACEBOOK_CLIENT_SECRET'],
  [{ X_CLIENT_SECRET: 'secret' }, 'X_CLIENT_ID and X_CLIENT_SECRET'],
  [{ ...KITE, OPENID_KITE_CLUB_NAME: '' }, 'OPENID_KITE_CLUB_NAME'],
  [
    { ...KITE, OPENID_KITE_CLUB_ISSUER: 'http://id.example' },
    'OPENID_KITE_CLUB_ISSUER: has to be an https address',
  ],
  [{ OPENID_KITE_CLUB_ISUER: 'https://id.example' }, 'OPENID_KITE_CLUB_ISUER is not a setting'],
  [{ OPENID_ONLY: 'on' }, 'OPENID_ONLY=on needs an OpenID provider'],
  [STRIPE, 'Missing: STRIPE_WEBHOOK_SECRET.'],
  [{ PAYOUT_HOLDER: 'Potluck' }, 'Missing: PAYOUT_IBAN, PAYOUT_TOWN, PAYOUT_COUNTRY.'],
  // Unsafe starts: an exposed server must be able to send mail, and must not have demo accounts.
  ...EXPOSED.flatMap((env): [Record<string, string>, string][] => [
    [env, 'SMTP_URL'],
    [{ ...env, OUTBOX: 'on' }, 'OUTBOX=on'],
    [{ ...env, ...MAIL, DEMO: 'on' }, 'DEMO=on'],
  ]),
  [{ NODE_ENV: 'production' }, 'SMTP_URL'],
  [{ NODE_ENV: 'production', OUTBOX: 'on' }, 'OUTBOX=on'],
  [{ ...OWN, DEMO: 'on', OUTBOX: 'on' }, 'DEMO=on'],
  [OWN, 'OUTBOX=on'],
  [{ ...POSTGRES, OUTBOX: 'on' }, 'must agree on VAULT_KEY and VAPID_PRIVATE_KEY'],
  [{ ...POSTGRES, OUTBOX: 'on', VAULT_KEY: 'k' }, 'must agree on VAPID_PRIVATE_KEY'],
  [{ ...MAIL, OUTBOX: 'on' }, 'exclude'],
])('%o is refused with %s', (env, words) => {
  expect(() => readConfig(env)).toThrow(ConfigError)
  expect(() => readConfig(env)).toThrow(words)
})

test('loopback is this machine, by whatever name', () => {
  const here = ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'app.localhost']
  const elsewhere = ['0.0.0.0', '::', '127.0.0.1.evil.example', 'site.example']
  expect([...here, ...elsewhere].filter(isLoopback)).toEqual(here)
})
