// Access to an account: what counts as a recent proof of identity; and changes to it, mailed to the previous email
// address and undone by the link in that mail.
// Proves VAULT 04, SAFE 02 07
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, refusalOf, single, taken } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { hostedDatabase } from '../hosted/database.ts'
import { leftInEnglish, waitingMails } from '../mail-words.ts'
import { addPerson, calling, ownDatabase, type Person, signedInWith, visitor } from '../people.ts'
import { race, times } from '../race.ts'
import { addWebhook } from '../webhooks.ts'

const UNDONE = { code: 'PT409', message: 'This change was already undone' }

describe.each([
  ['ours', ownDatabase],
  ['of a hosted project', hostedDatabase],
])('in an auth schema that is %s', async (whose, open) => {
  const { db, sql } = await open()
  const isOurs = whose === 'ours'

  /** Runs a statement as the auth service would, in a session proven by `method` `ago` seconds before. */
  const enrolled = (id: string, text: string, values: string[], method = 'passkey', ago = 0) => {
    // Computed before the transaction begins, because a proof made a second later would be later than its now().
    const amr = [{ method, timestamp: Math.floor(Date.now() / 1000) - ago }]
    const claims = JSON.stringify({ sub: id, role: 'authenticated', amr })
    return db.transaction(async (tx) => {
      await tx.query(`select set_config('request.jwt.claims', $1, true)`, [claims])
      return tx.query(text, values)
    })
  }
  const addFactor = (id: string, type = 'totp', status = 'verified', ...shown: [string?, number?]) =>
    enrolled(
      id,
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
      values ($1, $2, $3, $4, $5, now(), now())`,
      [randomUUID(), id, randomUUID(), type, status],
      ...shown,
    )
  const addPasskey = (id: string, ...shown: [string?, number?]) =>
    enrolled(
      id,
      `insert into auth.webauthn_credentials (user_id, credential_id, public_key) values ($1, $2, 'key')`,
      [id, randomUUID()],
      ...shown,
    )
  const setEmail = (id: string, email: string | null) =>
    sql`update auth.users set email = ${email} where id = ${id}`
  const setPassword = (id: string) =>
    sql`update auth.users set encrypted_password = ${randomUUID()} where id = ${id}`

  const MEANS = {
    password: setPassword,
    totp: (id: string) => addFactor(id),
    'unverified totp': (id: string) => addFactor(id, 'totp', 'unverified'),
    passkey: (id: string) => addPasskey(id),
  }
  type Means = keyof typeof MEANS
  const UNPROVEN = { code: 'PT403', message: 'Confirm it’s you.' }
  /** Ends the person's account, which requires a recent proof of identity before anything else is checked. */
  const end = (person: Person, methods: readonly string[], ago = 0) =>
    signedInWith(db, person, methods, ago).sql`select delete_own_account(true)`

  const STRONG = ['totp', 'mfa/recovery_code', 'passkey', 'mfa/webauthn']
  const MAILED = ['otp', 'magiclink', 'recovery']
  test.each<[means: Means[], methods: string[], accepted: string[]]>([
    [[], ['email'], [...STRONG, 'password', ...MAILED]],
    [['password'], ['password'], [...STRONG, 'password']],
    [['unverified totp', 'password'], ['password'], [...STRONG, 'password']],
    [['totp'], ['totp'], STRONG],
    [['password', 'passkey'], ['passkey'], STRONG],
    [['password', 'passkey', 'totp'], ['passkey', 'totp'], STRONG],
  ])('somebody with %j is asked for %j', async (means, methods, accepted) => {
    const person = await addPerson(db, 'Olivia')
    for (const one of means) await MEANS[one](person.id)
    expect(await person.sql`select to_json(proof_methods()) as methods`).toEqual([{ methods }])
    // The coins keep the account from being deleted, so an accepted proof leads to a refusal that names the coins.
    await moveCoins(db, person, 'earned', 25)
    const found: string[] = []
    for (const method of [...STRONG, 'password', ...MAILED, 'oauth', 'anonymous', 'sso/saml']) {
      const refusal = await refusalOf(end(person, [method]))
      if (refusal.code === '23514') found.push(method)
      else expect(refusal).toEqual(UNPROVEN)
    }
    expect(found).toEqual(accepted)
  })

  test('a factor or passkey that was removed is made up for by a mailed code, until the mail about it is old', async () => {
    for (const [has, gone] of [
      [MEANS.totp, (id: string) => sql`delete from auth.mfa_factors where user_id = ${id}`],
      [MEANS.passkey, (id: string) => sql`delete from auth.webauthn_credentials where user_id = ${id}`],
    ] as const) {
      const person = await addPerson(db, 'Olivia')
      await setPassword(person.id)
      const methods = () => single(person.sql`select proof_methods()`)
      await has(person.id)
      await gone(person.id)
      expect(await methods()).toBe('{email}')
      await expectRefusal(end(person, ['password']), UNPROVEN)
      await sql`update private.account_changes set happened_at = happened_at - private.undo_lifetime()
        where user_id = ${person.id}`
      expect(await methods()).toBe('{password}')
      await end(person, ['password'])
    }
  })

  test('who has just shown it did so in the last ten minutes, not longer ago and not in time to come', async () => {
    const person = await addPerson(db, 'Olivia')
    await addFactor(person.id)
    for (const ago of [605, 86_400, -60]) await expectRefusal(end(person, ['totp'], ago), UNPROVEN)
    // Missing or malformed proofs do not count.
    for (const amr of [[], 'totp', { method: 'totp' }, [{ method: 'totp', timestamp: 'now' }], [null, 7]]) {
      const claims = JSON.stringify({ ...JSON.parse(person.caller.claims), amr })
      const strange = calling(db, { ...person.caller, claims })
      await expectRefusal(strange.sql`select delete_own_account(true)`, UNPROVEN)
    }
    expect(await sql`select id from auth.users where id = ${person.id}`).toHaveLength(1)
    await end(person, ['totp', 'password'], 590)
    expect(await sql`select id from auth.users where id = ${person.id}`).toEqual([])
  })

  test('a factor or passkey is enrolled with a proof that money would take, also the first', async () => {
    const person = await addPerson(db, 'Olivia')
    await setPassword(person.id)
    const ways = (...shown: [string?, number?]) => [
      () => addFactor(person.id, 'totp', 'unverified', ...shown),
      () => addPasskey(person.id, ...shown),
    ]
    for (const enrol of [...ways('password', 605), ...ways('otp'), ...ways('password', 86_400)])
      await expectRefusal(enrol(), UNPROVEN)
    for (const enrol of ways('password', 590)) await enrol()
    // Once a factor is enrolled, a session must have been proven with it to enrol another one.
    for (const enrol of ways('password')) await expectRefusal(enrol(), UNPROVEN)
    for (const enrol of ways('passkey')) await enrol()
  })

  if (!isOurs)
    test('whose service does not say for whom it writes, the newest proof of all sessions counts', async () => {
      const { id } = await addPerson(db, 'Olivia')
      const session = randomUUID()
      await sql`insert into auth.sessions (id, user_id, created_at) values (${session}, ${id}, now())`
      const bare = () =>
        sql`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
          values (${randomUUID()}, ${id}, ${randomUUID()}, 'totp', 'unverified', now(), now())`
      const show = (ago: number) =>
        sql`insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method) values
          (${randomUUID()}, ${session}, now(), now() - make_interval(secs => ${ago}), ${`password ${ago}`})`
      await expectRefusal(bare(), UNPROVEN)
      await show(605)
      await expectRefusal(bare(), UNPROVEN)
      await show(590)
      await bare()
    })

  const addIdentity = (id: string, provider: string) =>
    sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
      values (${id}, ${provider}, ${randomUUID()}, '{"email":"o@kite.example"}')`

  /** The statement that makes each change; `before` runs before changes are recorded. */
  const CHANGES: Record<string, { before?: (id: string) => unknown; make: (id: string) => unknown }> = {
    email: { make: (id) => setEmail(id, `${randomUUID()}@thief.example`) },
    password: { make: setPassword },
    'factor-added': { make: (id) => addFactor(id) },
    'factor-removed': {
      before: (id) => addFactor(id),
      make: (id) => sql`delete from auth.mfa_factors where user_id = ${id}`,
    },
    'passkey-added': { make: (id) => addPasskey(id) },
    'passkey-removed': {
      before: (id) => addPasskey(id),
      make: (id) => sql`delete from auth.webauthn_credentials where user_id = ${id}`,
    },
    'bank-account': { make: (id) => addBankAccount(db, { id }) },
    'token-added': {
      make: (id) =>
        signedInWith(db, { id, email: '' }, ['password']).sql`select make_api_token('Script', '{chat}', 1)`,
    },
    'sign-in-added': {
      before: (id) => addIdentity(id, 'email'),
      make: (id) => addIdentity(id, 'custom:kite'),
    },
    'webhook-added': { make: (id) => addWebhook(db, { id }) },
    'webhook-secret': {
      before: (id) => addWebhook(db, { id }),
      make: async (id) =>
        sql`select private.save_webhook(${id}, (select id from private.webhooks where user_id = ${id}), 2, 'v1.next', null)`,
    },
    // Supabase's own auth service had no recovery codes when its schema was recorded.
    ...(isOurs && { 'recovery-codes': { make: (id: string) => addFactor(id, 'recovery_code') } }),
  }

  /** Creates a person with a password, a session and a pending mailed link. */
  async function settled(before?: (id: string) => unknown): Promise<Person> {
    const person = await addPerson(db, 'Olivia')
    await setPassword(person.id)
    await before?.(person.id)
    await signIn(person)
    await sql`delete from private.account_changes where user_id = ${person.id}`
    await sql`delete from private.outgoing_mail where recipient = ${person.email}`
    return person
  }
  const signIn = async ({ id, email }: Person) => {
    if (isOurs) {
      await sql`insert into auth.sessions (user_id, amr) values (${id}, '[]')`
      await sql`insert into auth.one_time_tokens (user_id, kind, email, token_hash, code_hash)
        values (${id}, 'recovery', ${email}, ${randomUUID()}, '') on conflict do nothing`
    } else {
      await sql`insert into auth.sessions (id, user_id, created_at) values (${randomUUID()}, ${id}, now())`
      await sql`insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
        values (${randomUUID()}, ${id}, 'recovery_token', 'hash', ${email}) on conflict do nothing`
    }
    await sql`insert into auth.flow_state (id, user_id, provider_type, authentication_method)
      values (${randomUUID()}, ${id}, 'google', 'oauth')`
  }
  /** Returns the links that were mailed to this email address, by the name of the change. */
  const linksTo = async (email: string) =>
    (
      await columnOf(sql`select path from private.outgoing_mail where recipient = ${email} order by event`)
    ).map((path) => /^\/undo-change#change=[a-z-]+&token=([0-9a-f]{64})$/.exec(path)?.[1] ?? 'no link')
  const undo = (token = '') => single(visitor(db).sql`select undo_account_change(${token})`)
  const log = (person: Person) =>
    person.sql`select kind, undone_at is not null as undone from recent_account_changes()`
  /** Everything that could open the account. */
  const waysIn = async ({ id }: Person) =>
    (
      await sql`select email, email_confirmed_at is not null as confirmed, encrypted_password is not null as password,
        (select count(*)::int from auth.sessions where user_id = u.id) as sessions,
        (select count(*)::int from auth.one_time_tokens where user_id = u.id)
          + (select count(*)::int from auth.flow_state where user_id = u.id) as pending,
        (select count(*)::int from auth.mfa_factors where user_id = u.id) as factors,
        (select count(*)::int from auth.webauthn_credentials where user_id = u.id) as passkeys,
        (select count(*)::int from private.webhooks where user_id = u.id) as webhooks,
        (select coalesce(string_agg(provider || ' ' || email, ', ' order by provider), '')
          from auth.identities where user_id = u.id) as identities
        from auth.users as u where id = ${id}`
    )[0]
  const NOTHING = {
    password: false,
    sessions: 0,
    pending: 0,
    factors: 0,
    passkeys: 0,
    webhooks: 0,
    identities: '',
  }
  const shut = ({ email }: Person) => ({ email, confirmed: true, ...NOTHING })

  /** Gives a person a token, a webhook and a calendar's URL. */
  const connectPrograms = async ({ id }: Pick<Person, 'id'>) => {
    const person = signedInWith(db, { id, email: '' }, ['password'])
    await person.sql`select make_api_token('Script', '{chat}', 1)`
    await addWebhook(db, { id })
    await person.sql`select make_calendar()`
  }
  const programs = ({ id }: Pick<Person, 'id'>) =>
    single(sql`select (select count(*) from private.api_tokens where user_id = ${id})
      + (select count(*) from private.webhooks where user_id = ${id})
      + (select count(*) from private.calendars where user_id = ${id})`)

  test('all programs of a person are disconnected at once, and those of nobody else', async () => {
    const [person, bystander] = [await settled(), await settled()]
    for (const one of [person, bystander]) await connectPrograms(one)
    await person.sql`select disconnect_programs()`
    expect([Number(await programs(person)), Number(await programs(bystander))]).toEqual([0, 3])
  })

  test('undoing a change ends what programs were given since, and every token', async () => {
    const person = await settled()
    await CHANGES.password?.make(person.id)
    await connectPrograms(person)
    const [token] = await linksTo(person.email)
    expect(Number(await programs(person))).toBe(3)
    // The links are in the order of their events: password comes first.
    await undo(token)
    expect(Number(await programs(person))).toBe(0)
  })

  test.each(Object.keys(CHANGES))(
    '%s is told to the address of before, and undone by its link, once',
    async (kind) => {
      const bystander = await settled((id) => addPasskey(id))
      const person = await settled(CHANGES[kind]?.before)
      await CHANGES[kind]?.make(person.id)
      expect(await log(person)).toEqual([{ kind, undone: false }])
      const said = { action: 'This wasn’t me', small_print: 'The link works once, for 48 hours.' }
      expect(await waitingMails(db, person.email)).toMatchObject([{ event: `account-${kind}`, said }])
      expect(await leftInEnglish(db)).toEqual([])
      const [token] = await linksTo(person.email)
      const kept = sql`select to_json(t)::text from private.account_changes as t where user_id = ${person.id}`
      expect(await single(kept)).not.toContain(token)
      expect(await undo(token)).toEqual({
        ...{ kind, email: person.email, happened_at: expect.any(String) },
        next: `To choose a new password, use “Forgot your password?” on the sign-in page. We’ll email a link to ${person.email}.`,
      })
      const identities = kind === 'sign-in-added' ? 'email o@kite.example' : ''
      expect(await waysIn(person)).toEqual({ ...shut(person), identities })
      expect(await log(person)).toEqual([{ kind, undone: true }])
      expect(await linksTo(person.email)).toEqual([])
      expect(await waysIn(bystander)).toMatchObject({ password: true, sessions: 1, passkeys: 1, pending: 2 })
      await expectRefusal(undo(token), UNDONE)
    },
  )

  test('the first link takes the account back from everything that followed', async () => {
    const person = await settled()
    const { id, email } = person
    for (const kind of ['password', 'email', 'passkey-added', 'factor-added', 'password', 'email'])
      await CHANGES[kind]?.make(id)
    await sql`update auth.users set email_change = 'next@thief.example' where id = ${id}`
    await sql`insert into auth.identities (user_id, provider, provider_id, identity_data, created_at) values
      (${id}, 'google', ${id}, '{"email":"thief@thief.example"}', now()),
      (${id}, 'email', ${id}, '{"email":"thief@thief.example"}', now())`
    // To block the return of the email address, another person signs up with it, without access to its mailbox.
    const squatter = await addPerson(db, 'Sid')
    await sql`update auth.users set email = ${email}, email_confirmed_at = null where id = ${squatter.id}`
    const [address, password] = await linksTo(email)
    await undo(address)
    expect(await waysIn(person)).toEqual({ ...shut(person), identities: `email ${email}` })
    expect(await single(sql`select email_change from auth.users where id = ${id}`)).toBe('')
    const undone = ['sign-in-added', 'email', 'password', 'factor-added', 'passkey-added', 'email']
    expect(await log(person)).toEqual([
      ...undone.map((kind) => ({ kind, undone: true })),
      { kind: 'password', undone: false },
    ])
    // Earlier changes have links too.
    expect(await undo(password)).toMatchObject({ kind: 'password', email })
  })

  test('an address that is proven to be somebody else’s by now stays theirs, and nothing is half undone', async () => {
    const person = await settled()
    await CHANGES.email?.make(person.id)
    const heir = await addPerson(db, 'Heidi')
    await setEmail(heir.id, person.email)
    const before = await waysIn(person)
    const [token] = await linksTo(person.email)
    await expectRefusal(undo(token), taken('Another account now has this address'))
    expect(await waysIn(person)).toEqual(before)
    expect(await log(person)).toEqual([{ kind: 'email', undone: false }])
  })

  test('a link works for 48 hours, one that is unknown never, and one of fifty at once', async () => {
    const person = await settled()
    await setPassword(person.id)
    const [token] = await linksTo(person.email)
    const age = (hours: number) =>
      sql`update private.account_changes set happened_at = now() - make_interval(mins => ${hours * 60}) where user_id = ${person.id}`
    await age(48)
    await expectRefusal(undo(token), { code: 'PT410', message: 'This link has expired' })
    for (const unknown of ['', 'guessed', `${token}0`])
      await expectRefusal(undo(unknown), { code: 'PT404', message: 'This link doesn’t work' })
    expect((await waysIn(person))?.password).toBe(true)
    await age(47.9)
    expect(await race(times(50, () => undo(token)))).toEqual({
      ...{ done: 1, [`${UNDONE.code}: ${UNDONE.message}`]: 49 },
    })
  })

  test.each<[string, (id: string) => unknown]>([
    [
      'signing in',
      (id) => sql`update auth.users set last_sign_in_at = now(), raw_user_meta_data = '{}' where id = ${id}`,
    ],
    [
      'writing the same address otherwise',
      (id) => sql`update auth.users set email = upper(email) where id = ${id}`,
    ],
    ['beginning to add a factor', (id) => addFactor(id, 'totp', 'unverified')],
    ['using a factor', (id) => sql`update auth.mfa_factors set updated_at = now() where user_id = ${id}`],
    [
      'all that happens before the first address is proven',
      async (id) => {
        await sql`update auth.users set email_confirmed_at = null where id = ${id}`
        await setPassword(id)
        await setEmail(id, `${id}@potluck.example`)
        await addFactor(id)
        await sql`update auth.users set email_confirmed_at = now() where id = ${id}`
      },
    ],
    [
      'the end of the account',
      (id) =>
        sql`update auth.users set email = null, encrypted_password = null, deleted_at = now() where id = ${id}`,
    ],
    ['its deletion with all that is its own', (id) => sql`delete from auth.users where id = ${id}`],
  ])('%s is no change', async (_what, happen) => {
    const person = await settled(async (id) => [await addFactor(id), await addPasskey(id)])
    await happen(person.id)
    expect(await sql`select kind from private.account_changes where user_id = ${person.id}`).toEqual([])
    expect(await linksTo(person.email)).toEqual([])
  })

  test('an account without an address has its changes listed, and the house forgets them after a season', async () => {
    const person = await settled()
    await setEmail(person.id, null)
    await setPassword(person.id)
    expect(await log(person)).toEqual([
      { kind: 'password', undone: false },
      { kind: 'email', undone: false },
    ])
    expect(await linksTo(person.email)).toHaveLength(1)
    const told = sql`select count(told)::int from private.account_changes where user_id = ${person.id}`
    expect(await single(told)).toBe(1)
    await sql`select private.run_housekeeping()`
    expect(await log(person)).toHaveLength(2)
    await sql`update private.account_changes set happened_at = now() - interval '91 days' where user_id = ${person.id}`
    expect(await log(person)).toEqual([])
    await sql`select private.run_housekeeping()`
    expect(await sql`select id from private.account_changes where user_id = ${person.id}`).toEqual([])
  })
})
