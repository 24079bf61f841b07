import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { roleKeys } from '#features/roles/roles.queries.ts'
import { listening, openApp } from '../app.tsx'
import { intercept, refuse } from '../network.ts'
import { join, newPeople, sharePlan } from '../sharing.ts'

const COUNT = 'POST /rpc/get_pending_provider_requests_count'
const ROLES = ['editor', 'moderator', 'admin', 'super-admin']
const server = await testServer()
const people = new Map<string, TestUser>()
const sql = (text: string, ...values: string[]) => server.db.query<{ users: number }>(text, values)

const person = (name: string): TestUser => {
  const found = people.get(name)
  if (!found) throw new Error(`${name} has no account`)
  return found
}
const open = (name: string, address = '/admin') => openApp(server, address, { as: person(name) })
const dashboard = () => screen.findByRole('heading', { name: 'Admin Dashboard', level: 1 })
const tabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent)
/** A part of the page with what it says, once it is there. */
const part = async (name: string) => (await screen.findByRole('region', { name })).textContent
/** Where the sidebar leads. */
const listed = async () =>
  within(await screen.findByRole('navigation', { name: 'Administration' }))
    .getAllByRole('link')
    .map((link) => `${link.textContent} ${link.getAttribute('href')}`)
/** Is a quick action marked as less than the whole? */
const limited = (name: string) =>
  within(screen.getByRole('article', { name })).queryByText('Limited Access') !== null
beforeAll(async () => {
  await sql(`insert into public.system_roles (name) values ('editor')`)
  for (const role of ['none', ...ROLES]) people.set(role, await addUser(server, `${role}@staff.example`))
  for (const role of ROLES)
    await sql('insert into public.user_roles (user_id, role) values ($1, $2)', person(role).id, role)
})

describe('the gate of the administration', () => {
  it('is closed to other roles, and where a role could not be asked for', async () => {
    const editor = await open('editor')
    await waitFor(() => expect(editor.at()).toBe('/admin-request'))
    await screen.findByRole('heading', { name: 'Request Admin Access' })
    refuse('GET /user_roles?', 'XX000', 'broken', 500)
    const { at } = await open('super-admin')
    await waitFor(() => expect(at()).toBe('/admin-request'))
  })

  it('asks again when the page that is left takes its question back', async () => {
    const { at, router, cache } = await open('super-admin', '/privacy')
    const queryKey = roleKeys.of(person('super-admin').id)
    await screen.findByRole('heading', { name: 'Privacy' })
    cache.removeQueries({ queryKey })
    await act(async () => {
      const led = router.navigate({ href: '/admin' })
      await vi.waitFor(() => expect(cache.isFetching({ queryKey })).toBe(1), { interval: 1 })
      await cache.cancelQueries({ queryKey })
      await led
    })
    await dashboard()
    expect(at()).toBe('/admin')
  })

  it('leads out whose role is taken away', async () => {
    const leo = await addUser(server, 'leo@staff.example')
    people.set('leo', leo)
    await sql(`insert into public.user_roles (user_id, role) values ($1, 'moderator')`, leo.id)
    const { at, router } = await open('leo')
    await dashboard()
    await sql('delete from public.user_roles where user_id = $1', leo.id)
    await router.options.context.queryClient.invalidateQueries()
    await waitFor(() => expect(at()).toBe('/admin-request'))
  })

  it('is in the menu of staff, and of nobody else', async () => {
    for (const [name, href] of [
      ['editor', undefined],
      ['moderator', '/admin'],
    ] as const) {
      const { user } = await open(name, '/about')
      await user.click(await screen.findByRole('button', { name: 'Your menu' }))
      await screen.findByText('Account Settings')
      if (href) await screen.findByText('Admin Dashboard')
      expect(screen.queryByText('Admin Dashboard')?.closest('a')?.getAttribute('href')).toBe(href)
    }
  })
})

describe('what each role finds there', () => {
  it('is everything for a super-admin', async () => {
    await sql(
      `insert into public.admin_role_requests (user_id, name, email, reason)
       values ($1, 'Zoe Stranger', 'none@staff.example', 'I would like to help out here')`,
      person('none').id,
    )
    const { user, at } = await open('super-admin')
    await dashboard()
    expect(await listed()).toEqual([
      'Dashboard /admin',
      'Withdrawals /admin/withdrawals',
      'Financials /admin/financials',
      'Transfers /admin/transfers',
      'Problems /admin/problems',
      'Disputes /admin/disputes',
      'Reviews /admin/reviews',
      'Reports /admin/reports',
      'User Management /admin/users',
      'Role Management /admin/roles',
      'Subscriptions /admin/subscriptions',
      'Staff Log /admin/log',
      'Settings /admin?tab=settings',
    ])
    expect(screen.getByText('Current role').textContent).toBe('Current role super-admin')
    expect(within(screen.getByRole('main')).getAllByText('super-admin')).toHaveLength(2)
    expect(screen.getByText('You have full administrative privileges')).toBeTruthy()
    expect(tabs()).toEqual(['Overview', 'Requests', 'Service Providers', 'Settings'])
    await part('Active Subscriptions')
    for (const [name, to] of [
      ['User Management', '/admin/users'],
      ['Subscription Moderation', '/admin/subscriptions'],
    ] as const) {
      const link = within(screen.getByRole('article', { name })).getByRole('link', { name })
      expect([link.getAttribute('href'), limited(name)]).toEqual([to, false])
    }
    await user.click(screen.getByRole('tab', { name: 'Requests' }))
    await screen.findByText('Zoe Stranger')
    await user.click(screen.getByRole('tab', { name: 'Service Providers' }))
    await screen.findAllByText('Netflix')
    const sidebar = screen.getByRole('navigation', { name: 'Administration' })
    const [home, settings] = ['/admin', '/admin?tab=settings'].map((to) =>
      sidebar.querySelector(`a[href="${to}"]`),
    )
    expect(settings?.getAttribute('aria-current')).toBeNull()
    await user.click(settings as HTMLElement)
    await screen.findByText(/under development/)
    expect(at()).toBe('/admin?tab=settings')
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Settings')
    expect(settings?.getAttribute('aria-current')).toBe('page')
    expect(home?.getAttribute('aria-current')).toBeNull()
  })

  it('is the overview, providers, plans and people for a moderator', async () => {
    const { sent: asked } = intercept(COUNT)
    const { router } = await open('moderator')
    await dashboard()
    expect(await listed()).toEqual([
      'Dashboard /admin',
      'Reviews /admin/reviews',
      'Reports /admin/reports',
      'User Management /admin/users',
      'Subscriptions /admin/subscriptions',
    ])
    expect(screen.getByText('Current role').textContent).toBe('Current role moderator')
    expect(screen.getByText('Some actions may require higher privileges')).toBeTruthy()
    expect(tabs()).toEqual(['Overview', 'Service Providers'])
    await part('Active Subscriptions')
    expect([limited('User Management'), limited('Subscription Moderation')]).toEqual([true, false])
    expect(screen.queryByText('Total Revenue')).toBeNull()
    expect(screen.queryByLabelText(/^Pending provider requests/)).toBeNull()
    expect(screen.queryByText(/provider request(s)? (is|are) waiting/)).toBeNull()
    expect(asked).toEqual([])
    for (const tab of ['requests', 'settings']) {
      await router.navigate({ href: `/admin?tab=${tab}` })
      await waitFor(() => expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Overview'))
    }
  })
})

describe('the figures', () => {
  /** The card about people: each figure by its name. */
  const peopleShown = async () => {
    const overview = await screen.findByRole('region', { name: 'User Overview' })
    const texts = (tag: string) => [...overview.querySelectorAll(tag)].map(({ textContent }) => textContent)
    const figures = texts('dd')
    return Object.fromEntries(texts('dt').map((name, place) => [name, figures[place]]))
  }
  it('are loaded again when they failed, without a percentage where nothing was before', async () => {
    const failure = refuse('POST /rpc/get_admin_dashboard', 'XX000', 'broken', 500)
    const { olivia, marc } = await newPeople(server)
    await join(olivia, marc, await sharePlan(olivia))
    const [{ users } = { users: 0 }] = await sql('select count(*)::int as users from auth.users')
    const { user } = await open('admin')
    await screen.findByText('The figures could not be loaded')
    expect(screen.queryByText('Active Subscriptions')).toBeNull()
    failure.heal()
    await user.click(screen.getByText('Retry'))
    expect(await part('Active Subscriptions')).toBe('Active Subscriptions1')
    expect(await part('Total Revenue')).toBe('Total Revenue€0.00')
    const all = String(users)
    expect(await peopleShown()).toEqual({
      'Total users': all,
      'New this month': all,
      'Active users': all,
      Admins: '2',
    })
    expect(screen.getByRole('link', { name: 'View all users' }).getAttribute('href')).toBe('/admin/users')
  })

  it('compares with when the month began', async () => {
    await sql('delete from public.member_payments')
    await sql('delete from private.seats')
    await sql('delete from public.shared_subscriptions')
    await sql('delete from private.active_plan_changes')
    const { olivia, marc, zoe } = await newPeople(server)
    const planId = await sharePlan(olivia)
    await sql('update public.shared_subscriptions set member_price = 5 where id = $1', planId)
    await join(olivia, marc, planId)
    // A plan of this month beside two that were there before, one of which is gone.
    await sharePlan(marc)
    const goneId = await sharePlan(zoe)
    const before = `now() - interval '40 days'`
    await sql(
      `update private.active_plan_changes set at = ${before}
       where at <> (select at from private.active_plan_changes order by at offset 1 limit 1)`,
    )
    await sql('delete from public.shared_subscriptions where id = $1', goneId)
    await sql(`update public.shared_subscriptions set status = 'rejected' where owner_id = $1`, marc.id)
    await sql(`update public.subscription_members set joined_at = now() - interval '3 months'`)
    const earn = (key: string, fees: string) =>
      sql(
        `select private.transfer('${key}', private.ledger_account('outside'), private.ledger_account('fees'), ${fees}, 'fee')`,
      )
    await earn('before', '1')
    await sql('alter table private.ledger_entries disable trigger keep')
    await sql(`update private.ledger_entries set created_at = ${before}`)
    await sql('alter table private.ledger_entries enable trigger keep')
    await earn('since', '0.5')
    // Two of the accounts are new.
    await sql(
      `update auth.users set created_at = ${before}, last_sign_in_at = ${before} where id <> all ($1::uuid[])`,
      `{${olivia.id},${marc.id}}`,
    )
    const [{ users } = { users: 0 }] = await sql('select count(*)::int as users from auth.users')

    await open('super-admin')
    expect(await part('Active Subscriptions')).toBe('Active Subscriptions1-50% since the month began')
    expect(await part('Total Revenue')).toBe('Total Revenue€1.50+50% since the month began')
    expect(await peopleShown()).toEqual({
      'Total users': String(users),
      'New this month': '2',
      // And the super-admin, who signed in just now.
      'Active users': '3',
      Admins: '2',
      Growth: `+${Math.round((2 / (users - 2)) * 1000) / 10}%`,
    })
  })
})

it('the list of access requests follows who asks and what others decide', async () => {
  const zoe = await addUser(server, 'zoe@access.example')
  const { sent: loads } = intercept('GET /rest/v1/admin_role_requests')
  await open('admin', '/admin?tab=requests')
  await dashboard()
  await listening('access-requests')
  // For the page, and for what happened before the channel was joined.
  await waitFor(() => expect(loads).toHaveLength(2))
  const reason = 'I would like to help with payouts.'
  const request = { user_id: zoe.id, name: 'Zoe Day', email: zoe.email, reason }
  await zoe.client.from('admin_role_requests').insert(request).throwOnError()
  const card = await screen.findByRole('article', { name: 'Zoe Day' })
  expect(within(card).getByText('Pending')).toBeTruthy()
  await person('super-admin')
    .client.from('admin_role_requests')
    .update({ status: 'rejected' })
    .eq('user_id', zoe.id)
    .throwOnError()
  await within(card).findByText('Rejected')
  expect(loads).toHaveLength(2)
})
