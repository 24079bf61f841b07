import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useRole } from '#features/roles/use-role.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { supabase } from '#lib/supabase.ts'
import { openApp } from '../app.tsx'
import { failNetwork, intercept, refuse, skipWaits } from '../network.ts'
import { join, newPeople, type People, sharePlan } from '../sharing.ts'

const ROLE = 'GET /user_roles?'
const server = await testServer()

const grant = (person: TestUser, role: string) =>
  server.db.query(
    `insert into public.user_roles (user_id, role) values ($1, $2)
     on conflict (user_id) do update set role = excluded.role`,
    [person.id, role],
  )
const open = (person: TestUser, address: string) => openApp(server, address, { as: person })

/** What the hook makes of a person's role, once whoever uses the app has asked. */
async function roleOf(person: TestUser) {
  const cache = createQueryClient()
  cache.setDefaultOptions({ queries: { retry: false } })
  const { result } = renderHook(() => useRole(person.id), {
    wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider>,
  })
  const [query] = cache.getQueryCache().getAll()
  await waitFor(() => expect(query?.state.status).not.toBe('pending'))
  return { result, cache, query }
}

/** What the database makes of it. */
const decisionsOn = (person: TestUser) =>
  server.db.transaction(async (tx) => {
    await tx.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify({ sub: person.id })])
    const [row] = await tx.query(
      `select private.is_staff() as "isStaff", private.may('users.view') as views, private.may('users.edit') as edits,
        private.may('roles.manage') as manages`,
    )
    return row
  })

describe('what a role allows', () => {
  let ada: TestUser
  beforeAll(async () => {
    // The kind of address that the literal reading would have let in.
    ada = await addUser(server, 'ada@admin.test')
    await grant(ada, 'super-admin')
    await server.db.query(
      `insert into public.system_roles (name, permissions) values ('editor', '{settings.edit}')`,
    )
  })
  beforeEach(async () => {
    await open(ada, '/about')
    await screen.findByRole('main')
  })

  it('is on screen what it is in the database, for each role and for none', async () => {
    for (const role of ['moderator', 'admin', 'super-admin', 'editor', null]) {
      const person = await addUser(server, `${role}-${Date.now()}@potluck.example`)
      if (role !== null) await grant(person, role)
      const { isStaff, may, ...held } = (await roleOf(person)).result.current
      expect(held.role).toBe(role)
      const shown = {
        isStaff,
        views: may('users.view'),
        edits: may('users.edit'),
        manages: may('roles.manage'),
      }
      expect(shown).toEqual(await decisionsOn(person))
      expect(shown.edits).toBe(role === 'admin' || role === 'super-admin')
      expect(isStaff).toBe(role !== null)
    }
  })

  it('is nothing when it could not be asked, whatever the e-mail address ends in', async () => {
    // The client asks three times more, after 1, 2 and 4 seconds.
    skipWaits(1000, 2000, 4000)
    for (const fails of [() => refuse(ROLE, '42501', 'permission denied', 403), () => failNetwork(ROLE)]) {
      const failure = fails()
      const { result, query } = await roleOf(ada)
      expect(query?.state.status).toBe('error')
      expect(result.current).toMatchObject({ role: null, isStaff: false })
      expect(result.current.may('users.view')).toBe(false)
      expect(result.current.satisfies('moderator')).toBe(false)
      failure.heal()
    }
  })

  it('is nothing any more when it was known and then could not be asked again', async () => {
    const { result, cache } = await roleOf(ada)
    expect(result.current.may('users.edit')).toBe(true)
    refuse(ROLE, 'XX000', 'broken', 500)
    await cache.invalidateQueries()
    await waitFor(() => expect(result.current.role).toBeNull())
    expect(result.current.isStaff).toBe(false)
    expect(result.current.may('users.edit')).toBe(false)
  })
})

describe('a role in a plan', () => {
  const OWNERSHIP = 'POST /rpc/is_subscription_owner'
  let people: People
  let planId: string
  beforeAll(async () => {
    people = await newPeople(server)
    planId = await sharePlan(people.olivia)
    await join(people.olivia, people.marc, planId)
  })
  const ownerView = () => screen.findByRole('heading', { name: 'Premium Subscription' })
  const memberView = () => screen.findByRole('heading', { name: 'Your Subscribed Plan', level: 1 })

  it('is nobody else’s, nor does it come from a staff role', async () => {
    await grant(people.zoe, 'super-admin')
    await open(people.zoe, `/manage-shared/${planId}`)
    await screen.findByRole('region', { name: 'A place in it' })
    expect(within(screen.getByRole('main')).queryByText('Members')).toBeNull()
    const review = (status: string) =>
      server.db.query('update public.shared_subscriptions set status = $2 where id = $1', [planId, status])
    await review('pending')
    await screen.findByText('You do not have access to this subscription')
    await review('active')
  })

  it('is asked of the database, once while it answers, and again when the session changes', async () => {
    const { sent: asked } = intercept(OWNERSHIP)
    await open(people.olivia, `/subscription/${planId}`)
    await ownerView()
    expect(asked.length).toBe(1)
    await supabase().auth.refreshSession()
    await waitFor(() => expect(asked.length).toBeGreaterThan(1))
  })

  it('is what the database answers, even where owner_id says otherwise', async () => {
    const answer = (sql: string) =>
      server.db.query(`create or replace function public.is_subscription_owner(subscription_id_param text)
        returns boolean language sql stable set search_path = '' as $$ select ${sql} $$`)
    await answer('false')
    await open(people.olivia, `/subscription/${planId}`)
    await memberView()
    await answer('private.is_plan_owner(subscription_id_param)')
  })

  it('is asked again twice when asking fails, and then read from owner_id', async () => {
    const failure = refuse(OWNERSHIP, 'XX000', 'broken', 500)
    await open(people.olivia, `/subscription/${planId}`)
    await ownerView()
    expect(failure.sent.length).toBe(3)
  })

  it('gives nobody else the owner’s view when asking fails', async () => {
    const failure = failNetwork(OWNERSHIP)
    await open(people.marc, `/subscription/${planId}`)
    await memberView()
    expect(failure.sent.length).toBe(3)
  })
})
