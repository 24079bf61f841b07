// Proves API 05
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDuration, readAuthSettings, unsupportedSettings } from './auth-settings.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'auth-settings-'))
  await writeFile(join(root, 'invite.html'), '<p>{{ .Email }}</p>')
  await writeFile(join(root, 'odd.html'), '<p>{{ if .Email }}</p>')
})
afterAll(() => rm(root, { recursive: true }))

describe('settings of the project', () => {
  test('an empty file means what Supabase means by default', () => {
    expect(readAuthSettings('')).toMatchObject({
      siteUrl: 'http://localhost:3000',
      jwtExpirySeconds: 3600,
      confirmations: true,
      doubleConfirmChanges: true,
      passwordRules: { minimumLength: 6, characters: '', symbols: expect.stringContaining('-') },
      reuseIntervalSeconds: 10,
      otpExpirySeconds: 3600,
      otpLength: 6,
      rateLimits: {
        mailInterval: { count: 1, seconds: 60 },
        failedAttempts: { count: 5, seconds: 900 },
        failedAttemptsOfAll: { count: 50, seconds: 900 },
        factorCodes: { count: 30, seconds: 120 },
        requests: { count: 30, seconds: 300 },
        verifications: { count: 30, seconds: 300 },
        tokens: { count: 150, seconds: 300 },
      },
    })
  })

  test('the file is followed, and the installation has the last word', () => {
    const toml = `
      [auth]
      site_url = "https://site.example/"
      minimum_password_length = 12
      password_requirements = "letters_digits"
      [auth.email]
      max_frequency = "1m30s"
      [auth.email.template.invite]
      subject = "Come in"
      content_path = "./invite.html"
      [auth.email.template.somebody_elses]
      subject = "Not ours"`
    const settings = readAuthSettings(toml, {
      projectRoot: root,
      apiUrl: 'https://api.example/',
      jwtExpirySeconds: 60,
    })
    expect(settings).toMatchObject({
      siteUrl: 'https://site.example',
      apiUrl: 'https://api.example',
      jwtExpirySeconds: 60,
      passwordRules: { minimumLength: 12, characters: 'letters_digits' },
      rateLimits: { mailInterval: { seconds: 90 } },
    })
    expect(settings.templates.invite).toEqual({ subject: 'Come in', html: '<p>{{ .Email }}</p>' })
    expect(settings.templates.recovery.html).toContain('{{ .ConfirmationURL }}')
    expect(settings).not.toHaveProperty('projectRoot')
  })

  test.each([
    ['[auth]\njwt_expiry = "soon"', 'jwt_expiry'],
    ['[auth]\npassword_requirements = "anything"', 'password_requirements'],
    ['[auth.email]\nmax_frequency = "often"', 'max_frequency'],
    ['[auth.email.template.invite]\ncontent_path = "missing.html"', 'missing.html'],
    ['[auth.email.template.invite]\ncontent_path = "odd.html"', 'if .Email'],
    ['[auth.mfa.totp]\nenroll_enabled = true', 'needs verify_enabled'],
    [
      '[auth.hook.before_user_created]\nenabled = true\nuri = "https://example.org"',
      'must be a function of the database',
    ],
    ['[auth', 'TOML'],
  ])('%j stops the start', (toml, named) => {
    expect(() => readAuthSettings(toml, { projectRoot: root })).toThrow(named)
  })
})

test('settings that cannot be followed are named, and none of the project’s own', () => {
  const toml = `[api]
schemas = ["public", "graphql_public"]
[auth]
enable_anonymous_sign_ins = true
enable_manual_linking = false
[auth.sessions]
timebox = "12h"
[auth.external.github]
enabled = true
[auth.external.google]
enabled = false
[auth.mfa.phone]
enroll_enabled = true
[storage]
enabled = true`
  expect(unsupportedSettings(toml)).toEqual([
    'api.schemas',
    'auth.enable_anonymous_sign_ins',
    'auth.sessions.timebox',
    'auth.external.github.enabled',
    'auth.mfa.phone.enroll_enabled',
    'storage.enabled',
  ])
  const own = join(import.meta.dirname, '../../../supabase/config.toml')
  expect(unsupportedSettings(readFileSync(own, 'utf8'))).toEqual([])
})

describe('providers', () => {
  const client = { clientId: 'id', secret: 'secret' }
  const read = (toml: string, socialClients = {}) => readAuthSettings(toml, { socialClients }).providers

  test('none is on by itself, and the environment turns on the ones it names', () => {
    expect(read('[auth.external.google]\nenabled = false\nclient_id = "x"\nsecret = "y"')).toEqual({})
    expect(read('', { facebook: client })).toEqual({
      facebook: { ...client, url: undefined, redirectUri: undefined },
    })
  })

  test('the file may hold a registration of its own, where its hosts are, and where people come back to', () => {
    const toml = `
      [auth.external.x]
      enabled = true
      client_id = "own"
      secret = "own secret"
      url = "http://127.0.0.1:9000"
      redirect_uri = "https://site.example/back"`
    const x = { url: 'http://127.0.0.1:9000', redirectUri: 'https://site.example/back' }
    expect(read(toml)).toEqual({ x: { clientId: 'own', secret: 'own secret', ...x } })
    expect(read(toml, { x: client })).toEqual({ x: { ...client, ...x } })
  })

  test.each([
    'client_id = "env(GOOGLE_CLIENT_ID)"\nsecret = "env(GOOGLE_CLIENT_SECRET)"',
    'client_id = "x"',
    '',
  ])('one that is enabled with %j stops the start and says what to set', (lines) => {
    expect(() => read(`[auth.external.google]\nenabled = true\n${lines}`)).toThrow(
      'set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
    )
  })
})

describe('passkeys', () => {
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
})

test.each([
  ['60s', 60],
  ['1m30s', 90],
  ['1.5h', 5400],
  ['250ms', 0.25],
  ['0', 0],
  ['', null],
  ['60', null],
  ['-1s', null],
  ['soon', null],
])('the duration %j is %s seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})
