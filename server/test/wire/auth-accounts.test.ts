// Accounts, read and changed by their owner or with the service key. For refusals, see auth-refusals.test.ts.
// Proves AUTH 24, ADMIN 25, DATA 14, API 04, ERR 08
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newClient, PASSWORD } from '../harness.ts'
import { codeOfRefusal, testAuth } from './auth-service.ts'

const auth = await testAuth()
const key = auth.serviceKey
const admin = (method: string, path: string, body?: unknown) =>
  auth.call(method, `/admin/users${path}`, body, { key })
const service = newClient(auth, key).auth.admin

describe('one’s own account', () => {
  test('is the user object of hosted Supabase', async () => {
    const email = 'olivia@example.com'
    await auth.post('/otp', { email })
    const { fragment } = await auth.follow(await auth.linkTo(email))
    const { status, body } = await auth.getUser(fragment.get('access_token') ?? '')
    expect([status, ...Object.keys(body).sort()]).toEqual([
      ...[200, 'app_metadata', 'aud', 'confirmation_sent_at', 'confirmed_at', 'created_at', 'email'],
      ...['email_confirmed_at', 'id', 'identities', 'is_anonymous', 'last_sign_in_at', 'phone', 'role'],
      ...['updated_at', 'user_metadata'],
    ])
    const [identity] = body.identities as Record<string, unknown>[]
    expect(Object.keys(identity ?? {}).sort()).toEqual([
      ...['created_at', 'email', 'id', 'identity_data', 'identity_id', 'last_sign_in_at', 'provider'],
      ...['updated_at', 'user_id'],
    ])
    expect(identity).toMatchObject({ id: body.id, user_id: body.id, provider: 'email', email })
    expect(identity?.identity_id).not.toBe(body.id)
    expect(JSON.stringify(body)).not.toContain('$2')
  })

  test('takes data in, null removes a key, and nobody gives themselves a role', async () => {
    const data = { name: 'Old', city: 'Bonn', nested: { a: null } }
    const { accessToken: bearer } = await auth.enrol('merge@example.com', data)
    const wish = { name: 'New', city: null, avatar_url: 'x' }
    const own = { role: 'service_role', app_metadata: { admin: true } }
    const { body } = await auth.put('/user', { data: wish, ...own }, { bearer })
    expect(body).toMatchObject({
      role: 'authenticated',
      user_metadata: { name: 'New', avatar_url: 'x', nested: { a: null } },
    })
    expect(body.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
    expect(body.user_metadata).not.toHaveProperty('city')
  })

  // Metadata is limited, since every token contains it.
  test('holds 16 KB of metadata, and not a byte more', async () => {
    const { accessToken: bearer } = await auth.enrol('heavy@example.com')
    const note = (length: number) => auth.put('/user', { data: { note: 'x'.repeat(length) } }, { bearer })
    const { body } = await note(0)
    const room = 16_384 - JSON.stringify(body.user_metadata).length
    expect((await note(room + 1)).body).toMatchObject({
      error_code: 'validation_failed',
      msg: 'User metadata cannot be larger than 16 KB',
    })
    expect((await note(room)).status).toBe(200)
    const data = { note: 'x'.repeat(17_000) }
    const signUp = await auth.post('/otp', { email: 'heavier@example.com', data })
    expect(codeOfRefusal(signUp)).toEqual([400, 'bad_json'])
  })
})

describe('the service', () => {
  test('creates a confirmed account that can sign in', async () => {
    const { data, error } = await service.createUser({
      email: 'Made@example.com',
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { name: 'Made' },
      app_metadata: { tier: 'gold' },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email: 'made@example.com',
      app_metadata: { provider: 'email', providers: ['email'], tier: 'gold' },
    })
    expect(data.user?.user_metadata).toEqual({ name: 'Made', email_verified: true })
    await expect(auth.signIn('made@example.com')).resolves.toMatchObject({ id: data.user?.id })
  })

  test('reads, changes and deletes one account', async () => {
    const { data } = await service.createUser({ email: 'target@example.com' })
    const id = data.user?.id ?? ''
    expect((await service.getUserById(id)).data.user).toMatchObject({ email: 'target@example.com' })
    expect(data.user?.user_metadata).toEqual({})
    const metadata = { app_metadata: { tier: 'silver' }, user_metadata: { name: 'Moved' } }
    const changes = { email: 'Moved@example.com', password: PASSWORD, ...metadata, email_confirm: true }
    const changed = await service.updateUserById(id, changes)
    expect(changed.data.user).toMatchObject({ email: 'moved@example.com', ...metadata })
    await expect(auth.signIn('moved@example.com')).resolves.toMatchObject({ id })

    expect((await service.deleteUser(id)).error).toBeNull()
    expect(codeOfRefusal(await admin('GET', `/${id}`))).toEqual([404, 'user_not_found'])
    await expect(auth.signIn('moved@example.com')).rejects.toThrow('invalid_credentials')
  })

  test.each([
    ['PT409', 409, 'PT409', 'Not this one'],
    ['23514', 400, 'validation_failed', 'Not this one'],
    ['23503', 500, 'unexpected_failure', /^Unexpected failure/],
  ])('passes on why the project does not want an account deleted: %s', async (raised, status, code, said) => {
    const { id } = await auth.enrol(`kept-${raised}@example.com`)
    await auth.db.query(`create function keep() returns trigger language plpgsql as $$
      begin raise exception 'Not this one' using errcode = '${raised}'; end $$`)
    await auth.db.query(`create trigger keep before delete or update of deleted_at on auth.users
      for each row when (old.id = '${id}') execute function keep()`)
    onTestFinished(() => auth.db.query('drop function keep cascade').then(() => {}))
    for (const should_soft_delete of [false, true]) {
      const answer = await admin('DELETE', `/${id}`, { should_soft_delete })
      expect([answer.status, answer.body]).toEqual([
        status,
        expect.objectContaining({ error_code: code, msg: expect.stringMatching(said) }),
      ])
    }
    expect((await admin('GET', `/${id}`)).status).toBe(200)
  })

  test('deletes softly: the row is kept, and nothing about the person', async () => {
    const { id, email } = await auth.enrol('soft@example.com', { name: 'Soft' })
    expect((await service.deleteUser(id, true)).error).toBeNull()
    const [row] = await auth.db.query('select to_jsonb(u)::text as row from auth.users u where id = $1', [id])
    expect(row?.row).toBeDefined()
    expect(row?.row).not.toMatch(/soft|\$2[aby]\$/i)
    await expect(auth.signIn(email)).rejects.toThrow('invalid_credentials')
    await expect(auth.enrol(email)).resolves.toBeDefined()
  })
})

describe('the list of accounts', () => {
  beforeAll(async () => {
    for (let number = 1; number <= 12; number++)
      await admin('POST', '', {
        email: `list-${number}@example.com`,
        user_metadata: { full_name: `No ${number}` },
      })
  })
  const emails = (...numbers: number[]) => numbers.map((number) => `list-${number}@example.com`)

  test('comes in pages, newest first, and the client finds its way', async () => {
    const { data, error } = await service.listUsers({ page: 2, perPage: 5 })
    expect(error).toBeNull()
    const [{ total = 0 } = {}] = await auth.db.query<{ total: number }>(
      'select count(*) as total from auth.users where deleted_at is null',
    )
    expect(data).toMatchObject({ nextPage: 3, lastPage: Math.ceil(total / 5), total, aud: 'authenticated' })
    expect(data.users.map(({ email }) => email)).toEqual(emails(7, 6, 5, 4, 3))
    expect(data.users[0]?.identities).toBeNull()
  })

  test('the last page names no next one, and empty parameters mean the usual', async () => {
    const last = await admin('GET', '?page=1&per_page=1001')
    expect(last.headers.get('link')).toBe('</admin/users?page=1&per_page=1000>; rel="last"')
    const usual = await admin('GET', '?page=&per_page=')
    expect([usual.status, usual.headers.get('link')]).toEqual([200, expect.stringContaining('per_page=50')])
    expect(usual.headers.get('x-total-count')).toMatch(/^\d+$/)
  })

  test.each([
    ['filter=LIST-1&sort=created_at%20asc', [1, 10, 11, 12]],
    ['filter=no%201&sort=created_at%20desc', [12, 11, 10, 1]],
    ['filter=LIST%5f1', []],
  ])('can be filtered by address or name, and turned round: %s', async (asked, numbers) => {
    const { body } = await admin('GET', `?${asked}`)
    expect((body.users as { email: string }[]).map(({ email }) => email)).toEqual(emails(...numbers))
  })
})
