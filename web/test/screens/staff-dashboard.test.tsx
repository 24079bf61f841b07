// The administration's first page: its guard, its contents for each role, the site's figures and settings.
// Proves NAV 06, CREATE 17, ADMIN 02-09 11-14
import { testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { roleKeys } from '#features/staff/roles/roles.queries.ts'
import { addPerson } from '../../../supabase/tests/people.ts'
import { openTill } from '../../../supabase/tests/till.ts'
import { openApp, toasted } from '../app.tsx'
import { hold, intercept, refuse } from '../network.ts'
import { dialog, figures, rows } from '../parts.ts'
import { addStaff, grant, nameOf, setUpApp } from '../people.ts'
import { sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
await db.query(`insert into system_roles (name) values ('editor')`)
const sofia = await addStaff(server, 'sofia', 'super-admin')
const ada = await addStaff(server, 'ada', 'admin')
const mona = await addStaff(server, 'mona', 'moderator')
const edith = await addStaff(server, 'edith', 'editor')
afterAll(async () => {
  await db.query(`delete from user_roles where role = 'editor'`)
  await db.query(`delete from system_roles where name = 'editor'`)
})

const dashboard = () => screen.findByText('Admin Dashboard', { selector: 'h1' })
const tabs = () => [...document.querySelectorAll('[role=tab]')].map(({ textContent }) => textContent)
const selected = () => document.querySelector('[role=tab][aria-selected=true]')?.textContent
const sidebar = async () => screen.findByLabelText('Administration', { selector: 'nav' })
const listed = async () =>
  [...(await sidebar()).querySelectorAll('a')].map(
    (link) => `${link.textContent} ${link.getAttribute('href')}`,
  )
/** Whether a quick action is marked "Limited Access". */
const limited = (name: string) =>
  within(screen.getByLabelText(name, { selector: 'article' })).queryByText('Limited Access') !== null
const part = async (name: string) => (await screen.findByLabelText(name, { selector: 'section' })).textContent

it('the gate lets in whose role opens it, as long as it does, and the menu of nobody else leads there', async () => {
  const editor = await openApp(server, '/admin', { as: edith })
  await waitFor(() => expect(editor.at()).toBe('/admin-request'))
  await editor.user.click(await screen.findByText('Your menu'))
  await screen.findByText('Account Settings')
  expect(screen.queryByText('Admin Dashboard')).toBeNull()
  const failing = refuse('GET /user_roles?', 'XX000', 'broken', 500)
  const { at, router, cache } = await openApp(server, '/admin', { as: sofia })
  await waitFor(() => expect(at()).toBe('/admin-request'))
  failing.heal()
  await act(() => router.navigate({ href: '/privacy' }))
  await screen.findByText('Privacy', { selector: 'h1' })
  // The guard queries the role again if the page that is being left cancels the query.
  const queryKey = roleKeys.of(sofia.id)
  cache.removeQueries({ queryKey })
  await act(async () => {
    const led = router.navigate({ href: '/admin' })
    await vi.waitFor(() => expect(cache.isFetching({ queryKey })).toBe(1), { interval: 1 })
    await cache.cancelQueries({ queryKey })
    await led
  })
  await dashboard()
  expect(at()).toBe('/admin')

  const leo = await addStaff(server, 'leo', 'moderator')
  const left = await openApp(server, '/about', { as: leo })
  await left.user.click(await screen.findByText('Your menu'))
  await left.user.click(await screen.findByText('Admin Dashboard'))
  await dashboard()
  await db.query('delete from user_roles where user_id = $1', [leo.id])
  await left.cache.invalidateQueries()
  await waitFor(() => expect(left.at()).toBe('/admin-request'))
  // The way back does not lead through the administration, which would send them here again.
  act(() => left.router.history.back())
  await waitFor(() => expect(left.at()).toBe('/about'))
})

it('a super-admin finds everything, a moderator the overview, providers, plans and people', async () => {
  const { user, at } = await openApp(server, '/admin', { as: sofia })
  await dashboard()
  expect(await listed()).toEqual([
    'Dashboard /admin',
    'Withdrawals /admin/withdrawals',
    'Financials /admin/financials',
    'Transfers /admin/transfers',
    'Problems /admin/problems',
    'Disputes /admin/disputes',
    'Cases /admin/cases',
    'User Management /admin/users',
    'Role Management /admin/roles',
    'Subscriptions /admin/subscriptions',
    'Emails /admin/mails',
    'System /admin/system',
    'Staff Log /admin/log',
    'Settings /admin?tab=settings',
  ])
  expect(screen.getByText('Current role').textContent).toBe('Current role Super-admin')
  expect(within(screen.getByRole('main')).getAllByText('Super-admin')).toHaveLength(2)
  expect(screen.getByText('You have full administrative privileges')).toBeTruthy()
  expect(tabs()).toEqual(['Overview', 'Requests', 'Service Providers', 'Settings'])
  await part('Active Subscriptions')
  for (const [name, to] of [
    ['User Management', '/admin/users'],
    ['Subscription Moderation', '/admin/subscriptions'],
  ] as const) {
    const action = screen.getByLabelText(name, { selector: 'article' })
    expect([action.querySelector('a')?.getAttribute('href'), limited(name)]).toEqual([to, false])
  }
  const [home, settings] = ['/admin', '/admin?tab=settings'].map((to) =>
    document.querySelector(`nav[aria-label=Administration] a[href="${to}"]`),
  )
  expect(settings?.getAttribute('aria-current')).toBeNull()
  await user.click(settings as HTMLElement)
  await screen.findByText(/under development/)
  expect([at(), selected()]).toEqual(['/admin?tab=settings', 'Settings'])
  expect([settings, home].map((link) => link?.getAttribute('aria-current'))).toEqual(['page', null])

  const { sent: asked } = intercept('POST /rpc/get_pending_provider_requests_count')
  const { user: hers, router } = await openApp(server, '/admin', { as: mona })
  await dashboard()
  expect(await listed()).toEqual([
    'Dashboard /admin',
    'Cases /admin/cases',
    'User Management /admin/users',
    'Subscriptions /admin/subscriptions',
  ])
  expect(screen.getByText('Current role').textContent).toBe('Current role Moderator')
  expect(screen.getByText('Some actions may require higher privileges')).toBeTruthy()
  expect(tabs()).toEqual(['Overview', 'Service Providers'])
  await part('Active Subscriptions')
  expect([limited('User Management'), limited('Subscription Moderation')]).toEqual([true, false])
  expect(screen.queryByText('Total Revenue')).toBeNull()
  expect(screen.queryByLabelText(/^Pending provider requests/)).toBeNull()
  expect(asked).toEqual([])
  await hers.click(await screen.findByText('Show trends'))
  await hers.click(await screen.findByText('Show as a table'))
  // The history of the site's figures has no money columns either.
  await waitFor(() =>
    expect([...document.querySelectorAll('th[scope=col], thead th')].map((head) => head.textContent)).toEqual(
      ['Month', 'New people', 'Active plans', 'Active places'],
    ),
  )
  for (const tab of ['requests', 'settings']) {
    await router.navigate({ href: `/admin?tab=${tab}` })
    await waitFor(() => expect(selected()).toBe('Overview'))
  }
})

it('the cases that wait come first, counted in the menu too, and go once they are decided', async () => {
  const site = await testServer()
  const [boss, mia] = [await addStaff(site, 'boss', 'admin'), await addPerson(site.db, 'Mia')]
  const { user, at } = await openApp(site, '/admin', { as: boss })
  await screen.findByText('You’re all caught up.')
  await mia.sql`select write_to_support('Where is my receipt?')`
  await site.db.query(
    `insert into private.outgoing_mail (recipient, event, given_up_at, last_error)
     values ('gone@mail.example', 'request-approved', now() - interval '2 days', '550 No such user')`,
  )
  const cases = async () =>
    within(await screen.findByLabelText('To do', { selector: 'section' }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent)
  await waitFor(async () =>
    expect(await cases()).toEqual(['Undelivered emailsoldest 2 days ago1', 'Casesoldest just now1']),
  )
  expect((await listed()).filter((entry) => entry.includes('waiting'))).toEqual([
    'Cases11 waiting /admin/cases',
    'Emails11 waiting /admin/mails',
  ])
  await user.click(screen.getByRole('link', { name: /^Undelivered emails ?oldest/ }))
  await waitFor(() => expect(at()).toBe('/admin/mails'))
  await screen.findByText('550 No such user')
  await user.click(screen.getByText('Mark all as seen'))
  await screen.findByText('No undelivered emails')
  await waitFor(async () =>
    expect((await listed()).filter((entry) => entry.includes('waiting'))).toEqual([
      'Cases11 waiting /admin/cases',
    ]),
  )
})

it('the figures are those of the site against when the month began, as cards, charts and a table', async () => {
  const site = await testServer()
  const boss = await addStaff(site, 'boss', 'super-admin')
  // Before: two plans and EUR 1.00 in fees. Since then one plan was deleted and EUR 0.50 was added.
  const till = await openTill(site.db)
  const [olivia, mia] = [await addPerson(site.db, 'Olivia'), await till.payer('Mia')]
  const plan = await till.share(olivia)
  const gone = await sharePlan(boss)
  const before = `now() - interval '40 days'`
  await site.db.query(`update private.active_plan_changes set at = ${before}`)
  await site.db.query('delete from shared_subscriptions where id = $1', [gone])
  await site.db.query(`update auth.users set created_at = ${before} where id in ($1, $2)`, [
    boss.id,
    olivia.id,
  ])
  const earn = (fees: string) =>
    site.db.query(
      `select private.transfer(gen_random_uuid()::text, private.ledger_account('outside'), private.ledger_account('fees'), ${fees}, 'fee')`,
    )
  await earn('1')
  await site.db.query('alter table private.ledger_entries disable trigger keep')
  await site.db.query(`update private.ledger_entries set created_at = ${before}`)
  await site.db.query('alter table private.ledger_entries enable trigger keep')
  await earn('0.5')
  await till.enter(mia, plan)
  await till.work()
  const failure = refuse('POST /rpc/get_admin_dashboard', 'XX000', 'broken', 500)
  const { user, at } = await openApp(site, '/admin', { as: boss })
  await screen.findByText('The figures could not be loaded')
  expect(screen.queryByText('Active Subscriptions')).toBeNull()
  failure.heal()
  await user.click(screen.getByText('Retry'))
  expect(await part('Active Subscriptions')).toBe('Active Subscriptions1-50% since the month began')
  expect(await part('Total Revenue')).toBe('Total Revenue€1.50+50% since the month began')
  expect(figures()).toEqual({
    'Total users': '3',
    'New this month': '1',
    'Active users': '1',
    Admins: '1',
    Growth: '+50%',
  })
  expect(screen.getByText('View all users').closest('a')?.getAttribute('href')).toBe('/admin/users')
  const charts = () =>
    [...document.querySelectorAll('[role=img]')].flatMap(
      (one) => one.getAttribute('aria-label')?.match(/^.+? a (week|month)$/)?.[0] ?? [],
    )
  await user.click(screen.getByText('Show trends'))
  await waitFor(() =>
    expect(charts()).toEqual([
      'New people: in all 3; at most 2 a month',
      'Active plans: now 1; at most 2 a month',
      'Active places: now 1; at most 1 a month',
      'Paid through Potluck: in all €5.50; at most €5.50 a month',
      'Fees earned: in all €1.50; at most €1.00 a month',
    ]),
  )
  await user.click(screen.getByText('Show as a table'))
  const cells = () =>
    [...document.querySelectorAll('table[aria-label="Trends"] tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].slice(1).map(({ textContent }) => textContent),
    )
  await waitFor(() => expect(cells()[0]).toEqual(['1', '1', '1', '€5.50', '€0.50']))
  expect(cells().at(-1)).toEqual(['2', '2', '0', '€0.00', '€1.00'])
  await user.click(screen.getByText('By week'))
  await waitFor(() => expect(charts()[0]).toBe('New people: in all 3; at most 2 a week'))
  expect(at()).toBe('/admin?by=week')
  await waitFor(() => expect(rows('Trends').length).toBeGreaterThan(5))
})

const SETTINGS = 'review_new_plans, sign_ups, adjustment_ceiling, require_second_factor, fee_rate'
const stored = async () => (await db.query(`select ${SETTINGS} from app_settings`))[0]
const resetSettings = () =>
  onTestFinished(async () => {
    await db.query(
      `update app_settings set review_new_plans = false, sign_ups = 'everyone', adjustment_ceiling = 100, require_second_factor = false,
        fee_rate = private.first_fee_rate()`,
    )
  })
const settings = (as = sofia) => openApp(server, '/admin?tab=settings', { as })
const field = (label: string | RegExp) =>
  screen.findByLabelText<HTMLInputElement>(label, { selector: 'input' })
const saveButton = (what: string) => screen.getByText(`Save ${what}`).closest('button') as HTMLButtonElement

it('a super-admin has new plans reviewed and sets ceiling and fee; everybody on staff sees who did, and no other may', async () => {
  resetSettings()
  onTestFinished(async () => {
    await db.query('delete from provider_rules')
  })
  const selma = await addStaff(server, 'selma', 'super-admin')
  const unloaded = refuse('GET /app_settings', 'XX000', 'broken', 500)
  const { user } = await settings(selma)
  await screen.findByText('Failed to load the settings')
  unloaded.heal()
  await user.click(screen.getByText('Retry'))
  expect((await field(/^Review new plans/)).checked).toBe(false)
  await user.click(await field(/^Review new plans/))
  await toasted('success', 'Settings saved')
  await user.click(await field(/^Only invited people can sign up/))
  const changed = `Last changed just now by ${nameOf(selma)}.`
  await waitFor(() => expect(screen.getByText(/^Last changed/).textContent).toBe(changed))
  for (const [what, label, present, wrong, problem, right] of [
    ['maximum', 'Maximum per adjustment', '100.00', ['0'], 'Please enter an amount above zero', '250.5'],
    [
      'fee',
      'Convenience fee',
      '10',
      ['20.5', '7.3'],
      'Please enter a percentage from 0 to 20, in steps of 0.5',
      '7.5',
    ],
  ] as const) {
    const input = await field(label)
    expect([input.value, saveButton(what).disabled]).toEqual([present, true])
    for (const typed of wrong) {
      await user.clear(input)
      await user.type(input, typed)
      await screen.findByText(problem)
      expect(saveButton(what).disabled).toBe(true)
    }
    await user.clear(input)
    await user.type(input, right)
    await user.click(saveButton(what))
    await waitFor(() => expect(saveButton(what).disabled).toBe(true))
  }
  const set = {
    review_new_plans: true,
    sign_ups: 'invited',
    adjustment_ceiling: '250.50',
    require_second_factor: false,
    fee_rate: '0.075',
  }
  await waitFor(async () => expect(await stored()).toEqual(set))
  await grant(server, selma, 'admin')
  await user.click(await field(/^Review new plans/))
  await toasted('error', 'The settings were not saved', 'Only super-admins can change settings')
  expect((await field(/^Review new plans/)).checked).toBe(true)
  expect(await stored()).toEqual(set)

  const { user: hers } = await settings(ada)
  expect((await field(/^Review new plans/)).disabled).toBe(true)
  expect(screen.getByText('Review new plans: on')).toBeTruthy()
  expect(screen.getByText(/^Last changed/).textContent).toBe(changed)
  expect(screen.getByText('Only super-admins can change settings.')).toBeTruthy()
  const numbers = [await field('Maximum per adjustment'), await field('Convenience fee')]
  expect(numbers.map(({ value, disabled }) => `${value} ${disabled}`)).toEqual(['250.50 true', '7.5 true'])
  expect(screen.queryByText(/^Save/)).toBeNull()

  // Staff who may take plans down may also switch providers off.
  await hers.click(screen.getByRole('tab', { name: 'Service Providers' }))
  const offers = within(await screen.findByRole('tabpanel', { name: 'Service Providers' }))
  await hers.type(await offers.findByLabelText('Search service providers'), 'netf')
  const ruleOf = await offers.findByLabelText('Rule for Netflix')
  await hers.selectOptions(ruleOf, 'Off')
  const closing = await dialog('Off: Netflix')
  await hers.selectOptions(closing.getByLabelText(/^Based on/), 'provider')
  await hers.type(closing.getByLabelText(/^Which section/), '4.2')
  await hers.type(closing.getByLabelText(/^Reason/), 'Its terms')
  await hers.click(closing.getByText('Set the rule'))
  await waitFor(() => expect(ruleOf).toHaveProperty('value', 'off'))
  expect(await db.query('select provider, rule, reason from provider_rules')).toEqual([
    { provider: 'Netflix', rule: 'off', reason: 'Its terms' },
  ])
})

it('whoever requires a second factor of staff shows one first; then pages open to those who have one', async () => {
  resetSettings()
  const selma = await addStaff(server, 'selma', 'super-admin')
  const { user, client, cache } = await settings(selma)
  await user.click(await field(/^Require a second factor/))
  await toasted(
    'error',
    'The settings were not saved',
    'First set up two-step sign-in or a passkey for yourself, and sign in with it.',
  )
  await waitFor(async () => expect((await field(/^Require a second factor/)).checked).toBe(false))
  // A reload of the role between the server's answer and its arrival is refused, but closes no page.
  const adding = intercept('POST /verify', async (send) => {
    const answer = await send()
    await cache.refetchQueries({ queryKey: ['roles'] })
    return answer
  })
  await setUpApp(client)
  expect(adding.sent).toHaveLength(1)
  adding.heal()
  await user.click(await field(/^Require a second factor/))
  await toasted('success', 'Settings saved')
  await waitFor(async () => expect(await stored()).toMatchObject({ require_second_factor: true }))

  for (const page of ['/admin/withdrawals', '/admin/requests']) {
    const sol = await addStaff(server, 'sol', 'super-admin')
    const app = await openApp(server, page, { as: sol })
    const heading = 'Your role needs a second factor'
    await screen.findByText(heading, { selector: 'h1, h2' })
    expect(screen.queryByLabelText('Administration')).toBeNull()
    await app.user.click(screen.getByText('Open security settings'))
    await waitFor(() => expect(app.at()).toBe('/account-settings/security'))
    // A guard's query for a session with one factor is refused as soon as the account has two. The list of requests has
    // no guard.
    const role = hold('GET rest/v1/user_roles')
    void app.router.navigate({ href: page })
    if (page !== '/admin/requests') await waitFor(() => expect(role.sent).not.toEqual([]))
    await setUpApp(app.client)
    role.letGo()
    await screen.findByText(/^Admin|^Withdrawals/, { selector: 'h1' })
    expect(screen.queryByText(heading)).toBeNull()
    role.heal()
  }
})
