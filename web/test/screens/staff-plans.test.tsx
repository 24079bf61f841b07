// Plans under review, the providers on offer, and the number of loaded rows of each long list in the administration.
// Proves ADMIN 04 13 15 32-35, ERR 52 56 57
import { testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { planName } from '#domain/plan-name.ts'
import { shareManyPlans } from '../../../supabase/tests/many-plans.ts'
import { openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'
import { dialog, rows } from '../parts.ts'
import { addStaff } from '../people.ts'
import { join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
const sql = (text: string, ...values: string[]) => server.db.query(text, values)
const mona = await addStaff(server, 'mona', 'moderator')
const open = (address: string) => openApp(server, address, { as: mona })
const NONE = 'No subscriptions found matching your filters.'

const planRows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')]
const row = (name: string) => screen.findByLabelText(name, { selector: 'tr' })
const titles = (...wanted: string[]) =>
  waitFor(() => expect(planRows().map(({ ariaLabel }) => ariaLabel)).toEqual(wanted))
const buttonsOf = (one: HTMLElement) =>
  [...one.querySelectorAll('button')].map(({ textContent }) => textContent)
/** The texts of a row, by the names of the columns. */
const factsOf = (one: HTMLElement): Record<string, string | null> => {
  const heads = one.closest('table')?.querySelectorAll('th') ?? []
  return Object.fromEntries(
    [...heads].map((head, at) => [head.textContent, one.children[at]?.textContent ?? null]),
  )
}
/** Shares a plan and sets its status. */
async function planThatIs(status: string, owner: Parameters<typeof sharePlan>[0], id = 'netflix-premium') {
  const plan = await sharePlan(owner, 4, id)
  await sql('update shared_subscriptions set status = $2 where id = $1', plan, status)
  return plan
}
const statusOf = async (id: string) =>
  (await sql('select status from shared_subscriptions where id = $1', id))[0]?.status

it('plans are listed newest first, all of them or those in one state; who cannot load them tries again', async () => {
  const { olivia, marc } = await newPeople(server)
  const netflix = await sharePlan(olivia)
  await join(olivia, marc, netflix)
  await sql(`update shared_subscriptions set created_at = now() - interval '3 days' where id = $1`, netflix)
  await planThatIs('rejected', olivia, 'deezer-family')
  await planThatIs('pending', olivia, 'spotify-premium-family')
  await sql(`update user_profiles set display_name = 'Olivia O.' where user_id = $1`, olivia.id)
  const failure = refuse('POST /rpc/list_plans_for_review', 'XX000', 'broken', 500)
  const { user, at, router } = await open(`/admin/subscriptions?person=${olivia.id}`)
  await screen.findByText('The subscriptions could not be loaded')
  expect(screen.queryByText(NONE)).toBeNull()
  failure.heal()
  await user.click(screen.getByText('Retry'))
  await screen.findByText('Subscription Plans', { selector: 'h1' })
  const one = await row('Netflix Premium')
  expect(within(one).getByText('Streaming')).toBeTruthy()
  expect(factsOf(one)).toMatchObject({
    Price: '€19.99 per month',
    'Created by': 'Olivia O.',
    Created: '3 days ago',
    Members: '2',
    Status: 'ActiveHide',
  })
  expect(buttonsOf(one)).toEqual(['Hide'])
  const all = ['Spotify Premium Family', 'Deezer Family', 'Netflix Premium']
  await titles(...all)
  const states = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')]
  expect(states.map(({ value, checked }) => `${value} ${checked}`)).toEqual([
    'all true',
    'active false',
    'pending false',
    'rejected false',
  ])
  for (const [state, name] of [
    ['Active', 'Netflix Premium'],
    ['Rejected', 'Deezer Family'],
  ] as const) {
    await user.click(screen.getByLabelText(state, { selector: 'input' }))
    await titles(name)
    expect(at()).toContain(`status=${state.toLowerCase()}`)
  }
  await router.navigate({ href: `/admin/subscriptions?status=anything&person=${olivia.id}` })
  await titles(...all)
})

it('a plan that waits is approved, or rejected, which can be reversed, but not by its owner or after somebody faster', async () => {
  const { olivia } = await newPeople(server)
  const id = await planThatIs('pending', olivia)
  const taken = await planThatIs('pending', olivia, 'deezer-family')
  const list = `/admin/subscriptions?person=${olivia.id}`
  const { user, at, router } = await open(list)
  expect(buttonsOf(await row('Netflix Premium'))).toEqual(['Approve', 'Reject'])
  /** Presses a button of the row, and then the same button in the dialog, which explains the consequences. */
  const decide = async (label: string, title: string, text: RegExp) => {
    await user.click(within(await row('Netflix Premium')).getByText(label))
    const sure = await dialog(title)
    expect(sure.getByText(text)).toBeTruthy()
    await user.click(sure.getByText(label, { selector: 'button *' }))
  }
  await user.keyboard('jj{Enter}')
  await waitFor(() => expect(at()).toBe(`/admin/people/${olivia.id}`))
  await router.navigate({ href: list })
  await row('Deezer Family')
  await user.keyboard('ja')
  const late = await dialog('Approve Subscription')
  await sql(`update shared_subscriptions set status = 'rejected' where id = $1`, taken)
  await user.click(late.getByText('Approve', { selector: 'button *' }))
  await toasted('error', 'The decision was not saved', 'This plan is already rejected')
  await waitFor(async () => expect(buttonsOf(await row('Deezer Family'))).toEqual(['Set to active']))

  await decide('Approve', 'Approve Subscription', /will be visible to all users\./)
  await toasted('success', 'Subscription approved', 'Netflix Premium')
  await waitFor(async () => expect(factsOf(await row('Netflix Premium')).Status).toContain('Active'))
  expect([buttonsOf(await row('Netflix Premium')), await statusOf(id)]).toEqual([['Hide'], 'active'])

  await sql(`update shared_subscriptions set status = 'pending' where id = $1`, id)
  await router.navigate({ href: `${list}&status=pending` })
  await decide('Reject', 'Reject Subscription', /This can be reversed later/)
  await toasted('success', 'Subscription rejected', 'Netflix Premium')
  await screen.findByText(NONE)
  await user.click(screen.getByLabelText('Rejected', { selector: 'input' }))
  await decide('Set to active', 'Reverse the Rejection', /will be visible to all users/)
  await toasted('success', 'Subscription is active again', 'Netflix Premium')
  await titles('Deezer Family')
  expect(await statusOf(id)).toBe('active')

  await sql(`update shared_subscriptions set status = 'pending', owner_id = $2 where id = $1`, id, mona.id)
  await router.navigate({ href: `/admin/subscriptions?person=${mona.id}` })
  const own = await row('Netflix Premium')
  expect(within(own).getByText('Someone else reviews your own plan.')).toBeTruthy()
  expect(buttonsOf(own)).toEqual([])
})

/** Replaces the catalogue until the end of the test. */
async function storeCatalogue(data: string) {
  const store = (text: unknown) =>
    sql('update service_provider_data set data = $1 where is_current', String(text))
  const [before] = await sql('select data::text from service_provider_data where is_current')
  onTestFinished(async () => void (await store(before?.data)))
  await store(data)
}

it('the providers that ship are shown while the stored ones cannot be read', async () => {
  await storeCatalogue('["broken"]')
  await open('/admin?tab=providers')
  const table = await screen.findByLabelText('Service providers', { selector: 'table' })
  expect(table.textContent).toContain('Netflix')
})

it('service providers stand in a table with their first 2 plans, can be searched, and say why they cannot be loaded', async () => {
  const plan = (name: string, price: number, cycle = 'monthly') => ({ id: name, name, price, cycle })
  const provider = (name: string, ...plans: object[]) => ({ id: name, name, category: 'music', plans })
  await storeCatalogue(
    JSON.stringify([
      provider('Mubi', plan('Solo', 12)),
      provider('Chess', plan('Gold', 5.5), plan('Club', 60, 'yearly'), plan('Hall', 70)),
      provider('Tunes', ...['A', 'B', 'C', 'D', 'E'].map((name, place) => plan(name, place + 1))),
    ]),
  )
  const failure = refuse('GET /service_provider_data', 'XX000', 'the disk is full', 500)
  const { user } = await open('/admin?tab=providers')
  await screen.findByText('Error loading service providers: the disk is full')
  failure.heal()
  await user.click(screen.getByText('Try Again'))
  const table = await screen.findByLabelText('Service providers', { selector: 'table' })
  const shown = [...table.querySelectorAll('tbody tr')].map((one) => [
    one.querySelector('th p')?.textContent,
    ...[...one.querySelectorAll('li')].map(({ textContent }) => textContent),
    /\+\d+ more plans?/.exec(one.textContent ?? '')?.[0],
  ])
  expect(shown).toEqual([
    ['Mubi', 'Solo €12.00 per month', undefined],
    ['Chess', 'Gold €5.50 per month', 'Club €60.00 per year', '+1 more plan'],
    ['Tunes', 'A €1.00 per month', 'B €2.00 per month', '+3 more plans'],
  ])
  const search = screen.getByLabelText('Search service providers')
  await user.type(search, 'CHES')
  expect(rows('Service providers')).toEqual([expect.stringContaining('Chess')])
  await user.type(search, 'nothing like it')
  expect(screen.getByText('No service providers found')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})

it('a list of staff that comes page by page says in its address how far somebody has read', async () => {
  const site = await testServer()
  const sofia = await addStaff(site, 'sofia', 'super-admin')
  await shareManyPlans(site.db, 21)
  await site.db.query(
    "select record_unknown_event('evt' || n, 'charge.refunded', 'ch_elsewhere') from generate_series(1, 51) as n",
  )
  await site.db.query(
    'insert into private.payout_files (payments, amount, created_by) select 1, 1, $1 from generate_series(1, 11)',
    [sofia.id],
  )
  const shows = (name: string, count: number) => waitFor(() => expect(rows(name)).toHaveLength(count))
  const { router, cache, at } = await openApp(site, '/admin/subscriptions', { as: sofia })
  await shows('Subscription plans', 20)
  fireEvent.click(await screen.findByText('Load more subscriptions'))
  await waitFor(() => expect(at()).toBe('/admin/subscriptions?rows=21'))
  // Two lists on one page have separate row counts.
  await router.navigate({ href: '/admin/disputes?eventRows=51' })
  await shows('Unknown events', 51)
  await router.navigate({ href: '/admin/withdrawals?fileRows=11' })
  await shows('Payment files', 11)
  cache.removeQueries({ type: 'inactive' })
  router.history.go(-2)
  await shows('Subscription plans', 21)
  fireEvent.click(document.querySelector('input[value="active"]') as Element)
  await waitFor(() => expect(at()).toBe('/admin/subscriptions?status=active'))
})

it('each column of a list of staff sorts all of it, not the page at hand, and the pages go on where they ended', async () => {
  const site = await testServer()
  const sofia = await addStaff(site, 'sofia', 'super-admin')
  await shareManyPlans(site.db, 45)
  await site.db.query(
    "update shared_subscriptions set total_price = case when id < 'sub-crowd-3' then 7 else 9 end",
  )
  const shown = () => rows('Subscription plans').length
  const order = () => [...document.querySelectorAll('tbody tr')].map(({ ariaLabel }) => ariaLabel)
  const inDatabase = async (by: string) =>
    (
      await site.db.query(`select provider || ' ' || name as name from shared_subscriptions order by ${by}`)
    ).map(({ name }) => planName(String(name)))
  const { router, at } = await openApp(site, '/admin/subscriptions', { as: sofia })
  await waitFor(() => expect(shown()).toBe(20))
  const sort = (column: string) => fireEvent.click(screen.getByText(column, { selector: 'th span' }))
  for (const [address, by] of [
    ['price&rows=45', 'total_price, id'],
    ['-price&rows=45', 'total_price desc, id desc'],
  ] as const) {
    await router.navigate({ href: `/admin/subscriptions?sort=${address}` })
    await waitFor(() => expect(shown()).toBe(45))
    expect(order()).toEqual(await inDatabase(by))
  }
  sort('Price')
  await waitFor(() => expect(at()).toBe('/admin/subscriptions?sort=price'))
  sort('Price')
  await waitFor(() => expect(at()).toBe('/admin/subscriptions'))
  // Rows without a value come last in both directions, also across the end of a page.
  await site.db.query(`insert into auth.users (id, aud, role, email, email_confirmed_at)
    select gen_random_uuid(), 'authenticated', 'authenticated', 'more' || n || '@crowd.example', now() from generate_series(1, 30) as n`)
  for (const address of ['role', '-role']) {
    await router.navigate({ href: `/admin/users?sort=${address}&rows=40` })
    await waitFor(() => expect(rows('Users').length).toBeGreaterThan(30))
    expect(rows('Users')[0]).toMatch(/^Ssofia/)
    expect(new Set(rows('Users')).size).toBe(rows('Users').length)
  }
  // An unknown order is ignored.
  await router.navigate({ href: '/admin/users?sort=shoe_size' })
  await waitFor(() => expect(rows('Users')).toHaveLength(25))
  expect(document.querySelector('[aria-sort]')).toBeNull()

  // The database knows every column by which the page can sort.
  const fails = () => screen.queryByText(/(Failed to|[Cc]ould not( be)?) load/)
  for (const address of ['subscriptions', 'users']) {
    await router.navigate({ href: `/admin/${address}` })
    await waitFor(() => expect(rows().length).toBeGreaterThan(0))
    const heads = [...document.querySelectorAll('th button')].map(({ textContent }) => textContent ?? '')
    expect(heads.length).toBeGreaterThan(3)
    for (const head of heads) {
      await waitFor(() => sort(head))
      await waitFor(() => expect(document.querySelector('[aria-sort]')?.textContent).toBe(head))
      await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
      expect(fails()).toBeNull()
    }
  }
  // The staff log is lines at all widths, whose order is a choice instead of a press on a head.
  await router.navigate({ href: '/admin/log' })
  const choice = await screen.findByLabelText<HTMLSelectElement>('Sort by')
  for (const sort of [...choice.options].map(({ value }) => value).filter(Boolean)) {
    await router.navigate({ href: `/admin/log?sort=${sort}` })
    await waitFor(() => expect(router.state.matches.at(-1)?.search).toMatchObject({ sort }))
    await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
    expect(document.querySelectorAll('ul[aria-label^="Staff log"] li').length).toBeGreaterThan(0)
    expect(fails()).toBeNull()
  }
  for (const [address, columns] of Object.entries({
    withdrawals: ['display_name', 'amount', 'status', 'requested_at'],
    transfers: ['created_at', 'kind', 'amount', 'from_kind', 'person_name', 'plan_name'],
    disputes: ['opened_at', 'plan_name', 'charged', 'status'],
    problems: ['closed_at', 'plan_name'],
    'financials?tab=wallets': ['name', 'coin_balance', 'total_earned', 'total_withdrawn'],
    'financials?tab=transactions': ['name', 'transaction_type', 'amount', 'description', 'created_at'],
  }))
    for (const column of columns) {
      await router.navigate({ href: `/admin/${address}${address.includes('?') ? '&' : '?'}sort=-${column}` })
      await waitFor(() =>
        expect(screen.queryAllByText(/^(No (with|tran|disp|wall)|Nothing closed)/)).not.toEqual([]),
      )
      expect(fails()).toBeNull()
      expect(router.state.matches.at(-1)?.search).toMatchObject({ sort: `-${column}` })
    }
})
