// Roles on the site and roles in a plan: how the app uses the database's answers, and how it behaves without one.
// Proves ROLE 01 02 05 09-11
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { BUILT_IN_ROLES } from '#domain/roles.ts'
import { DESCRIPTIONS } from '#features/staff/roles/roles.messages.ts'
import { useRole } from '#features/staff/roles/use-role.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { supabase } from '#lib/supabase.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { failNetwork, intercept, refuse, skipWaits } from '../network.ts'
import { control } from '../parts.ts'
import { addStaff, grant, newPerson } from '../people.ts'
import { join, newPeople, sharePlan } from '../sharing.ts'

const ROLE = 'GET /user_roles?'
const server = await testServer()
const open = (person: TestUser, address: string) => openApp(server, address, { as: person })

/** The hook's result for a person's role, once the signed-in person has loaded it. */
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

/** The database's own decisions about the person's permissions. */
const decisionsOn = (person: TestUser) =>
  server.db.transaction(async (tx) => {
    await tx.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify({ sub: person.id })])
    const [row] = await tx.query(
      `select private.is_staff() as "isStaff", private.may('users.view') as views, private.may('users.edit') as edits,
        private.may('roles.manage') as manages`,
    )
    return row
  })

it('what a role allows is on screen what it is in the database, and nothing as soon as it cannot be asked', async () => {
  await server.db.query(`insert into system_roles (name, permissions) values ('settler', '{settings.edit}')`)
  onTestFinished(async () => {
    await server.db.query(`delete from user_roles where role = 'settler'`)
    await server.db.query(`delete from system_roles where name = 'settler'`)
  })
  const ada = await addStaff(server, 'ada', 'super-admin')
  // An email address that a literal reading of the requirement would have treated as an admin's.
  await server.db.query(`update auth.users set email = id || '@admin.test' where id = $1`, [ada.id])
  await openApp(server, '/about', { as: { email: `${ada.id}@admin.test` } })
  await screen.findByRole('main')
  for (const role of ['moderator', 'admin', 'super-admin', 'settler', null]) {
    const person = await newPerson(server, 'some')
    if (role !== null) await grant(server, person, role)
    const { isStaff, may, ...held } = (await roleOf(person)).result.current
    expect(held.role).toBe(role)
    const shown = {
      isStaff,
      views: may('users.view'),
      edits: may('users.edit'),
      manages: may('roles.manage'),
    }
    expect(shown).toEqual(await decisionsOn(person))
    expect([shown.edits, isStaff]).toEqual([role === 'admin' || role === 'super-admin', role !== null])
  }
  const { result: known, cache } = await roleOf(ada)
  expect(known.current.may('users.edit')).toBe(true)
  // The client retries three times, after 1, 2 and 4 seconds.
  skipWaits(1000, 2000, 4000)
  for (const fails of [() => refuse(ROLE, '42501', 'permission denied', 403), () => failNetwork(ROLE)]) {
    const failure = fails()
    const { result, query } = await roleOf(ada)
    expect(query?.state.status).toBe('error')
    expect(result.current).toMatchObject({ role: null, isStaff: false })
    expect([result.current.may('users.view'), result.current.satisfies('moderator')]).toEqual([false, false])
    failure.heal()
  }
  refuse(ROLE, 'XX000', 'broken', 500)
  await cache.invalidateQueries()
  await waitFor(() => expect(known.current.role).toBeNull())
  expect([known.current.isStaff, known.current.may('users.edit')]).toEqual([false, false])
})

it('a person who is made staff finds the administration in their menu at once, and is told', async () => {
  const sofia = await addStaff(server, 'sofia', 'super-admin')
  const zoe = await newPerson(server, 'zoe')
  const { user } = await open(zoe, '/about')
  await listening(`role-${zoe.id}`)
  await user.click(await control('Your menu'))
  await screen.findByText('Account Settings')
  expect(screen.queryByText('Admin Dashboard')).toBeNull()
  await sofia.client.rpc('assign_user_role', { p_user_id: zoe.id, p_role: 'moderator' }).throwOnError()
  await toasted('success', 'You’re on the Team', 'You can now open the administration.')
  await screen.findByText('Admin Dashboard')
})

it('the names and descriptions of the built-in roles, and the descriptions of permissions, are translated', async () => {
  const stored = await server.db.query<{ description: string }>(
    'select description from system_roles where built_in union select description from system_permissions',
  )
  expect(stored.map(({ description }) => description).sort()).toEqual(Object.keys(DESCRIPTIONS).sort())
  const names = await server.db.query<{ name: string }>('select name from system_roles where built_in')
  expect(names.map(({ name }) => name).sort()).toEqual([...BUILT_IN_ROLES].sort())
})

it('a role in a plan is what the database answers, asked three times, then read from owner_id; staff has none', async () => {
  const OWNERSHIP = 'POST /rpc/is_subscription_owner'
  const { olivia, marc, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  const ownerView = () => screen.findByText('Premium Subscription')
  const memberView = () => screen.findByText('Your Subscribed Plan', { selector: 'h1' })

  const { sent: asked } = intercept(OWNERSHIP)
  await open(olivia, `/subscription/${planId}`)
  await ownerView()
  // The plan's live channel may have caused another query by now.
  const before = asked.length
  expect(before).toBeGreaterThan(0)
  await supabase().auth.refreshSession()
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))

  intercept(OWNERSHIP, () => Promise.resolve(Response.json(false)))
  await open(olivia, `/subscription/${planId}`)
  await memberView()
  for (const [who, view] of [
    [olivia, ownerView],
    [marc, memberView],
  ] as const) {
    const failure = refuse(OWNERSHIP, 'XX000', 'broken', 500)
    await open(who, `/subscription/${planId}`)
    await view()
    expect(failure.sent.length).toBe(3)
    failure.heal()
  }

  await grant(server, zoe, 'super-admin')
  await open(zoe, `/manage-shared/${planId}`)
  await screen.findByLabelText('Price and places', { selector: 'section' })
  expect(within(screen.getByRole('main')).queryByText('Members')).toBeNull()
  await server.db.query(`update shared_subscriptions set status = 'pending' where id = $1`, [planId])
  await screen.findByText('You do not have access to this subscription')
})
