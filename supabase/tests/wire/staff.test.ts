// Roles, access requests and the wallet's check as a browser speaks of them: supabase-js over the real server.
import { describe, expect, test } from 'vitest'
import { addUser, newClient, type TestUser } from '../../../server/test/harness.ts'
import { DENIED } from '../people.ts'
import { openSite } from './site.ts'

const { server, sofia, ada, zoe } = await openSite({ sofia: 'super-admin', ada: 'admin', zoe: null })

const roleOf = async (person: TestUser) =>
  (
    await person.client
      .from('user_roles')
      .select('role')
      .eq('user_id', person.id)
      .maybeSingle()
      .throwOnError()
  ).data?.role ?? null

describe('roles', () => {
  const give = (granter: TestUser, role: string) =>
    granter.client
      .from('user_roles')
      .upsert({ user_id: zoe.id, role, granted_by: granter.id }, { onConflict: 'user_id' })
      .select('user_id, role, granted_by')
  const take = (granter: TestUser) => granter.client.from('user_roles').delete().eq('user_id', zoe.id)

  test('are upserted on user_id, one row per user, and deleted by user_id', async () => {
    for (const role of ['moderator', 'admin'])
      expect((await give(sofia, role)).data).toEqual([{ user_id: zoe.id, role, granted_by: sofia.id }])
    const rows = await sofia.client.from('user_roles').select().eq('user_id', zoe.id)
    expect(rows.data).toHaveLength(1)
    expect((await take(sofia)).status).toBe(204)
    expect(await roleOf(zoe)).toBeNull()
  })

  test('are listed with the accounts and counted, behind a check and without a privileged key', async () => {
    const listed = await ada.client.rpc('list_users', { p_search: 'ZOE' }).throwOnError()
    expect(listed.data).toEqual([
      {
        id: zoe.id,
        email: 'zoe@potluck.example',
        display_name: 'zoe',
        avatar_url: null,
        role: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ])
    const counts = await ada.client.rpc('list_system_roles').throwOnError()
    expect(counts.data?.[0]).toMatchObject({ id: 'r1', name: 'super-admin', users_count: 1 })
    for (const call of ['list_users', 'list_system_roles'])
      expect((await zoe.client.rpc(call)).error).toMatchObject(DENIED)
    // The accounts themselves are not for browsers, whoever is signed in.
    const { data, error } = await sofia.client.auth.admin.listUsers()
    expect([data.users, error?.status]).toEqual([
      [],
      expect.toSatisfy((status) => status === 401 || status === 403),
    ])
  })
})

describe('access requests', () => {
  const ask = (person: TestUser) =>
    person.client
      .from('admin_role_requests')
      .insert({
        user_id: person.id,
        name: 'Zoe Day',
        email: person.email,
        reason: 'I would like to help with payouts.',
      })
      .select()
      .single()
      .throwOnError()
  const review = (person: TestUser, id: string, status: string) =>
    person.client
      .from('admin_role_requests')
      .update({ status, reviewed_at: new Date().toISOString() })
      .eq('id', id)
      .select('status, reviewed_at')

  test('are inserted with a name, an address and a reason, and reviewed by id', async () => {
    const { data: asked } = await ask(zoe)
    expect(asked).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: zoe.id,
      name: 'Zoe Day',
      email: zoe.email,
      reason: 'I would like to help with payouts.',
      status: 'pending',
      requested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reviewed_at: null,
    })
    expect((await review(zoe, asked.id, 'approved')).data).toEqual([])
    expect((await review(ada, asked.id, 'approved')).data).toEqual([])
    expect((await review(sofia, asked.id, 'maybe')).error).toMatchObject({ code: '23514' })
    expect((await review(sofia, asked.id, 'approved')).data).toEqual([
      { status: 'approved', reviewed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    ])
    expect(await roleOf(zoe)).toBe('admin')
    await sofia.client.rpc('assign_user_role', { p_user_id: zoe.id, p_role: '' }).throwOnError()

    const { data: again } = await ask(zoe)
    expect((await review(sofia, again.id, 'rejected')).data).toMatchObject([{ status: 'rejected' }])
    expect(await roleOf(zoe)).toBeNull()
  })

  test('are read with all their columns, the newest first, by admins and not by others', async () => {
    const { data: latest } = await ask(zoe)
    const mona = await addUser(server, 'mona@potluck.example')
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'moderator')`, [mona.id])
    const read = (person: Pick<TestUser, 'client'>) =>
      person.client.from('admin_role_requests').select('*').order('requested_at', { ascending: false })
    for (const admin of [ada, sofia]) {
      const { data } = await read(admin)
      expect(data?.[0]).toEqual(latest)
      expect(data?.length).toBeGreaterThan(1)
      const dates = data?.map(({ requested_at }) => String(requested_at)) ?? []
      expect(dates).toEqual(dates.toSorted().toReversed())
    }
    expect((await read(mona)).data).toEqual([])
    expect((await read(zoe)).data?.every(({ user_id }) => user_id === zoe.id)).toBe(true)
    expect((await read({ client: newClient(server) })).error).toMatchObject(DENIED)
  })

  test('are decided once when two super-admins decide at the same moment', async () => {
    const marc = await addUser(server, 'marc@potluck.example')
    const sam = await addUser(server, 'sam@potluck.example')
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'super-admin')`, [sam.id])
    const { data: asked } = await ask(marc)
    const answers = await Promise.all([
      review(sofia, asked.id, 'approved'),
      review(sam, asked.id, 'rejected'),
    ])
    expect(answers.filter(({ data }) => data?.length === 1)).toHaveLength(1)
    const [stored] = await server.db.query('select status from admin_role_requests where id = $1', [asked.id])
    expect(await roleOf(marc)).toBe(stored?.status === 'approved' ? 'admin' : null)
    const told = await marc.client.from('user_notifications').select('title')
    expect(told.data).toHaveLength(1)
  })
})
