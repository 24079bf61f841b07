import { beforeAll, describe, expect, test } from 'vitest'
import { newClient, testServer } from '../harness.ts'
import { type AuthTarget, call, enrol, overHttp, PASSWORD, type Person, signIn } from './auth-service.ts'

const server = await testServer()
let auth: AuthTarget
let zoe: Person
beforeAll(async () => {
  auth = overHttp(server)
  zoe = await enrol(auth, 'zoe@example.com')
})

const admin = (method: string, path: string, body?: unknown) =>
  call(auth, method, `/admin/users${path}`, body, { key: server.serviceKey })
const service = () => newClient(server, server.serviceKey).auth.admin

describe('the admin API', () => {
  test('is closed to visitors, to signed-in people and to garbage', async () => {
    for (const [method, path] of [
      ['GET', '/admin/users'],
      ['POST', '/admin/users'],
      ['GET', `/admin/users/${zoe.id}`],
      ['PUT', `/admin/users/${zoe.id}`],
      ['DELETE', `/admin/users/${zoe.id}`],
    ] as const) {
      const body = method === 'GET' ? undefined : {}
      const visitor = await call(auth, method, path, body)
      expect([visitor.status, visitor.body.error_code, visitor.body.msg]).toEqual([
        403,
        'not_admin',
        'User not allowed',
      ])
      const person = await call(auth, method, path, body, { bearer: zoe.accessToken })
      expect([person.status, person.body.error_code]).toEqual([403, 'not_admin'])
      const garbage = await call(auth, method, path, body, { bearer: 'garbage' })
      expect([garbage.status, garbage.body.error_code]).toEqual([403, 'bad_jwt'])
      const basic = await call(auth, method, path, body, { headers: { authorization: 'Basic x' } })
      expect([basic.status, basic.body.error_code]).toEqual([401, 'no_authorization'])
    }
    await expect(signIn(auth, 'zoe@example.com')).resolves.toBeDefined()
  })

  test('creates a confirmed account that can sign in', async () => {
    const { data, error } = await service().createUser({
      email: 'Made@example.com',
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { name: 'Made' },
      app_metadata: { tier: 'gold' },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email: 'made@example.com',
      user_metadata: { name: 'Made', email_verified: true },
      app_metadata: { provider: 'email', providers: ['email'], tier: 'gold' },
    })
    await expect(signIn(auth, 'made@example.com')).resolves.toMatchObject({ id: data.user?.id })
  })

  test.each([
    [{ email: 'ZOE@example.com' }, 422, 'email_exists'],
    [{ password: PASSWORD }, 400, 'validation_failed'],
    [{ email: 'nonsense' }, 400, 'validation_failed'],
    [{ email: 'x@example.com', id: 'seven' }, 400, 'validation_failed'],
    [{ email: 'x@example.com', password: 'x'.repeat(10_000) }, 400, 'validation_failed'],
    [{ email: 'x@example.com', ban_duration: 'soon' }, 400, 'validation_failed'],
  ])('POST %j is refused', async (body, status, code) => {
    const answer = await admin('POST', '', body)
    expect([answer.status, answer.body.error_code]).toEqual([status, code])
  })

  test('reads, changes and deletes one account', async () => {
    const { data } = await service().createUser({ email: 'target@example.com' })
    const id = data.user?.id ?? ''
    expect((await service().getUserById(id)).data.user?.email).toBe('target@example.com')
    const changed = await service().updateUserById(id, {
      email: 'Moved@example.com',
      password: PASSWORD,
      app_metadata: { tier: 'silver' },
      user_metadata: { name: 'Moved' },
      email_confirm: true,
    })
    expect(changed.data.user).toMatchObject({
      email: 'moved@example.com',
      app_metadata: { tier: 'silver' },
      user_metadata: { name: 'Moved' },
    })
    await expect(signIn(auth, 'moved@example.com')).resolves.toMatchObject({ id })
    const taken = await admin('PUT', `/${id}`, { email: 'zoe@example.com' })
    expect([taken.status, taken.body.error_code]).toEqual([422, 'email_exists'])
    const weak = await admin('PUT', `/${id}`, { password: 'weak' })
    expect([weak.status, weak.body.error_code]).toEqual([422, 'weak_password'])

    expect((await service().deleteUser(id)).error).toBeNull()
    const gone = await admin('GET', `/${id}`)
    expect([gone.status, gone.body.error_code]).toEqual([404, 'user_not_found'])
    await expect(signIn(auth, 'moved@example.com')).rejects.toThrow('invalid_credentials')
  })

  test('a token outlives its account only until somebody asks about the person', async () => {
    const ghost = await enrol(auth, 'ghost@example.com')
    await admin('DELETE', `/${ghost.id}`)
    const { status, body } = await call(auth, 'GET', '/user', undefined, { bearer: ghost.accessToken })
    expect([status, body.error_code]).toEqual([403, 'user_not_found'])
  })

  test('a soft deletion keeps the row and nothing about the person', async () => {
    const person = await enrol(auth, 'soft@example.com', { name: 'Soft' })
    expect((await service().deleteUser(person.id, true)).error).toBeNull()
    const [row] = await server.db.query('select to_jsonb(u)::text as row from auth.users u where id = $1', [
      person.id,
    ])
    expect(row?.row).toBeDefined()
    expect(row?.row).not.toMatch(/soft|\$2b\$/i)
    await expect(signIn(auth, 'soft@example.com')).rejects.toThrow('invalid_credentials')
    await expect(enrol(auth, 'soft@example.com')).resolves.toBeDefined()
  })

  test.each([
    ['GET', '/seven'],
    ['PUT', '/seven'],
    ['DELETE', '/00000000-0000-4000-8000-000000000000'],
  ])('%s %s is a 404', async (method, path) => {
    expect((await admin(method, path, method === 'GET' ? undefined : {})).status).toBe(404)
  })
})

describe('the list', () => {
  beforeAll(async () => {
    for (let number = 1; number <= 12; number++)
      await admin('POST', '', { email: `list-${number}@example.com` })
  })

  test('comes in pages, newest first, and the client finds its way', async () => {
    const { data, error } = await service().listUsers({ page: 2, perPage: 5 })
    expect(error).toBeNull()
    const [{ count = 0 } = {}] = await server.db.query<{ count: number }>(
      'select count(*) from auth.users where deleted_at is null',
    )
    expect(data).toMatchObject({
      nextPage: 3,
      lastPage: Math.ceil(count / 5),
      total: count,
      aud: 'authenticated',
    })
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
    expect(emails).toEqual(['list-1', 'list-10', 'list-11', 'list-12'].map((name) => `${name}@example.com`))
  })

  test.each(['page=0', 'page=-1', 'per_page=x', 'page=99999999999', 'sort=password', 'sort=created_at;drop'])(
    '?%s is refused',
    async (query) => {
      const { status, body } = await admin('GET', `?${query}`)
      expect([status, body.error_code]).toEqual([400, 'validation_failed'])
    },
  )
})
