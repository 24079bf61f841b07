import { beforeAll, describe, expect, test } from 'vitest'
import { newClient, PASSWORD } from '../harness.ts'
import { call, enrol, getUser, refusal, signIn, testAuth } from './auth-service.ts'

const auth = await testAuth()
const zoe = await enrol(auth, 'zoe@example.com')

const admin = (method: string, path: string, body?: unknown) =>
  call(auth, method, `/admin/users${path}`, body, { key: auth.serviceKey })
const service = newClient(auth, auth.serviceKey).auth.admin

describe('the admin API', () => {
  test.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${zoe.id}`],
    ['PUT', `/${zoe.id}`],
    ['DELETE', `/${zoe.id}`],
  ])('is closed to visitors, to signed-in people and to garbage: %s %s', async (method, path) => {
    const ask = async (more: Parameters<typeof call>[4]) =>
      refusal(await call(auth, method, `/admin/users${path}`, method === 'GET' ? undefined : {}, more))
    expect(await ask({})).toEqual([403, 'not_admin', 'User not allowed'])
    expect(await ask({ bearer: zoe.accessToken })).toEqual([403, 'not_admin', 'User not allowed'])
    expect((await ask({ bearer: 'garbage' })).slice(0, 2)).toEqual([403, 'bad_jwt'])
    const basic = await ask({ headers: { authorization: 'Basic x' } })
    expect(basic.slice(0, 2)).toEqual([401, 'no_authorization'])
    await expect(signIn(auth, zoe.email)).resolves.toBeDefined()
  })

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
    await expect(signIn(auth, 'made@example.com')).resolves.toMatchObject({ id: data.user?.id })
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
    await expect(signIn(auth, 'moved@example.com')).resolves.toMatchObject({ id })
    for (const [body, code] of [
      [{ email: 'zoe@example.com' }, 'email_exists'],
      [{ password: 'weak' }, 'weak_password'],
    ] as const)
      expect(refusal(await admin('PUT', `/${id}`, body)).slice(0, 2)).toEqual([422, code])

    expect((await service.deleteUser(id)).error).toBeNull()
    expect(refusal(await admin('GET', `/${id}`)).slice(0, 2)).toEqual([404, 'user_not_found'])
    await expect(signIn(auth, 'moved@example.com')).rejects.toThrow('invalid_credentials')
  })

  test('a token outlives its account only until somebody asks about the person', async () => {
    const ghost = await enrol(auth, 'ghost@example.com')
    await admin('DELETE', `/${ghost.id}`)
    expect(refusal(await getUser(auth, ghost.accessToken)).slice(0, 2)).toEqual([403, 'user_not_found'])
  })

  test('a soft deletion keeps the row and nothing about the person', async () => {
    const { id, email } = await enrol(auth, 'soft@example.com', { name: 'Soft' })
    expect((await service.deleteUser(id, true)).error).toBeNull()
    const [row] = await auth.db.query('select to_jsonb(u)::text as row from auth.users u where id = $1', [id])
    expect(row?.row).toBeDefined()
    expect(row?.row).not.toMatch(/soft|\$2[ab]\$/i)
    await expect(signIn(auth, email)).rejects.toThrow('invalid_credentials')
    await expect(enrol(auth, email)).resolves.toBeDefined()
  })
})

describe('the list', () => {
  beforeAll(async () => {
    for (let number = 1; number <= 12; number++)
      await admin('POST', '', { email: `list-${number}@example.com` })
  })

  test('comes in pages, newest first, and the client finds its way', async () => {
    const { data, error } = await service.listUsers({ page: 2, perPage: 5 })
    expect(error).toBeNull()
    const [{ total = 0 } = {}] = await auth.db.query<{ total: number }>(
      'select count(*) as total from auth.users where deleted_at is null',
    )
    expect(data).toMatchObject({ nextPage: 3, lastPage: Math.ceil(total / 5), total, aud: 'authenticated' })
    expect(data.users.map(({ email }) => email)).toEqual([7, 6, 5, 4, 3].map((n) => `list-${n}@example.com`))
    expect(data.users[0]?.identities).toBeNull()
  })

  test('the last page names no next one, and empty parameters mean the usual', async () => {
    const last = await admin('GET', '?page=1&per_page=1000')
    expect(last.headers.get('link')).toBe('</admin/users?page=1&per_page=1000>; rel="last"')
    const usual = await admin('GET', '?page=&per_page=')
    expect(usual.status).toBe(200)
    expect(usual.headers.get('link')).toContain('per_page=50')
    expect(usual.headers.get('x-total-count')).toMatch(/^\d+$/)
  })

  test('can be filtered and turned round', async () => {
    const { body } = await admin('GET', '?filter=LIST-1&sort=created_at%20asc')
    const emails = (body.users as { email: string }[]).map(({ email }) => email)
    expect(emails).toEqual([1, 10, 11, 12].map((n) => `list-${n}@example.com`))
  })
})
