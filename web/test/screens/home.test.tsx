// What somebody meets after signing in: what waits for them, the least time left first, and what comes next.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { listening, openApp } from '../app.tsx'
import {
  ask,
  join,
  leaveHours,
  newPeople,
  type People,
  payByCard,
  payThroughSite,
  saveCard,
  say,
  sharePlan,
  takePayments,
} from '../sharing.ts'

const server = await testServer()
let people: People
beforeEach(async () => {
  people = await newPeople(server)
})

const open = async (who: keyof People, address = '/') => {
  const app = await openApp(server, address, { as: people[who] })
  await screen.findByRole('heading', { level: 1, name: 'Home' })
  return app
}
const part = async (name: string | RegExp) => within(await screen.findByRole('region', { name }))
const nameOf = ({ email }: TestUser) => email.split('@')[0] ?? ''
const link = (name: string | RegExp) => screen.findByRole('link', { name })
/** What stands in a part, a line after the other. */
const lines = async (name: string) =>
  (await part(name)).getAllByRole('listitem').map((line) => line.textContent)

it('says what waits, what is most urgent first, and leads to where each is done', async () => {
  const { olivia, marc, zoe } = people
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  const { data: payment } = await marc.client.from('member_payments').select('id').single().throwOnError()
  await marc.client.rpc('say_paid', { p_payment_id: payment.id }).throwOnError()
  await leaveHours(server, await ask(zoe, planId), 3)
  await open('olivia')
  await screen.findByText('3 things wait for you.')
  expect(await lines('Waiting for you')).toEqual([
    `${nameOf(zoe)} asks for a placeNetflix Premium3h leftAnswer`,
    `Your members do not see yet how to pay youSay how`,
    `${nameOf(marc)} says that €5.00 is paidNetflix PremiumConfirm`,
  ])
  for (const [name, address] of [
    [`Answer: ${nameOf(zoe)} asks for a place, Netflix Premium`, `/manage-shared/${planId}`],
    ['Say how: Your members do not see yet how to pay you', '/account-settings'],
    [`Confirm: ${nameOf(marc)} says that €5.00 is paid, Netflix Premium`, `/manage-shared/${planId}`],
  ] as const)
    expect((await link(name)).getAttribute('href')).toBe(address)
})

it('leads a member to what is due, beside a place that is still to be charged', async () => {
  const { olivia, marc } = people
  const direct = await sharePlan(olivia)
  await join(olivia, marc, direct)
  const site = await sharePlan(olivia, 6, 'spotify-premium-family')
  await takePayments(server)
  await payThroughSite(server, site)
  await saveCard(server, marc)
  await join(olivia, marc, site)
  const { user, at } = await open('marc')
  await screen.findByText('2 things wait for you.')
  await user.click(await link(`Pay: ${nameOf(olivia)} gets €5.00 from you, Netflix Premium`))
  await waitFor(() => expect(at()).toBe(`/manage-subscribed/${direct}`))
})

it('hears of what comes and of what is answered elsewhere', async () => {
  const { olivia, marc, zoe } = people
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await olivia.client.from('payment_wishes').insert({ kind: 'text', note: 'Cash' }).throwOnError()
  await open('olivia')
  await screen.findByText('Nothing waits for you.')
  await listening(`home-${olivia.id}`)
  const request = await ask(zoe, planId)
  await link(`Answer: ${nameOf(zoe)} asks for a place, Netflix Premium`)
  await screen.findByText('1 thing waits for you.')
  await olivia.client
    .rpc('approve_subscription_request', { p_request_id: request, p_subscription_id: planId })
    .throwOnError()
  await screen.findByText('Nothing waits for you.')
  await say(marc, { planId, ownerId: olivia.id, memberId: marc.id }, 'Hello')
  await (await part('Unread messages')).findByRole('button', {
    name: `Read what ${nameOf(marc)} wrote, Netflix Premium`,
  })
})

it('opens a chat that waits, and has it read', async () => {
  const { olivia, marc } = people
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await say(marc, { planId, ownerId: olivia.id, memberId: marc.id }, 'Is there room for me?')
  const { user } = await open('olivia')
  await user.click(await screen.findByRole('button', { name: /^Read what/ }))
  await within(await screen.findByRole('dialog')).findByText('Is there room for me?')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Read what/, hidden: true })).toBeNull())
})

it('counts what a paid month has saved on both sides, and names the next one', async () => {
  const { olivia, marc } = people
  await takePayments(server)
  const planId = await sharePlan(olivia)
  await payThroughSite(server, planId)
  await saveCard(server, marc)
  await join(olivia, marc, planId)
  await payByCard(server, marc)
  await server.db.query(
    'update private.seats set access_given_at = private.now() where subscription_id = $1',
    [planId],
  )
  await server.db.query('select private.begin_periods(id) from private.seats where subscription_id = $1', [
    planId,
  ])
  await open('marc')
  expect((await part('Saved this year')).getByText('€14.49')).toBeTruthy()
  expect(await lines('Next payments')).toEqual([expect.stringMatching(/^Netflix Premium.+by itself€5\.50$/)])
})

describe('a newcomer', () => {
  const steps = async (name: string) => {
    const list = await part(name)
    return list.getAllByRole('listitem').map((step) => step.querySelector('p')?.textContent)
  }

  it('is asked once what they came for, and led there in three steps', async () => {
    const { user, at } = await open('zoe')
    await screen.findByText('Welcome to the table.')
    await user.click(await link('I want to join a plan'))
    await waitFor(() => expect(at()).toBe('/?for=join'))
    expect(await steps('Three steps to your first place')).toHaveLength(3)
    expect((await link('See the plans')).getAttribute('href')).toBe('/plans')
    await user.click(await link('I would rather share a plan of mine'))
    await waitFor(() => expect(at()).toBe('/?for=share'))
    expect(await steps('Three steps to your first member')).toEqual([
      'Share a plan',
      'Say how you are paid',
      'Invite people',
    ])
    expect(
      (await part('Three steps to your first member'))
        .getByRole('link', { name: 'Share a plan' })
        .getAttribute('href'),
    ).toBe('/create')
  })

  it('who has begun is not asked, and goes on from there', async () => {
    const planId = await sharePlan(people.olivia)
    await ask(people.marc, planId)
    await open('marc')
    expect((await steps('Three steps to your first place')).slice(0, 2)).toEqual([
      'Find a plan (done)',
      'Ask for a place (done)',
    ])
    await open('olivia')
    expect(await steps('Three steps to your first member')).toEqual([
      'Share a plan (done)',
      'Say how you are paid',
      'Invite people (done)',
    ])
    expect((await link('Say how')).getAttribute('href')).toBe('/account-settings')
  })
})

it('stands above everything the page says to everybody, which an owner is shown a free place of theirs beside', async () => {
  const planId = await sharePlan(people.olivia)
  await open('olivia')
  const place = await part('3 free places in Netflix Premium')
  place.getByText(`${location.origin}/plans/${planId}`)
  const [first, ...others] = screen.getAllByRole('heading', { level: 1 })
  expect([first?.textContent, others]).toEqual(['Home', []])
  const headline = screen.getByRole('heading', { level: 2, name: /^Share subscriptions/ })
  expect(first?.compareDocumentPosition(headline)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})
