// Proves PAYOUT 01, SAFE 02, CLOCK 03
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { open, openDataKey, type Sealed } from '../../functions/vault/seal.ts'
import { HOSTS, NEEDS_CODE, protect } from './hosts.ts'
import { type Account, dump, IBAN, openVault, shapesOf, type Vault } from './vault-host.ts'

const HOLDER = 'Olivia Öztürk'

/** Returns a person's newest stored bank account, opened with the site's keys. */
async function stored({ server, siteKeys }: Vault, person: Account) {
  const [row] = await server.db.query<
    Record<'id' | 'sealed' | 'last4' | 'wrapped' | 'site_key', string> & { version: number }
  >(
    `select b.*, k.wrapped, k.site_key from private.bank_accounts as b join private.vault_keys as k on k.person_id = b.user_id
     where b.user_id = $1 order by version desc limit 1`,
    [person.id],
  )
  if (!row) return undefined
  const site = siteKeys.find(({ name }) => name === row.site_key)
  if (!site) throw new Error('Sealed with an unknown key')
  const key = await openDataKey(site, row.wrapped as Sealed, { kind: 'person', id: person.id })
  const { id, version, last4 } = row
  return { version, last4, ...(await open<object>(key, row.sealed, { kind: 'bank-account', id, version })) }
}

describe.each(HOSTS)('the function vault in %s', (name) => {
  let vault: Vault
  let olivia: Account
  beforeAll(async () => {
    vault = await openVault(name)
    olivia = await vault.addPerson('Olivia')
  })
  afterAll(() => vault.close())
  const save = (iban: string, holder = HOLDER, token = olivia.accessToken) =>
    vault.ask('bank-account', { iban, holder }, token)

  test('seals a bank account that is shown by its last four', async () => {
    expect(await save(' de89 3704 0044 0532 0130 00 ')).toEqual({
      status: 200,
      body: { last4: '3000', added_at: expect.any(String), payable_from: expect.any(String) },
    })
    expect(await stored(vault, olivia)).toEqual({ version: 1, last4: '3000', iban: IBAN, holder: HOLDER })
    await save('FR14 2004 1010 0505 0001 3M02 606', '  O.  Öztürk ')
    const french = { iban: 'FR1420041010050500013M02606', holder: 'O. Öztürk' }
    expect(await stored(vault, olivia)).toEqual({ version: 2, last4: '2606', ...french })
  })

  test('leaves neither in the database nor in the logs', async () => {
    await save(IBAN)
    const everything = [await dump(vault.server.db), ...vault.server.logged].join('\n')
    expect(everything).toContain('3000')
    for (const shape of [...shapesOf(IBAN), ...shapesOf(HOLDER)]) expect(everything).not.toContain(shape)
  })

  const WRONG = 'This IBAN is not valid. Please check it.'
  test.each([
    ['DE88370400440532013000', HOLDER, WRONG],
    ['DE8937040044053201300', HOLDER, WRONG],
    ['37040044', HOLDER, WRONG],
    ['', HOLDER, 'Enter your IBAN'],
    [
      'BR1800360305000010009795493C1',
      HOLDER,
      'Euros can only be paid to an account in a country of the SEPA area',
    ],
    [IBAN, ' ', 'Please enter the account holder’s name.'],
    [IBAN, 'O'.repeat(71), 'Please use up to 70 characters'],
    [IBAN, 'Olivia\u202e', 'This holds a character that cannot be seen'],
    [IBAN, '山田', 'Write the name in Latin letters, as your bank does in payments to other countries'],
  ])('refuses "%s" of "%s"', async (iban, holder, message) => {
    const before = await stored(vault, olivia)
    expect(await save(iban, holder)).toMatchObject({ status: 400, body: { code: '23514', message } })
    expect(await stored(vault, olivia)).toEqual(before)
  })

  test('asks for a fresh proof of identity, and for somebody', async () => {
    const before = await stored(vault, olivia)
    expect(await save(IBAN, HOLDER, await vault.grownOld(olivia))).toMatchObject({
      status: 403,
      body: { code: 'PT403' },
    })
    expect((await save(IBAN, HOLDER, vault.server.anonKey)).status).toBe(401)
    expect((await save(IBAN, HOLDER, vault.server.serviceKey)).status).toBe(403)
    expect(await stored(vault, olivia)).toEqual(before)
  })

  test('a password alone stores nothing once there is an authenticator app; a fresh passkey does', async () => {
    const paula = await vault.addPerson('Paula')
    const withPasskey = await protect(vault.server, paula)
    expect(await save(IBAN, HOLDER, paula.accessToken)).toMatchObject({ status: 403, body: NEEDS_CODE })
    expect(await stored(vault, paula)).toBeUndefined()
    expect((await save(IBAN, HOLDER, withPasskey)).status).toBe(200)
    expect(await stored(vault, paula)).toMatchObject({ version: 1, iban: IBAN })
  })

  test('of two at the same moment one is stored, or both after each other', async () => {
    const zoe = await vault.addPerson('Zoe')
    const answers = await Promise.all(Array.from({ length: 8 }, () => save(IBAN, HOLDER, zoe.accessToken)))
    const done = answers.filter(({ status }) => status === 200).length
    expect(done).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 409, 429]).toContain(status)
    expect(await stored(vault, zoe)).toMatchObject({ version: done, iban: IBAN })
  })

  test('is stored five times an hour at most, as each time sends a mail', async () => {
    const nina = await vault.addPerson('Nina')
    for (let times = 0; times < 5; times++)
      expect((await save(IBAN, HOLDER, nina.accessToken)).status).toBe(200)
    expect(await save(IBAN, HOLDER, nina.accessToken)).toMatchObject({ status: 429, body: { code: 'PT429' } })
    expect(await stored(vault, nina)).toMatchObject({ version: 5 })
  })

  test('knows its services, and lets nobody but the service role rotate', async () => {
    expect((await vault.ask('toString', {}, olivia.accessToken)).status).toBe(404)
    expect(
      (await vault.call({ path: '/bank-account', method: 'OPTIONS' })).headers.get(
        'Access-Control-Allow-Headers',
      ),
    ).toContain('authorization')
    expect((await vault.ask('rotate', {}, olivia.accessToken)).status).toBe(403)
    expect(await vault.ask('rotate', {}, vault.server.serviceKey)).toEqual({
      status: 200,
      body: { siteKey: vault.siteKeys[0]?.name, rewrapped: 0 },
    })
  })
})
