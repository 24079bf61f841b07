// The site's vault key is changed while people use it.
// Proves VAULT 09
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readGeneratedSecrets } from '../../../server/src/functions/generated-secrets.ts'
import { rotateVaultKey } from '../../admin/rotate-vault-key.ts'
import { open, openDataKey, readSiteKeys } from '../../functions/vault/seal.ts'
import { nameOperator } from '../invoices.ts'
import { HOSTS } from './hosts.ts'
import { type Account, asking, IBAN, openVault, randomKey, type Vault } from './vault-host.ts'

const LIVE = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

const keysOf = (vault: Vault) =>
  vault.server.db.query<Record<'person_id' | 'wrapped' | 'site_key', string>>(
    'select * from private.vault_keys',
  )

/** Opens everybody's stored secrets with only this key of the site. */
async function openAll(vault: Vault, siteKey: string): Promise<string[]> {
  const [site] = await readSiteKeys(siteKey)
  const rows = await vault.server.db.query<
    Record<'id' | 'user_id' | 'sealed' | 'wrapped', string> & { version: number }
  >(
    `select b.*, k.wrapped from private.bank_accounts as b join private.vault_keys as k on k.person_id = b.user_id`,
  )
  return Promise.all(
    rows.map(async ({ id, user_id, version, sealed, wrapped }) => {
      if (!site) throw new Error('No key')
      const key = await openDataKey(site, wrapped, { kind: 'person', id: user_id })
      return (await open<{ iban: string }>(key, sealed, { kind: 'bank-account', id, version })).iban
    }),
  )
}

describe('with a key that the server made', () => {
  let vault: Vault
  beforeAll(async () => {
    vault = await openVault('our server', { VAULT_KEY: '' })
  })
  afterAll(() => vault.close())
  const secret = () => readGeneratedSecrets(vault.server.config.dataDir).VAULT_KEY ?? ''
  const save = (person: Account) =>
    vault.ask('bank-account', { iban: IBAN, holder: 'Olivia' }, person.accessToken)

  test('old and new people store before, while and after it changes, and all is with the new key', async () => {
    const [olivia, marc] = [await vault.addPerson('Olivia'), await vault.addPerson('Marc')]
    expect((await save(olivia)).status).toBe(200)
    const plan = await vault.sharePlan(olivia, marc)
    const store = (who: Account, at: string) =>
      vault.ask('save-plan-entry', { plan: at, password: 'Let me in' }, who.accessToken)
    const open = async (who: Account, at: string) =>
      (await vault.ask('open-plan-entry', { plan: at }, who.accessToken)).body.password
    expect((await store(olivia, plan)).status).toBe(200)
    expect(await open(marc, plan)).toBe('Let me in')
    const first = secret()
    const newcomers = await Promise.all(Array.from({ length: 5 }, () => vault.addPerson('Nina')))
    const rotating = rotateVaultKey(vault.server.config)
    const meanwhile = []
    const opened = []
    const plans = new Map<Account, string>()
    for (const person of newcomers) {
      const own = await vault.sharePlan(person)
      plans.set(person, own)
      // Olivia's bank account is stored one time fewer, because of the rate limit.
      meanwhile.push((await save(person)).status, (await store(person, own)).status)
      if (plans.size < newcomers.length) meanwhile.push((await save(olivia)).status)
      opened.push(await open(marc, plan))
      await new Promise((done) => setTimeout(done, 200))
    }
    expect(await rotating).toMatch(/^The vault has a new key, and \d+ data keys are sealed with it\.$/)
    expect(meanwhile).toEqual(meanwhile.map(() => 200))
    expect((await save(marc)).status).toBe(200)
    expect(secret()).not.toContain(first)
    expect(secret()).not.toContain(',')
    expect(await openAll(vault, secret())).toEqual(Array(11).fill(IBAN))
    for (const [person, own] of [...plans, [marc, plan] as const]) opened.push(await open(person, own))
    expect(opened).toEqual(Array(11).fill('Let me in'))
    expect(new Set((await keysOf(vault)).map(({ site_key }) => site_key)).size).toBe(1)
    await expect(openAll(vault, first)).rejects.toThrow('It does not open')
  })
})

test('with keys of the environment: the first becomes the site’s, and none that is in use may be missing', async () => {
  const [first, second] = [randomKey(), randomKey()]
  const vault = await openVault('our server', { VAULT_KEY: first })
  afterAll(() => vault.close())
  const olivia = await vault.addPerson('Olivia')
  await vault.ask('bank-account', { iban: IBAN, holder: 'Olivia' }, olivia.accessToken)
  // A direct call to the database can store an invalid data key, but must not keep others from getting the new key.
  const [{ site_key: inUse } = { site_key: '' }] = await keysOf(vault)
  await vault.server.db.query(
    `insert into private.vault_keys (subscription_id, wrapped, site_key) values ($1, 'v1.no.key', $2)`,
    [await vault.sharePlan(olivia), inUse],
  )
  // A second server with the new key on the same database.
  const { serveTest } = await import('../../../server/test/harness.ts')
  const beside = (keys: string) =>
    serveTest({ ...vault.server.db, close: async () => undefined }, vault.server.databaseUrl, {
      VAULT_KEY: keys,
      JWT_SECRET: vault.server.config.jwtSecret ?? '',
    })
  const ready = await beside(`${second}, ${first}`)
  expect(await rotateVaultKey(ready.config)).toBe(
    '2 data keys are sealed anew. All are with the first key of VAULT_KEY: the others can go.',
  )
  expect(await openAll(vault, second)).toEqual([IBAN])
  await ready.close()
  const [{ site_key: name } = { site_key: '' }] = await keysOf(vault)
  const lacking = await beside(randomKey())
  await expect(rotateVaultKey(lacking.config)).rejects.toThrow(`VAULT_KEY lacks the key ${name}`)
  await lacking.close()
  await expect(rotateVaultKey(lacking.config)).rejects.toThrow(/^Nothing answers at http/)

  // Starts a server like `npm start`: with keys that do not open this database's secrets, it never listens.
  const start = (env: Record<string, string>) =>
    serveTest(
      { ...vault.server.db, close: async () => undefined },
      vault.server.databaseUrl,
      { VAULT_KEY: second, VAPID_PRIVATE_KEY: randomKey(), ...env },
      { checks: vault.server.config.startChecks },
    )
  for (const [env, refusal] of [
    [
      { VAULT_KEY: randomKey() },
      `The server cannot start: VAULT_KEY lacks the key ${name}, with which 2 data keys in the database are sealed`,
    ],
    [{ VAULT_KEY: 'c2hvcnQ=' }, 'The server cannot start: VAULT_KEY must hold 32 random bytes'],
    [{ VAPID_PRIVATE_KEY: 'short' }, 'The server cannot start: VAPID_PRIVATE_KEY must hold 32 random bytes'],
  ] as const)
    await expect(start(env)).rejects.toThrow(refusal)
  // With live keys it starts, and says what is missing until payments may begin.
  const db = vault.server.db
  const notices = async () => {
    const fitting = await start(LIVE)
    expect((await fetch(`${fitting.url}/ready`)).status).toBe(200)
    await fitting.close()
    return fitting.notices
  }
  const missing = expect.stringMatching(/^Payments with real money start once .*\/admin\?tab=settings$/)
  expect(await notices()).toContainEqual(missing)
  await nameOperator({ run: (text) => db.query(text) })
  expect(await notices()).toContainEqual(missing)
  await db.query(`update app_settings set payment_supply = 'fee'`)
  expect(await notices()).not.toContainEqual(missing)
})

describe.each(HOSTS)('rotating in %s', (host) => {
  test('leaves each version and the bank account open to whoever has the new key, and to nobody with the old one', async () => {
    const [first, second] = [randomKey(), randomKey()]
    const vault = await openVault(host, { VAULT_KEY: first })
    const both = await vault.beside({ VAULT_KEY: `${second},${first}` })
    const fresh = await vault.beside({ VAULT_KEY: second })
    onTestFinished(async () => {
      for (const one of [fresh, both, vault]) await one.close()
    })
    const olivia = await vault.addPerson('Olivia')
    const plan = await vault.sharePlan(olivia)
    const save = (by: Pick<Vault, 'call'>, password: string) =>
      asking(by.call)('save-plan-entry', { plan, password }, olivia.accessToken)
    const open = async (by: Pick<Vault, 'call'>, versions: number[]) => {
      const answers = versions.map((version) =>
        asking(by.call)('open-plan-entry', { plan, version }, olivia.accessToken),
      )
      return (await Promise.all(answers)).map(({ status, body }) => body.password ?? status)
    }
    expect((await save(vault, 'One')).status).toBe(200)
    expect((await save(both, 'Two')).status).toBe(200)
    await asking(vault.call)('save-plan-login', { plan, login: 'us' }, olivia.accessToken)
    const login = async (by: Pick<Vault, 'call'>) => {
      const { status, body } = await asking(by.call)('open-plan-login', { plan }, olivia.accessToken)
      return body.login ?? status
    }
    await vault.ask('bank-account', { iban: IBAN, holder: 'Olivia' }, olivia.accessToken)
    expect(await open(vault, [1, 2])).toEqual(['One', 'Two'])

    const rotate = (token: string) => asking(both.call)('rotate', {}, token)
    expect((await rotate(olivia.accessToken)).status).toBe(403)
    const [site] = await readSiteKeys(second)
    expect(await rotate(vault.server.serviceKey)).toEqual({
      status: 200,
      body: { siteKey: site?.name, rewrapped: 2 },
    })
    expect([...(await open(both, [1, 2])), await login(both)]).toEqual(['One', 'Two', 'us'])
    expect([...(await open(vault, [1, 2])), await login(vault)]).toEqual([422, 422, 422])
    expect((await save(fresh, 'Three')).status).toBe(200)
    expect([...(await open(fresh, [1, 2, 4])), await login(fresh)]).toEqual(['One', 'Two', 'Three', 'us'])
    expect(await openAll(vault, second)).toEqual([IBAN])
  })
})
