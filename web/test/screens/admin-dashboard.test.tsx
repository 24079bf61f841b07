import { MantineProvider } from '@mantine/core'
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { RoleBadge } from '#routes/-admin/AdminShell.tsx'
import { openApp } from '../app.tsx'
import { intercept, refuse } from '../network.ts'
import { join, newPeople, password, sharePlan } from '../sharing.ts'

const STAFF = ['moderator', 'admin', 'super-admin'] as const
const COUNT = 'POST /rpc/get_pending_provider_requests_count'
const server = await testServer()
const people: Record<string, TestUser> = {}

const person = (name: string): TestUser => {
  const found = people[name]
  if (!found) throw new Error(`${name} has no account`)
  return found
}
const open = (name: string, address = '/admin') =>
  openApp(server, address, { as: { email: person(name).email, password } })
const dashboard = () => screen.findByRole('heading', { name: 'Admin Dashboard', level: 1 })
const sidebar = () => screen.findByRole('navigation', { name: 'Administration' })
const bell = () => screen.findByRole('button', { name: /^Pending provider requests/ })
const tabs = () => screen.getAllByRole('tab').map((tab) => tab.textContent)
/** A part of the page with what it says, once it is there. */
const part = async (name: string) => (await screen.findByRole('region', { name })).textContent
/** Provider requests of Zoe's, as the server would note them. */
const ask = (name: string, times = 1) =>
  server.db.query(
    `insert into public.provider_requests (user_id, provider_name, category, website_url, description, plans_data)
     select $1, $2, 'Music', 'https://tunes.example', 'Plenty of music for all of us',
       '[{"plan_name": "Family", "price": 9.99, "billing_cycle": "monthly", "max_members": 6, "features": []}]'
     from generate_series(1, $3::int)`,
    [person('none').id, name, String(times)],
  )

beforeAll(async () => {
  await server.db.query(`insert into public.system_roles (name) values ('editor')`)
  for (const role of ['none', 'editor', ...STAFF]) {
    const account = await addUser(server, `${role}@staff.example`, { password })
    if (role !== 'none')
      await server.db.query(`insert into public.user_roles (user_id, role) values ($1, $2)`, [
        account.id,
        role,
      ])
    people[role] = account
  }
})

describe('the gate of the administration', () => {
  it('sends a visitor to sign-in with /admin as the way back', async () => {
    const { at } = await openApp(server, '/admin')
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fadmin'))
    await screen.findByRole('heading', { name: 'Welcome Back' })
  })

  it('sends everybody without a staff role to where one asks for access', async () => {
    for (const name of ['none', 'editor']) {
      const { at } = await open(name)
      await waitFor(() => expect(at()).toBe('/admin-request'))
      await screen.findByRole('heading', { name: 'Request Admin Access' })
    }
  })

  it('lets nobody in whose role could not be asked for', async () => {
    refuse('GET /user_roles?', 'XX000', 'broken', 500)
    const { at } = await open('super-admin')
    await waitFor(() => expect(at()).toBe('/admin-request'))
  })

  it('leads out whose role is taken away', async () => {
    const leo = await addUser(server, 'leo@staff.example', { password })
    people.leo = leo
    await server.db.query(`insert into public.user_roles (user_id, role) values ($1, 'moderator')`, [leo.id])
    const { at, router } = await open('leo')
    await dashboard()
    await server.db.query('delete from public.user_roles where user_id = $1', [leo.id])
    await router.options.context.queryClient.invalidateQueries()
    await waitFor(() => expect(at()).toBe('/admin-request'))
  })
})

describe('what each role finds there', () => {
  const everything = [
    'Dashboard /admin',
    'Withdrawals /admin/withdrawals',
    'Financials /admin/financials',
    'User Management /admin/users',
    'Role Management /admin/roles',
    'Subscriptions /admin/subscriptions',
    'Settings /admin?tab=settings',
  ]
  const listed = async () =>
    within(await sidebar())
      .getAllByRole('link')
      .map((link) => `${link.textContent} ${link.getAttribute('href')}`)

  it('is everything for admins, with their role', async () => {
    const privileges = {
      admin: 'Some actions may require higher privileges',
      'super-admin': 'You have full administrative privileges',
    }
    for (const role of ['admin', 'super-admin'] as const) {
      const { at } = await open(role)
      await dashboard()
      expect(at()).toBe('/admin')
      expect(await listed()).toEqual(everything)
      expect(screen.getByText('Current role').textContent).toBe(`Current role ${role}`)
      expect(within(screen.getByRole('main')).getAllByText(role)).toHaveLength(2)
      for (const [whose, text] of Object.entries(privileges))
        expect(screen.queryAllByText(text)).toHaveLength(whose === role ? 1 : 0)
      expect(tabs()).toEqual(['Overview', 'Requests', 'Service Providers', 'Settings'])
      await bell()
    }
  })

  it('leads from the sidebar to the Settings tab, which is under development', async () => {
    const { at } = await open('admin')
    const settings = within(await sidebar()).getByRole('link', { name: 'Settings' })
    expect(settings.getAttribute('aria-current')).toBeNull()
    await userEvent.click(settings)
    expect(await screen.findByText(/under development/)).toBeTruthy()
    expect(at()).toBe('/admin?tab=settings')
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Settings')
    expect(settings.getAttribute('aria-current')).toBe('page')
    const home = within(await sidebar()).getByRole('link', { name: 'Dashboard' })
    expect(home.getAttribute('aria-current')).toBeNull()
  })

  it('lists the access requests, and the providers with what they sell', async () => {
    await server.db.query('delete from public.admin_role_requests')
    await person('none')
      .client.from('admin_role_requests')
      .insert({
        user_id: person('none').id,
        name: 'Zoe Stranger',
        email: person('none').email,
        reason: 'I would like to help out here',
      })
      .throwOnError()
    await open('super-admin')
    await dashboard()
    await userEvent.click(screen.getByRole('tab', { name: 'Requests' }))
    await screen.findByText('Zoe Stranger')
    await userEvent.click(screen.getByRole('tab', { name: 'Service Providers' }))
    await screen.findAllByText('Netflix')
  })

  it('is the overview, providers, plans and people for a moderator', async () => {
    const { sent: asked } = intercept(COUNT)
    await ask('Tunes')
    await open('moderator')
    await dashboard()
    expect(await listed()).toEqual([
      'Dashboard /admin',
      'User Management /admin/users',
      'Subscriptions /admin/subscriptions',
    ])
    expect(screen.getByText('Current role').textContent).toBe('Current role moderator')
    expect(screen.getByText('Some actions may require higher privileges')).toBeTruthy()
    expect(tabs()).toEqual(['Overview', 'Service Providers'])
    await part('Active Subscriptions')
    expect(screen.queryByText('Total Revenue')).toBeNull()
    expect(screen.queryByRole('button', { name: /^Pending provider requests/ })).toBeNull()
    expect(screen.queryByText(/provider request(s)? (is|are) waiting/)).toBeNull()
    expect(asked.length).toBe(0)
  })

  it('refuses a moderator what is for admins', async () => {
    const { router } = await open('moderator')
    await dashboard()
    for (const page of ['withdrawals', 'financials', 'roles']) {
      await router.navigate({ href: `/admin/${page}` })
      await screen.findByRole('heading', { name: 'Your role does not include this page', level: 1 })
      await router.navigate({ href: '/admin' })
      await dashboard()
    }
    for (const tab of ['requests', 'settings']) {
      await router.navigate({ href: `/admin?tab=${tab}` })
      await waitFor(() => expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Overview'))
    }
  })

  it('is in the menu of the three staff roles and of nobody else', async () => {
    for (const name of ['none', 'editor', ...STAFF]) {
      await open(name, '/about')
      await userEvent.click(await screen.findByRole('button', { name: 'Your menu' }))
      await screen.findByRole('menuitem', { name: 'Account Settings' })
      if (name === 'none' || name === 'editor')
        expect(screen.queryByRole('menuitem', { name: 'Admin Dashboard' })).toBeNull()
      else {
        const entry = await screen.findByRole('menuitem', { name: 'Admin Dashboard' })
        expect(entry.getAttribute('href')).toBe('/admin')
      }
    }
  })
})

it('says so where there is no role', () => {
  render(
    <MantineProvider>
      <RoleBadge of={null} />
    </MantineProvider>,
  )
  expect(screen.getByText('No role')).toBeTruthy()
})

describe('the overview', () => {
  const card = (name: string) => screen.findByRole('article', { name })
  const limited = async (name: string) => within(await card(name)).queryByText('Limited Access') !== null

  it('leads to people and plans, with a badge where a role may do less', async () => {
    for (const role of STAFF) {
      await open(role)
      for (const [name, to] of [
        ['User Management', '/admin/users'],
        ['Subscription Moderation', '/admin/subscriptions'],
      ] as const)
        expect(
          within(await card(name))
            .getByRole('link', { name })
            .getAttribute('href'),
        ).toBe(to)
      expect(await limited('User Management')).toBe(role !== 'super-admin')
      expect(await limited('Subscription Moderation')).toBe(false)
    }
  })

  /** The card about people: each figure by its name. */
  const peopleShown = async () => {
    const overview = await screen.findByRole('region', { name: 'User Overview' })
    const texts = (tag: string) => [...overview.querySelectorAll(tag)].map(({ textContent }) => textContent)
    const figures = texts('dd')
    return Object.fromEntries(texts('dt').map((name, place) => [name, figures[place]]))
  }
  const sql = (text: string, ...values: string[]) => server.db.query<{ users: number }>(text, values)

  it('shows what there is, without a percentage where nothing was before', async () => {
    await sql('delete from public.shared_subscriptions')
    const { olivia, marc } = await newPeople(server)
    await join(olivia, marc, await sharePlan(olivia))
    const [{ users } = { users: 0 }] = await sql('select count(*)::int as users from auth.users')
    await open('admin')
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
    for (const period of ['2026-01-01', '2026-02-01', '2026-03-01'])
      await sql('select private.record_member_payment($1, $2, $3)', planId, marc.id, period)
    await sql(`update public.member_payments set created_at = ${before} where period < '2026-03-01'`)
    // Two of the accounts are new.
    await sql(
      `update auth.users set created_at = ${before}, last_sign_in_at = ${before} where id <> all ($1::uuid[])`,
      `{${olivia.id},${marc.id}}`,
    )
    const [{ users } = { users: 0 }] = await sql('select count(*)::int as users from auth.users')

    await open('super-admin')
    expect(await part('Active Subscriptions')).toBe('Active Subscriptions1-50% since the month began')
    // Three fees of 10 percent of a share of €5.
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

  it('says when the figures could not be loaded, and tries again', async () => {
    const failure = refuse('POST /rpc/get_admin_dashboard', 'XX000', 'broken', 500)
    await open('admin')
    const alert = await screen.findByText('The figures could not be loaded')
    expect(alert).toBeTruthy()
    expect(screen.queryByText('Active Subscriptions')).toBeNull()
    failure.heal()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await part('Active Subscriptions')
  })
})

describe('pending provider requests', () => {
  const waits = async (number: string) =>
    waitFor(async () =>
      expect((await bell()).getAttribute('aria-label')).toBe(`Pending provider requests, ${number} waiting`),
    )
  const clear = () => server.db.query('delete from public.provider_requests')

  it('are counted live, with a banner while there are any', async () => {
    await clear()
    await open('admin')
    await dashboard()
    expect((await bell()).getAttribute('aria-label')).toBe('Pending provider requests')
    expect(screen.queryByRole('alert')).toBeNull()

    // The channel has to be joined before a change is heard; whatever came earlier is loaded with it.
    await waitFor(async () => {
      await clear()
      await ask('Tunes')
      await screen.findByText('New Provider Request', {}, { timeout: 1500 })
    })
    await screen.findByText('A request was submitted for Tunes.')
    await waits('1')
    const banner = screen.getByRole('alert')
    expect(banner.textContent).toContain('1 provider request is waiting')
    // Honey is the orange of this palette.
    expect(banner.getAttribute('style')).toContain('--mantine-color-honey')

    const nothingWaits = () => waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    const said = () => screen.queryAllByText('New Provider Request').length
    const before = said()
    await server.db.query(`update public.provider_requests set status = 'rejected'`)
    await nothingWaits()
    expect(said()).toBeLessThanOrEqual(before)
    await ask('Beats')
    await waits('1')
    await clear()
    await nothingWaits()
    expect((await bell()).getAttribute('aria-label')).toBe('Pending provider requests')
  })

  it('are never counted beyond 99+', async () => {
    await clear()
    await ask('Tunes', 99)
    await open('super-admin')
    await waits('99')
    expect(screen.getAllByText('99')).toHaveLength(1)
    await ask('Tunes')
    await waits('100')
    expect(screen.getAllByText('99+')).toHaveLength(1)
    expect(screen.getByRole('alert').textContent).toContain('99+ provider requests are waiting')
  })

  it('are listed by the bell, and decided there', async () => {
    await clear()
    await ask('Tunes')
    await ask('Beats')
    await open('admin')
    await waits('2')
    await userEvent.click(await bell())
    const row = (name: string) => screen.findByRole('article', { name })
    await userEvent.click(within(await row('Tunes')).getByRole('button', { name: 'Approve' }))
    await screen.findByText('The request for Tunes has been approved.')
    await userEvent.click(within(await row('Beats')).getByRole('button', { name: 'Reject' }))
    await screen.findByText('The request for Beats has been rejected.')
    await screen.findByText('No provider requests are waiting')
    const decided = await server.db.query(
      'select provider_name, status from public.provider_requests order by provider_name desc',
    )
    expect(decided).toEqual([
      { provider_name: 'Tunes', status: 'approved' },
      { provider_name: 'Beats', status: 'rejected' },
    ])
    expect((await bell()).getAttribute('aria-label')).toBe('Pending provider requests')
  })

  it('are not decided by whoever asked, nor twice', async () => {
    await clear()
    await ask('Beats')
    await server.db.query('update public.provider_requests set user_id = $1', [person('admin').id])
    await ask('Tunes')
    await open('admin')
    await waits('2')
    await userEvent.click(await bell())
    const own = await screen.findByRole('article', { name: 'Beats' })
    expect(within(own).getByText('Somebody else decides about your own request.')).toBeTruthy()
    expect(within(own).queryByRole('button')).toBeNull()
    const late = refuse('PATCH /provider_requests?', '23514', 'This request has already been approved', 400)
    await userEvent.click(
      within(await screen.findByRole('article', { name: 'Tunes' })).getByRole('button', { name: 'Approve' }),
    )
    await screen.findByText('This request has already been approved')
    expect(late.sent.length).toBe(1)
  })

  it('are not mentioned when they could not be counted', async () => {
    await clear()
    await ask('Tunes')
    const failure = refuse(COUNT, 'XX000', 'broken', 500)
    await open('admin')
    await dashboard()
    await part('Active Subscriptions')
    await waitFor(() => expect(failure.sent.length).toBeGreaterThan(0))
    expect((await bell()).getAttribute('aria-label')).toBe('Pending provider requests')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(document.querySelector('.mantine-Notification-root')).toBeNull()
    expect(screen.queryByText(/waiting|could not|failed|error/i)).toBeNull()
  })
})
