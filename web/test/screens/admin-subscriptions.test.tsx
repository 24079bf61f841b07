import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'
import { join, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
const LIST = 'POST /rpc/list_plans_for_review'
let people: People
let mona: TestUser
const sql = (text: string, ...values: string[]) => server.db.query(text, values)

beforeAll(async () => {
  mona = await addUser(server, 'mona@staff.example')
  await sql(`insert into user_roles (user_id, role) values ($1, 'moderator')`, mona.id)
})
beforeEach(async () => {
  await sql('delete from shared_subscriptions')
  people = await newPeople(server)
})

const open = (query = '', address = '/admin/subscriptions') =>
  openApp(server, `${address}${query}`, { as: mona })
/** A plan in the state in which a review finds it. */
async function planThatIs(status: string, cataloguePlanId = 'netflix-premium', owner = people.olivia) {
  const id = await sharePlan(owner, 4, cataloguePlanId)
  await sql('update shared_subscriptions set status = $2 where id = $1', id, status)
  return id
}
const statusOf = async (id: string) =>
  (await sql('select status from shared_subscriptions where id = $1', id))[0]?.status
const row = (name: string) => screen.findByRole('row', { name })
const rows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')]
const titles = () => rows().map((one) => one.ariaLabel)
const buttonsOf = (one: HTMLElement) =>
  [...one.querySelectorAll('button')].map(({ textContent }) => textContent)
/** What the row says, by the names of its columns. */
const factsOf = (one: HTMLElement) =>
  Object.fromEntries(
    [...one.querySelectorAll<HTMLElement>('[data-label]')].map((cell) => [
      cell.dataset.label,
      cell.textContent,
    ]),
  )
const stateOf = (one: HTMLElement) =>
  ['Active', 'Pending', 'Rejected'].filter((state) => within(one).queryByText(state))
const becomes = (name: string, state: string) =>
  waitFor(async () => expect(stateOf(await row(name))).toEqual([state]))
/** Presses a button of the only row, then the same one in the dialog, which says what comes of it. */
async function decide(user: UserEvent, label: string, title: string, text: RegExp) {
  await user.click(within((await screen.findAllByRole('row'))[1] as HTMLElement).getByText(label))
  const dialog = within(await screen.findByRole('dialog', { name: title }))
  expect(dialog.getByText(text)).toBeTruthy()
  await user.click(dialog.getByText(label, { selector: 'button *' }))
}

describe('the plans that staff sees', () => {
  it('are the real ones, newest first, all of them or those in one state', async () => {
    const { olivia, marc, zoe } = people
    const netflix = await sharePlan(olivia)
    await join(olivia, marc, netflix)
    await sql(`update shared_subscriptions set created_at = now() - interval '3 days' where id = $1`, netflix)
    await planThatIs('rejected', 'deezer-family')
    await planThatIs('pending', 'expressvpn-basic-monthly', zoe)
    await sql(`update user_profiles set display_name = 'Zoe Z.' where user_id = $1`, zoe.id)
    const { user, at, router } = await open()
    await screen.findByRole('heading', { level: 1, name: 'Subscription Plans' })
    const one = await row('Netflix Premium')
    expect(within(one).getByText('Streaming')).toBeTruthy()
    expect(factsOf(one)).toEqual({
      Price: '€19.99 per month',
      'Created by': expect.stringMatching(/^olivia\d+$/),
      Created: '3 days ago',
      Members: '2',
      Status: 'Active',
    })
    expect([stateOf(one), buttonsOf(one)]).toEqual([['Active'], []])
    const newest = rows()[0] as HTMLElement
    expect(within(newest).getByText('Security')).toBeTruthy()
    expect(factsOf(newest)).toMatchObject({ 'Created by': 'Zoe Z.', Members: '1' })
    expect(stateOf(newest)).toEqual(['Pending'])
    const [vpn = ''] = titles()
    expect(titles()).toEqual([vpn, 'Deezer Family', 'Netflix Premium'])

    const states = screen.getAllByRole<HTMLInputElement>('radio')
    expect(states.map(({ value, checked }) => [value, checked])).toEqual([
      ['all', true],
      ['active', false],
      ['pending', false],
      ['rejected', false],
    ])
    for (const [state, name] of [
      ['Active', 'Netflix Premium'],
      ['Pending', vpn],
      ['Rejected', 'Deezer Family'],
    ] as const) {
      await user.click(screen.getByRole('radio', { name: state }))
      await waitFor(() => expect(titles()).toEqual([name]))
      expect(at()).toBe(`/admin/subscriptions?status=${state.toLowerCase()}`)
    }
    await router.navigate({ href: '/admin/subscriptions?status=anything' })
    await waitFor(() => expect(titles()).toHaveLength(3))
  })

  it('come a page after the other', async () => {
    await sql(
      `insert into shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment)
       select $1, plan ->> 'id', 2, current_date + 30
       from (
         select distinct on (provider ->> 'name') plan
         from service_provider_data as current, jsonb_array_elements(current.data) as provider,
           jsonb_array_elements(provider -> 'plans') as plan
         where current.is_current and (plan ->> 'maxMembers')::integer >= 2
       ) as one limit 24`,
      people.olivia.id,
    )
    const { user } = await open()
    await waitFor(() => expect(titles()).toHaveLength(20))
    await user.click(screen.getByText('Load more subscriptions'))
    await waitFor(() => expect(titles()).toHaveLength(24))
    expect(new Set(titles()).size).toBe(24)
    expect(screen.queryByText('Load more subscriptions')).toBeNull()
  })

  it('say when they cannot be loaded, are loaded again, and say when there are none', async () => {
    const failure = refuse(LIST, 'XX000', 'broken', 500)
    const { user } = await open()
    await screen.findByText('The subscriptions could not be loaded')
    expect(screen.queryByText('No subscriptions found matching your filters.')).toBeNull()
    failure.heal()
    await user.click(screen.getByText('Retry'))
    await screen.findByText('No subscriptions found matching your filters.')
  })
})

describe('a review', () => {
  it('approves a plan that waits, after saying that all users will see it', async () => {
    const id = await planThatIs('pending')
    const { user, at, router } = await open()
    const one = await row('Netflix Premium')
    expect(buttonsOf(one)).toEqual(['Approve', 'Reject'])
    await user.keyboard('j{Enter}')
    await waitFor(() => expect(at()).toBe(`/admin/people/${people.olivia.id}`))
    await router.navigate({ href: '/admin/subscriptions' })
    await row('Netflix Premium')
    await user.keyboard('ja')
    await user.click(await screen.findByText('Not now'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await statusOf(id)).toBe('pending')
    await decide(user, 'Approve', 'Approve Subscription', /will be visible to all users\./)
    await toasted('success', 'Subscription approved', 'Netflix Premium')
    await becomes('Netflix Premium', 'Active')
    expect(buttonsOf(await row('Netflix Premium'))).toEqual([])
    expect(await statusOf(id)).toBe('active')
  })

  it('rejects a plan that waits, which can be reversed later', async () => {
    const id = await planThatIs('pending')
    const { user } = await open('?status=pending')
    await decide(user, 'Reject', 'Reject Subscription', /This can be reversed later/)
    await toasted('success', 'Subscription rejected', 'Netflix Premium')
    await screen.findByText('No subscriptions found matching your filters.')
    expect(await statusOf(id)).toBe('rejected')
    await user.click(screen.getByRole('radio', { name: 'Rejected' }))
    const one = await row('Netflix Premium')
    expect([stateOf(one), buttonsOf(one)]).toEqual([['Rejected'], ['Set to active']])
    await decide(user, 'Set to active', 'Reverse the Rejection', /becomes active/)
    await toasted('success', 'Subscription is active again', 'Netflix Premium')
    await waitFor(() => expect(rows()).toEqual([]))
    expect(await statusOf(id)).toBe('active')
  })

  it('says so when somebody else was faster, and leaves one’s own plan to others', async () => {
    const id = await planThatIs('pending')
    const { user } = await open()
    await user.click(within(await row('Netflix Premium')).getByText('Approve'))
    const dialog = within(await screen.findByRole('dialog'))
    await sql(`update shared_subscriptions set status = 'rejected' where id = $1`, id)
    await user.click(dialog.getByText('Approve', { selector: 'button *' }))
    await toasted('error', 'The decision was not saved', 'This plan is already rejected')
    await becomes('Netflix Premium', 'Rejected')
    await sql(`update shared_subscriptions set status = 'pending', owner_id = $1`, mona.id)
    await open()
    const own = await row('Netflix Premium')
    expect(within(own).getByText('This is your own plan, so someone else reviews it.')).toBeTruthy()
    expect(buttonsOf(own)).toEqual([])
  })
})

describe('the service providers', () => {
  const plan = (name: string, price: number, cycle = 'monthly') => ({ id: name, name, price, cycle })
  /** Puts these providers into the catalogue for one test. */
  async function offer(providers: object[]) {
    const [before] = await sql('select data::text from service_provider_data where is_current')
    const store = (data: unknown) =>
      sql('update service_provider_data set data = $1 where is_current', String(data))
    onTestFinished(async () => void (await store(before?.data)))
    await store(JSON.stringify(providers))
  }

  it('stand in a table with their first 2 plans, how many more there are, and prices in euros', async () => {
    await offer([
      { id: 'one', name: 'Mubi', category: 'streaming', plans: [plan('Solo', 12)] },
      {
        id: 'two',
        name: 'Chess',
        category: 'gaming',
        plans: [plan('Gold', 5.5), plan('Club', 60, 'yearly')],
      },
      {
        id: 'five',
        name: 'Tunes',
        category: 'music',
        plans: ['A', 'B', 'C', 'D', 'E'].map((name, place) => plan(`Plan ${name}`, place + 1)),
      },
    ])
    await open('?tab=providers', '/admin')
    const table = await screen.findByRole('table', { name: 'Service providers' })
    const rows = [...table.querySelectorAll<HTMLElement>('tbody tr')].map((row) => ({
      name: within(row).getByRole('rowheader').querySelector('p')?.textContent,
      plans: within(row)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
      more: within(row).queryByText(/more plans/)?.textContent,
    }))
    expect(rows).toEqual([
      { name: 'Mubi', plans: ['Solo €12.00 per month'], more: undefined },
      { name: 'Chess', plans: ['Gold €5.50 per month', 'Club €60.00 per year'], more: undefined },
      { name: 'Tunes', plans: ['Plan A €1.00 per month', 'Plan B €2.00 per month'], more: '+3 more plans' },
    ])
  })

  it('say why they cannot be loaded, are loaded again, and can be searched', async () => {
    const failure = refuse('GET /service_provider_data', 'XX000', 'the disk is full', 500)
    const { user } = await open('?tab=providers', '/admin')
    await screen.findByText('Error loading service providers: the disk is full')
    failure.heal()
    await user.click(screen.getByText('Try Again'))
    const field = await screen.findByRole('searchbox', { name: 'Search service providers' })
    await user.type(field, 'SPOT')
    expect(screen.getAllByRole('rowheader')).toHaveLength(1)
    expect(screen.getByRole('rowheader', { name: /Spotify/ })).toBeTruthy()
    expect(screen.queryByText('No service providers found')).toBeNull()
    await user.type(field, 'nothing like it')
    expect(screen.getByText('No service providers found')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })
})
