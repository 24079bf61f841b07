import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openApp } from '../app.tsx'
import { refuse } from '../network.ts'
import { join, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = await testServer()
const LIST = 'POST /rpc/list_plans_for_review'
let people: People
let mona: TestUser

async function addStaff(role: string): Promise<TestUser> {
  const person = await addUser(server, `${role}-${Date.now()}@staff.example`, { password })
  await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
beforeAll(async () => {
  mona = await addStaff('moderator')
})
beforeEach(async () => {
  await server.db.query('delete from shared_subscriptions')
  people = await newPeople(server)
})

const open = async (address = '/admin/subscriptions', person = mona) => ({
  ...(await openApp(server, address, { as: { email: person.email, password } })),
})
/** A plan in the state in which a review finds it. */
async function planThatIs(status: string, cataloguePlanId = 'netflix-premium', owner = people.olivia) {
  const id = await sharePlan(owner, 4, cataloguePlanId)
  await server.db.query('update shared_subscriptions set status = $2 where id = $1', [id, status])
  return id
}
const statusOf = async (id: string) =>
  (await server.db.query('select status from shared_subscriptions where id = $1', [id]))[0]?.status
const seenBy = async (person: TestUser, id: string) =>
  (await person.client.from('shared_subscriptions').select('status').eq('id', id).throwOnError()).data
const card = (name: string) => screen.findByRole('article', { name })
const titles = () => screen.getAllByRole('article').map((one) => one.querySelector('h2')?.textContent)
const buttonsOf = (one: HTMLElement) =>
  within(one)
    .queryAllByRole('button')
    .map((button) => button.textContent)
/** What the card says, by the names of its facts. */
const factsOf = (one: HTMLElement) =>
  Object.fromEntries(
    within(one)
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  )
const STATES = ['Active', 'Pending', 'Rejected']
const stateOf = (one: HTMLElement) => STATES.filter((state) => within(one).queryByText(state))

describe('the plans that staff sees', () => {
  it('are the real ones, newest first, each with what it is, costs, whose it is, since when and with how many', async () => {
    const { olivia, marc, zoe } = people
    const netflix = await sharePlan(olivia)
    await join(olivia, marc, netflix)
    await server.db.query(
      `update shared_subscriptions set created_at = now() - interval '3 days' where id = $1`,
      [netflix],
    )
    await planThatIs('pending', 'expressvpn-basic-monthly', zoe)
    await zoe.client
      .from('user_profiles')
      .update({ display_name: 'Zoe Z.' })
      .eq('user_id', zoe.id)
      .throwOnError()
    await open()
    expect(await screen.findByRole('heading', { level: 1, name: 'Subscription Plans' })).toBeTruthy()
    const one = await card('Netflix Premium')
    expect(factsOf(one)).toEqual({
      Category: 'Streaming',
      Price: '€19.99 per month',
      'Created by': expect.stringMatching(/^olivia\d+$/),
      Created: '3 days ago',
      Members: '2',
    })
    expect(stateOf(one)).toEqual(['Active'])
    expect(buttonsOf(one)).toEqual([])
    expect(titles()).toHaveLength(2)
    expect(titles()[1]).toBe('Netflix Premium')
    const newest = screen.getAllByRole('article')[0] as HTMLElement
    expect(factsOf(newest)).toMatchObject({ Category: 'Security', 'Created by': 'Zoe Z.', Members: '1' })
    expect(factsOf(newest).Created).toMatch(/just now|minute/)
    expect(stateOf(newest)).toEqual(['Pending'])
  })

  it('come a page after the other', async () => {
    await server.db.query(
      `insert into shared_subscriptions (owner_id, catalogue_plan_id, owner_max_members, next_payment)
       select $1, plan ->> 'id', 2, current_date + 30
       from (
         select distinct on (provider ->> 'name') plan
         from service_provider_data as current, jsonb_array_elements(current.data) as provider,
           jsonb_array_elements(provider -> 'plans') as plan
         where current.is_current and (plan ->> 'maxMembers')::integer >= 2
       ) as one limit 24`,
      [people.olivia.id],
    )
    const { user } = await open()
    await waitFor(() => expect(titles()).toHaveLength(20))
    await user.click(screen.getByRole('button', { name: 'Load more subscriptions' }))
    await waitFor(() => expect(titles()).toHaveLength(24))
    expect(new Set(titles()).size).toBe(24)
    expect(screen.queryByRole('button', { name: 'Load more subscriptions' })).toBeNull()
  })

  it('are all of them, or those that are active, pending or rejected', async () => {
    await planThatIs('active')
    await planThatIs('pending', 'spotify-premium-family')
    const rejected = await planThatIs('rejected', 'deezer-family')
    const { user, at, router } = await open()
    await card('Netflix Premium')
    const filter = within(screen.getByRole('radiogroup', { name: 'Status' }))
    expect(filter.getAllByRole('radio').map((choice) => choice.getAttribute('value'))).toEqual([
      'all',
      'active',
      'pending',
      'rejected',
    ])
    expect(filter.getByRole('radio', { name: 'All' })).toHaveProperty('checked', true)
    expect(titles()).toHaveLength(3)
    for (const [choice, name] of [
      ['Active', 'Netflix Premium'],
      ['Pending', 'Spotify Premium Family'],
      ['Rejected', 'Deezer Family'],
    ] as const) {
      await user.click(filter.getByRole('radio', { name: choice }))
      await card(name)
      await waitFor(() => expect(titles()).toEqual([name]))
      expect(at()).toBe(`/admin/subscriptions?status=${choice.toLowerCase()}`)
    }
    await server.db.query('delete from shared_subscriptions where id = $1', [rejected])
    expect(await screen.findByText('No subscriptions found matching your filters.')).toBeTruthy()
    expect(screen.queryByRole('article')).toBeNull()
    await router.navigate({ href: '/admin/subscriptions?status=anything' })
    await waitFor(() => expect(titles()).toHaveLength(2))
  })

  it('say when they cannot be loaded, and are loaded again', async () => {
    await planThatIs('active')
    const failure = refuse(LIST, 'XX000', 'broken', 500)
    const { user } = await open()
    expect(await screen.findByText('The subscriptions could not be loaded')).toBeTruthy()
    expect(screen.queryByText('No subscriptions found matching your filters.')).toBeNull()
    failure.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await card('Netflix Premium')).toBeTruthy()
  })

  it('are for staff alone', async () => {
    await planThatIs('pending')
    const { at } = await open('/admin/subscriptions', people.zoe)
    await waitFor(() => expect(at()).toBe('/admin-request'))
    expect(screen.queryByText('Netflix Premium')).toBeNull()
    const { error } = await people.zoe.client.rpc('list_plans_for_review')
    expect(error).toMatchObject({ code: '42501' })
  })
})

describe('a review', () => {
  it('approves a plan that waits, after saying that all users will see it', async () => {
    const id = await planThatIs('pending')
    expect(await seenBy(people.zoe, id)).toEqual([])
    const { user } = await open()
    const one = await card('Netflix Premium')
    expect(buttonsOf(one)).toEqual(['Approve', 'Reject'])
    await user.click(within(one).getByRole('button', { name: 'Approve' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve Subscription' }))
    expect(dialog.getByText(/An approved subscription will be visible to all users\./)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Not now' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await statusOf(id)).toBe('pending')

    await user.click(within(one).getByRole('button', { name: 'Approve' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('Subscription approved')).toBeTruthy()
    await waitFor(async () => expect(stateOf(await card('Netflix Premium'))).toEqual(['Active']))
    expect(buttonsOf(await card('Netflix Premium'))).toEqual([])
    expect(await seenBy(people.zoe, id)).toEqual([{ status: 'active' }])
    const { data } = await people.olivia.client.from('user_notifications').select('title').throwOnError()
    expect(data).toEqual([{ title: 'Plan Approved' }])
  })

  it('rejects a plan that waits, which can be reversed later', async () => {
    const id = await planThatIs('pending')
    const { user } = await open('/admin/subscriptions?status=pending')
    await user.click(within(await card('Netflix Premium')).getByRole('button', { name: 'Reject' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject Subscription' }))
    expect(dialog.getByText(/This can be reversed later/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Reject' }))
    expect(await screen.findByText('Subscription rejected')).toBeTruthy()
    expect(await screen.findByText('No subscriptions found matching your filters.')).toBeTruthy()
    expect(await statusOf(id)).toBe('rejected')
    expect(await seenBy(people.zoe, id)).toEqual([])

    await user.click(screen.getByRole('radio', { name: 'Rejected' }))
    const one = await card('Netflix Premium')
    expect(stateOf(one)).toEqual(['Rejected'])
    expect(buttonsOf(one)).toEqual(['Set to active'])
    await user.click(within(one).getByRole('button', { name: 'Set to active' }))
    const reversal = within(await screen.findByRole('dialog', { name: 'Reverse the Rejection' }))
    await user.click(reversal.getByRole('button', { name: 'Set to active' }))
    expect(await screen.findByText('Subscription is active again')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    expect(await statusOf(id)).toBe('active')
    expect(await seenBy(people.zoe, id)).toEqual([{ status: 'active' }])
  })

  it('is for admins and super-admins as much as for moderators', async () => {
    for (const role of ['admin', 'super-admin']) {
      const id = await planThatIs('pending')
      const { user } = await open('/admin/subscriptions', await addStaff(role))
      await user.click(within(await card('Netflix Premium')).getByRole('button', { name: 'Approve' }))
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Approve' }))
      expect(await screen.findByText('Subscription approved')).toBeTruthy()
      expect(await statusOf(id)).toBe('active')
      await server.db.query('delete from shared_subscriptions where id = $1', [id])
    }
  })

  it('says so when somebody else was faster, and shows what they decided', async () => {
    const id = await planThatIs('pending')
    const { user } = await open()
    await user.click(within(await card('Netflix Premium')).getByRole('button', { name: 'Approve' }))
    const dialog = within(await screen.findByRole('dialog'))
    await server.db.query(`update shared_subscriptions set status = 'rejected' where id = $1`, [id])
    await user.click(dialog.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText('The decision was not saved')).toBeTruthy()
    expect(screen.getByText('This plan is already rejected')).toBeTruthy()
    await waitFor(async () => expect(stateOf(await card('Netflix Premium'))).toEqual(['Rejected']))
    expect(screen.queryByText('Subscription approved')).toBeNull()
    expect(await statusOf(id)).toBe('rejected')
  })

  it('is left to others for one’s own plan', async () => {
    await planThatIs('pending', 'netflix-premium', mona)
    await open()
    const one = await card('Netflix Premium')
    expect(within(one).getByText('This is your own plan, so someone else reviews it.')).toBeTruthy()
    expect(buttonsOf(one)).toEqual([])
  })
})

describe('the service providers', () => {
  const TAB = '/admin?tab=providers'
  const plan = (name: string, price: number, cycle = 'monthly') => ({ id: name, name, price, cycle })
  /** Puts these providers into the catalogue for one test. */
  async function offer(providers: object[]) {
    const { db } = server
    const [before] = await db.query<{ data: string }>(
      'select data::text from service_provider_data where is_current',
    )
    const store = (data: string) =>
      db.query('update service_provider_data set data = $1 where is_current', [data])
    onTestFinished(async () => void (await store(before?.data ?? '')))
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
    await open(TAB)
    const table = await screen.findByRole('table', { name: 'Service providers' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => ({
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

  it('can be searched, and say so when none is found', async () => {
    const { user } = await open(TAB)
    const field = await screen.findByRole('searchbox', { name: 'Search service providers' })
    await user.type(field, 'SPOT')
    expect(screen.getAllByRole('rowheader')).toHaveLength(1)
    expect(screen.getByRole('rowheader', { name: /Spotify/ })).toBeTruthy()
    expect(screen.queryByText('No service providers found')).toBeNull()
    await user.type(field, 'nothing like it')
    expect(screen.getByText('No service providers found')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('say why they cannot be loaded, and are loaded again', async () => {
    const failure = refuse('GET /service_provider_data', 'XX000', 'the disk is full', 500)
    const { user } = await open(TAB)
    expect(await screen.findByText('Error loading service providers: the disk is full')).toBeTruthy()
    failure.heal()
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('rowheader', { name: /Spotify/ })).toBeTruthy()
  })
})
