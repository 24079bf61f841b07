// A plan's access data, sealed and opened by the function: the life of every secret, and the limits of an attacker with
// write access to the database.
// Proves VAULT 01-04
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOSTS, NEEDS_CODE, protect } from './hosts.ts'
import { type Account, dump, IBAN, openVault, shapesOf, type Vault } from './vault-host.ts'

const ENTRY = {
  password: 'correct horse %battery% staple ß ',
  link: 'https://family.example/join/7Zk1',
  note: 'Ask for\nthe third profile',
}
const DOES_NOT_OPEN = {
  status: 422,
  body: {
    ...{ code: 'PT422', details: null, hint: null },
    message: 'It does not open: it was changed, or sealed for another place or with another key',
  },
}
const NOTHING = { status: 404, body: { code: 'PT404', message: 'There’s nothing for you to open' } }

describe.each(HOSTS)('an entry of the vault in %s', (name) => {
  let vault: Vault
  let olivia: Account
  let marc: Account
  let plan: string
  beforeAll(async () => {
    vault = await openVault(name)
  })
  afterAll(() => vault.close())
  beforeEach(async () => {
    olivia = await vault.addPerson('Olivia')
    marc = await vault.addPerson('Marc')
    plan = await vault.sharePlan(olivia, marc)
  })

  const sql = (text: string, values: string[] = []) => vault.server.db.query(text, values)
  const save = (entry: object, { accessToken } = olivia, at = plan) =>
    vault.ask('save-plan-entry', { plan: at, ...entry }, accessToken)
  const saveLogin = (login: string, { accessToken } = olivia, at = plan) =>
    vault.ask('save-plan-login', { plan: at, login }, accessToken)
  const loginOf = ({ accessToken }: Account, at = plan) =>
    vault.ask('open-plan-login', { plan: at }, accessToken)
  const open = ({ accessToken }: Account, at = plan, version?: number) =>
    vault.ask('open-plan-entry', { plan: at, version }, accessToken)
  async function read({ accessToken }: Account, path: string, body?: object): Promise<string> {
    const answer = await fetch(`${vault.server.url}/rest/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        apikey: vault.server.anonKey,
        Authorization: `Bearer ${accessToken}`,
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.text()
  }

  test('is opened as it was stored, by owner and member; each change is a version', async () => {
    expect(await save(ENTRY)).toEqual({
      status: 200,
      body: { version: 1, changed_at: expect.any(String), opened: false, change_due_since: null },
    })
    for (const person of [olivia, marc])
      expect(await open(person)).toEqual({ status: 200, body: { version: 1, ...ENTRY } })
    await save({ password: ' new ', link: ' ', note: '', keep: true })
    expect((await open(marc)).body).toEqual({ version: 2, ...ENTRY, password: ' new ' })
    await save({ note: ' By the invitation. ', link: 'https://SPAIN.example' })
    const third = { version: 3, note: 'By the invitation.', link: 'https://spain.example/' }
    expect((await open(marc)).body).toEqual(third)
    expect((await open(olivia, plan, 1)).body).toEqual({ version: 1, ...ENTRY })
    expect(await open(marc, plan, 1)).toMatchObject(NOTHING)
  })

  test('is opened by a guest who knows the PIN, without a session', async () => {
    const nora = await vault.addPerson('Nora')
    const own = await vault.sharePlan(nora)
    await sql('update shared_subscriptions set is_private = true where id = $1', [own])
    await save(ENTRY, nora, own)
    await saveLogin('family@olivia.example', nora, own)
    await sql("insert into payment_wishes (user_id, kind, note) values ($1, 'text', 'Cash')", [nora.id])
    const asOwner = async (call: string, body: object) =>
      JSON.parse(await read(nora, `rpc/${call}`, body)) as string
    const secret = await asOwner('add_guest', { p_subscription_id: own, p_name: 'Mum' })
    const [guest] = await sql('select member_id from private.seats where subscription_id = $1', [own])
    const pin = await asOwner('set_guest_access', { p_person_id: guest?.member_id, p_opens: true })
    const ask = (said: string) =>
      vault.ask('open-place-access', { secret, pin: said }, String(vault.server.anonKey))
    const wrong = pin === '000000' ? '000001' : '000000'
    expect(await ask(wrong)).toEqual({ status: 200, body: { left: 4 } })
    expect(await ask(pin)).toEqual({ status: 200, body: { ...ENTRY, login: 'family@olivia.example' } })
  })

  test('is in no row, in clear, in base64 or in hex, in no answer of the Data API, and no log', async () => {
    await save(ENTRY)
    await saveLogin('family@olivia.example')
    await save({ password: 'Second to none', keep: true })
    await open(marc)
    await loginOf(marc)
    const lena = await vault.addPerson('Lena')
    await vault.enter(plan, lena)
    await save({ ...ENTRY, password: 'Third time lucky' })
    await save({ ...ENTRY, link: 'http://not.sealed.example/secret' })
    await sql('delete from subscription_members where user_id = $1', [marc.id])
    await open(marc)
    const answers: string[] = []
    for (const person of [olivia, marc, lena]) {
      for (const call of [
        'get_vault_entry',
        'list_vault_versions',
        'list_vault_openings',
        'open_vault_entry',
        'open_vault_login',
      ])
        answers.push(await read(person, `rpc/${call}`, { p_subscription_id: plan }))
      answers.push(await read(person, 'rpc/prepare_vault_entry', { p_subscription_id: plan }))
      answers.push(await read(person, 'rpc/export_own_data', {}), await read(person, 'user_notifications'))
    }
    const everything = [await dump(vault.server.db), ...vault.server.logged, ...answers].join('\n')
    for (const known of ['access-changed', 'change_due_since', plan]) expect(everything).toContain(known)
    const secrets = [
      ENTRY.password.trim(),
      ENTRY.link,
      'third profile',
      'Second to none',
      'Third time lucky',
    ].concat('family@olivia.example')
    for (const shape of [...secrets, 'not.sealed.example'].flatMap(shapesOf))
      expect(everything).not.toContain(shape)
  })

  describe('does not open, to its owner or anybody else,', () => {
    let other: string
    beforeEach(async () => {
      const nina = await vault.addPerson('Nina')
      other = await vault.sharePlan(nina, marc)
      await save(ENTRY, nina, other)
      await save(ENTRY)
      await save({ ...ENTRY, password: 'Second' })
      await vault.ask('bank-account', { iban: IBAN, holder: 'Olivia' }, olivia.accessToken)
    })
    const both = async () => [await open(olivia), await open(marc)]
    const sealed = (from: string) =>
      `(select sealed from private.vault_entries where subscription_id = '${from}' and version = 1)`
    const keyOf = (whose: string) => `(select wrapped from private.vault_keys where ${whose})`

    // Invalid or altered ciphertext is tested in seal.test.ts.
    test('with anything else in its place, or the key of anything else', async () => {
      const entry = `private.vault_entries where subscription_id = '${plan}' and version = 2`
      const key = `private.vault_keys where subscription_id = '${plan}'`
      const put = (text: string) => {
        const [what = '', value = ''] = text.split(' := ')
        const [table = '', column = ''] = what.split('.')
        return sql(
          `update ${(table === 'entry' ? entry : key).replace(' where', ` set ${column} = ${value} where`)}`,
        )
      }
      const [kept] = await sql(`select (select sealed from ${entry}), (select wrapped from ${key})`)
      for (const change of [
        `entry.sealed := ${sealed(plan)}`,
        `entry.sealed := ${sealed(other)}`,
        `entry.sealed := (select sealed from private.bank_accounts where user_id = '${olivia.id}')`,
        'entry.version := 12',
        `key.wrapped := ${keyOf(`subscription_id = '${other}'`)}`,
        `key.wrapped := ${keyOf(`person_id = '${olivia.id}'`)}`,
      ]) {
        await sql('delete from private.rate_limit_usage')
        await put(change)
        expect(await both(), change).toEqual([DOES_NOT_OPEN, DOES_NOT_OPEN])
        await sql(
          `update private.vault_entries set version = 2 where subscription_id = '${plan}' and version > 1`,
        )
        await put(`entry.sealed := '${kept?.sealed}'`)
        await put(`key.wrapped := '${kept?.wrapped}'`)
        expect(await both(), change).toMatchObject([{ status: 200 }, { status: 200 }])
      }
    })

    test('with entry and key of another plan together', async () => {
      await sql(
        `update private.vault_entries set sealed = ${sealed(other)} where subscription_id = '${plan}'`,
      )
      await sql(
        `update private.vault_keys set wrapped = ${keyOf(`subscription_id = '${other}'`)} where subscription_id = '${plan}'`,
      )
      expect([...(await both()), await open(olivia, plan, 1)]).toEqual(Array(3).fill(DOES_NOT_OPEN))
      // A new entry can replace the unreadable one nevertheless, if nothing of the old one is kept.
      await sql('delete from private.vault_keys where subscription_id = $1', [plan])
      expect(await save({ password: 'Fresh', keep: true })).toEqual(DOES_NOT_OPEN)
      expect(await save({ password: 'Fresh' })).toMatchObject({ status: 200 })
      expect((await open(marc)).body).toEqual({ version: 3, password: 'Fresh' })
    })
  })

  describe('or an account login', () => {
    const shown = (login: string | null) => ({ status: 200, body: { login } })

    test('is shown to owner and members as often as they like, changed and removed; the owner opens what it was', async () => {
      const zoe = await vault.addPerson('Zoe')
      expect(await loginOf(marc)).toEqual(shown(null))
      expect(
        await saveLogin(' family@olivia.example ', { ...olivia, accessToken: await vault.grownOld(olivia) }),
      ).toEqual(shown('family@olivia.example'))
      await save(ENTRY)
      for (let times = 0; times < 12; times++)
        expect(await loginOf(marc)).toEqual(shown('family@olivia.example'))
      expect([await loginOf(olivia), await loginOf(zoe)]).toEqual([
        shown('family@olivia.example'),
        shown(null),
      ])
      expect(await saveLogin('mine', marc)).toMatchObject({ status: 403, body: { code: '42501' } })
      for (const [wrong, message] of [
        ['l'.repeat(201), 'Please use up to 200 characters'],
        ['us\u202e', 'This holds a character that cannot be seen'],
      ] as const)
        expect(await saveLogin(wrong)).toMatchObject({ status: 400, body: { code: '23514', message } })
      await saveLogin('')
      expect(await loginOf(marc)).toEqual(shown(null))
      expect((await open(olivia, plan, 1)).body).toEqual({ version: 1, login: 'family@olivia.example' })
      expect(await open(marc, plan, 1)).toMatchObject(NOTHING)
      expect((await open(marc)).body).toEqual({ version: 2, ...ENTRY })
    })

    test('does not open with anything else in its place, nor instead of an entry', async () => {
      const other = await vault.sharePlan(marc)
      await saveLogin('elsewhere', marc, other)
      for (const login of ['first', 'second']) await saveLogin(login)
      await save(ENTRY)
      const of = (version: number, at = plan) =>
        `private.vault_entries where subscription_id = '${at}' and version = ${version}`
      const put = (from: string, to: number) =>
        sql(`update ${of(to).replace(' where', ` set sealed = (select sealed from ${from}) where`)}`)
      for (const from of [of(1), of(3), of(1, other)]) {
        await put(from, 2)
        expect(await loginOf(marc), from).toEqual(DOES_NOT_OPEN)
      }
      await put(of(1), 3)
      expect(await open(marc)).toEqual(DOES_NOT_OPEN)
      await sql(`update ${of(1).replace(' where', " set part = 'access' where")}`)
      expect(await open(olivia, plan, 1)).toEqual(DOES_NOT_OPEN)
    })
  })

  test('is a password, a link or a note of a length and kind that people can use, and nothing else', async () => {
    const whole = 'Enter the whole link, beginning with https://'
    const refusals: [entry: object, message: string][] = [
      [{}, 'Enter a password, a link or a note'],
      [{ password: '  ', keep: true }, 'Enter a password, a link or a note'],
      [{ password: 'p'.repeat(201) }, 'Please use up to 200 characters'],
      [{ password: 'two\nlines' }, 'This holds a character that cannot be seen'],
      [{ note: 'n'.repeat(501) }, 'Please use up to 500 characters'],
      [{ link: `https://a.example/${'l'.repeat(500)}` }, 'Please use up to 500 characters'],
      ...[
        'http://a.example',
        'a.example',
        'https://netflix.com@evil.example',
        'https://nеtflix.com',
        'https://a.example/\u202efdp',
      ].map((link): [object, string] => [{ link }, whole]),
    ]
    for (const [entry, message] of refusals)
      expect(await save(entry)).toMatchObject({ status: 400, body: { code: '23514', message } })
    expect(await open(olivia)).toMatchObject(NOTHING)
  })

  test('holds the longest of everything', async () => {
    const longest = {
      password: 'ß'.repeat(200),
      note: '\u{1F355}'.repeat(250),
      link: `https://a.example/${'ß'.repeat(482)}`,
    }
    expect((await save(longest)).status).toBe(200)
    expect((await open(marc)).body).toMatchObject({ password: longest.password, note: longest.note })
  })

  // Permissions: trust/vault-entries.test.ts.
  test('neither opens nor is stored when the database refuses it, and says why', async () => {
    await save(ENTRY)
    expect(await open(await vault.addPerson('Zoe'))).toMatchObject(NOTHING)
    expect(await save(ENTRY, marc)).toMatchObject({ status: 403, body: { code: '42501' } })
    const old = { ...olivia, accessToken: await vault.grownOld(olivia) }
    for (const refused of [await open(old), await save(ENTRY, old)])
      expect(refused).toMatchObject({ status: 403, body: { code: 'PT403' } })
    expect((await open({ id: '', accessToken: vault.server.anonKey })).status).toBe(401)
    expect((await open({ id: '', accessToken: vault.server.serviceKey })).status).toBe(403)
    const withPasskey = await protect(vault.server, marc)
    expect(await open(marc)).toMatchObject({ status: 403, body: NEEDS_CODE })
    expect((await open({ ...marc, accessToken: withPasskey })).status).toBe(200)
  })

  test('of several stored at the same moment, each opens', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => save({ password: `No. ${at}` })))
    const done = answers.filter(({ status }) => status === 200).length
    expect(done).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    for (let version = 1; version <= done; version++)
      expect((await open(olivia, plan, version)).body.password).toMatch(/^No\. \d$/)
  })
})
