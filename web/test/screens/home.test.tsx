// The home page and the pages of a person's plans: open tasks, next steps, and good news.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { answer, leavePlan, letPass, takePaymentsMeanwhile } from '../acting.ts'
import { announced, listening, openApp, toasted } from '../app.tsx'
import { control, dialog, heading, region } from '../parts.ts'
import { nameOf } from '../people.ts'
import {
  ask,
  claimPayment,
  join,
  leaveHours,
  letIn,
  newPeople,
  type People,
  payThroughSite,
  reportCharge,
  saveCard,
  sharePlan,
} from '../sharing.ts'

const server = await testServer()
await buildChanged(['supabase'])
const { db } = server
let people: People
let planId: string
beforeEach(async () => {
  people = await newPeople(server)
})

const home = async (who: keyof People) => {
  const app = await openApp(server, '/', { as: people[who] })
  await heading('Home')
  return app
}
const asOwner = (who: TestUser) => openApp(server, `/manage-shared/${planId}`, { as: who })
const asMember = () => openApp(server, `/manage-subscribed/${planId}`, { as: people.marc })
/** The texts of a region's list items. */
const lines = async (name: string) =>
  (await region(name)).getAllByRole('listitem').map((line) => line.textContent)
const stepsOf = async (name: string) =>
  (await region(name)).getAllByRole('listitem').map((step) => step.querySelector('p')?.textContent)
const sayHowPaid = ({ client }: TestUser) =>
  client.from('payment_wishes').insert({ kind: 'text', note: 'Cash at dinner.' }).throwOnError()

it('says what waits, what is lost first on top, follows live, leads to where each is done, and answers a payment in place', async () => {
  const { olivia, marc, zoe } = people
  planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await claimPayment(marc)
  const request = await ask(zoe, planId)
  await leaveHours(server, request, 3)
  const { user, router } = await home('olivia')
  await screen.findByText('You have 4 things to do.')
  expect(await lines('Waiting for you')).toEqual([
    `${nameOf(zoe)} wants to joinNetflix Premium3h leftAnswer`,
    `${nameOf(marc)} says they’ve paidNetflix Premium6 days left€5.00ReceivedNot received`,
    'Say how you’re paidAdd details',
    'Say how people get inNetflix PremiumAdd access',
  ])
  for (const [name, address] of [
    [`Answer: ${nameOf(zoe)} wants to join, Netflix Premium`, `/manage-shared/${planId}`],
    ['Add details: Say how you’re paid', '/account-settings/money'],
  ] as const)
    expect((await control(name)).getAttribute('href')).toBe(address)
  expect(await lines('Your plans')).toEqual([
    expect.stringMatching(/^Netflix Premium2 of 4 places open.*marc\d+$/),
    'Subscribe to a Plan',
    'Share a Subscription',
  ])
  await listening(`home-${olivia.id}`)
  const status = async ({ client }: TestUser) =>
    (await client.from('member_payments').select('status, note').single().throwOnError()).data
  await user.click(await control(/^Not received/))
  const denial = await dialog('Payment not received')
  await user.type(denial.getByLabelText(/^What is missing/), 'Nothing yet.')
  await user.click(denial.getByRole('button', { name: 'Report as missing' }))
  await screen.findByText('You have 3 things to do.')
  expect(await status(marc)).toEqual({ status: 'due', note: 'Nothing yet.' })
  await answer(olivia, 'approve', planId, request)
  await screen.findByText('You have 2 things to do.')
  await claimPayment(zoe)
  await user.click(await control(`Received €5.00 from ${nameOf(zoe)}`))
  await announced(`${nameOf(zoe)} now has a receipt.`)
  // Olivia's tasks: to say how she is paid, and to give Zoe access.
  await screen.findByText('You have 2 things to do.')
  expect(await status(zoe)).toMatchObject({ status: 'paid' })
  expect(await status(marc)).toMatchObject({ status: 'due' })
  // The landing page's texts are shown to signed-in people only on request.
  expect(screen.queryByText(/^Share subscriptions/)).toBeNull()
  await router.navigate({ href: '/' })
  await user.click(await control('How Potluck works'))
  await heading(/^Share subscriptions/)
})

it('leads a member to what is due, says what they wait for and what comes by itself, and what a paid month has saved', async () => {
  const { olivia, marc } = people
  const direct = await sharePlan(olivia, 6, 'spotify-premium-family')
  await join(olivia, marc, direct)
  await sayHowPaid(olivia)
  const site = await sharePlan(olivia)
  await takePaymentsMeanwhile(server)
  await payThroughSite(server, site)
  await saveCard(server, marc)
  await join(olivia, marc, site)
  const { data } = await marc.client.from('member_payments').select('id').eq('subscription_id', site).single()
  await reportCharge(server, data?.id ?? '', { status: 'succeeded', amount: 5.5 })
  const { user, at, cache } = await home('marc')
  const [awaited] = await lines('Waiting for others')
  expect(awaited).toMatch(/^You paid €5\.50\. olivia\d+ has until \w+ to let you inNetflix Premium$/)
  ;(await region('Saved this year')).getByText('€14.49')
  await db.query('update private.seats set access_given_at = private.now() where subscription_id = $1', [
    site,
  ])
  await db.query('select private.begin_periods(id) from private.seats where subscription_id = $1', [site])
  await cache.invalidateQueries()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Waiting for others' })).toBeNull())
  await waitFor(async () =>
    expect(await lines('Your plans')).toContainEqual(
      expect.stringMatching(/^Netflix PremiumPaid until \d+ \w+( \d{4})?$/),
    ),
  )
  await user.click(await control(/^Pay: Due .*, Spotify Premium Family$/))
  await waitFor(() => expect(at()).toBe(`/manage-subscribed/${direct}`))
})

it('says who owes whom after a place has ended, without a place to lose, and follows both live', async () => {
  const { olivia, marc } = people
  planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await letIn(server)
  await sayHowPaid(olivia)
  await letPass(server, '25 hours')
  await leavePlan(planId, marc)
  await home('marc')
  await waitFor(async () =>
    expect(await lines('Waiting for you')).toEqual([
      expect.stringMatching(/^Late since \d+ \w+Netflix Premium€5\.00Pay$/),
    ]),
  )
  expect((await lines('Waiting for you'))[0]).not.toContain('place')

  await join(olivia, people.zoe, planId)
  await letIn(server)
  const { data } = await people.zoe.client.from('member_payments').select('id').single().throwOnError()
  await olivia.client.rpc('confirm_payment', { p_payment_id: data.id }).throwOnError()
  await letPass(server, '1 day')
  await leavePlan(planId, people.zoe, olivia)
  await home('olivia')
  await screen.findByText(`You owe ${nameOf(people.zoe)}`)
  await listening(`home-${olivia.id}`)
  await olivia.client.rpc('say_repaid', { p_payment_id: data.id }).throwOnError()
  const waits = await screen.findByText(`Sent, waiting for ${nameOf(people.zoe)}`)
  expect(waits.getAttribute('href')).toBe(`/manage-shared/${planId}?section=money`)
  expect(screen.queryByText(`You owe ${nameOf(people.zoe)}`)).toBeNull()
})

it('asks a newcomer once what they came for, and leads there in three steps; who has begun goes on from there', async () => {
  const [PLACE, MEMBER] = ['Three steps to your first place', 'Three steps to your first member']
  const shown = await sharePlan(people.marc, 3, 'spotify-premium-family')
  const { user, at } = await home('zoe')
  await screen.findByText('Welcome to the table.')
  const market = await region('Plans to join')
  const offer = await market.findByText(/ shares it, 2 of 3 places open$/)
  expect(offer.closest('a')?.getAttribute('href')).toBe(`/plans/${shown}`)
  await user.click(await control('I want to join a plan'))
  await waitFor(() => expect(at()).toBe('/?for=join'))
  expect(await stepsOf(PLACE)).toHaveLength(3)
  expect((await control('See the plans')).getAttribute('href')).toBe('/plans')
  await user.click(await control('I’d rather share a plan'))
  await waitFor(() => expect(at()).toBe('/?for=share'))
  expect(await stepsOf(MEMBER)).toEqual(['Share a plan', 'Invite people', 'Approve your first member'])
  expect((await region(MEMBER)).getByRole('link', { name: 'Share a plan' }).getAttribute('href')).toBe(
    '/create',
  )

  await ask(people.marc, await sharePlan(people.olivia))
  await home('olivia')
  expect(screen.queryByText('Plans to join')).toBeNull()
  expect(await stepsOf(MEMBER)).toEqual([
    'Share a plan (done)',
    'Invite people (done)',
    'Approve your first member',
  ])
  expect((await control('See your plan')).getAttribute('href')).toMatch(/^\/manage-shared\//)
  // The two things that the owner needs for the first approval are tasks until they are done.
  expect((await control('Add details: Say how you’re paid')).getAttribute('href')).toBe(
    '/account-settings/money',
  )
  expect((await control('Add access: Say how people get in, Netflix Premium')).getAttribute('href')).toMatch(
    /^\/manage-shared\/.*section=access$/,
  )
})

const nextSteps = () => screen.queryAllByRole('region', { name: 'Next step' })
/** Waits until the only next step on a plan's page matches this. */
const isNext = (about: RegExp) =>
  waitFor(() =>
    expect(nextSteps().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(about)]),
  )

it('folds the requests for one plan into one task, whose page has one main button', async () => {
  const { olivia, marc, zoe } = people
  planId = await sharePlan(olivia)
  await ask(marc, planId)
  await leaveHours(server, await ask(zoe, planId), 3)
  const { user } = await home('olivia')
  expect((await lines('Waiting for you'))[0]).toMatch(
    /^2 people ask to join NetflixNetflix Premium3h left.*zoe\d+, marc\d+Answer$/,
  )
  await screen.findByText(/^You have \d things to do\.$/)
  expect(screen.queryByText(/wants to join/)).toBeNull()
  await user.click(await control('Answer: 2 people ask to join Netflix, Netflix Premium'))
  const requests = await region('Join Requests')
  await requests.findByText('3 places open, 2 people ask.')
  const main = () => requests.getAllByLabelText(/^Approve/).map((button) => button.dataset.variant)
  await waitFor(() => expect(main()).toEqual(['filled', 'light']))
})

/** The announcements of good news. */
const news = () =>
  screen.queryAllByRole('status').filter((place) => within(place).queryByRole('button', { name: 'Close' }))
const isTold = (what: RegExp) =>
  waitFor(() => expect(news().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(what)]))
const unread = async ({ client }: TestUser) =>
  (await client.from('user_notifications').select('event').eq('read', false).throwOnError()).data.map(
    ({ event }) => event,
  )
/** Sends a person a notification of good news. */
const tell = (person: TestUser, event: string, about: string | null, params: object = {}) =>
  db.query(`select private.notify($1, 'success', $2, $3, $4)`, [
    person.id,
    about,
    event,
    JSON.stringify(params),
  ])
const noNews = async () => {
  await region('Access')
  await screen.findByLabelText('Notifications', { selector: 'button' })
  expect(news()).toEqual([])
}

it('has the owner of a new plan share the link, add access and say how members pay, and goes on with requests, the new member and places', async () => {
  const START = 'First steps for Netflix Premium'
  planId = await sharePlan(people.olivia, 3)
  const { user, router } = await asOwner(people.olivia)
  await isNext(/First steps for Netflix Premium/)
  expect(await stepsOf(START)).toEqual(['Share the link', 'Add access', 'How members pay'])
  const copied = vi.spyOn(window.navigator.clipboard, 'writeText')
  const start = await region(START)
  await start.findByText(/\/p\/\w{8}$/)
  await user.click(start.getByText('Copy link'))
  await control('Copied')
  const link = expect.stringMatching(`^${location.origin}/p/\\w{8}$`)
  expect(copied).toHaveBeenCalledWith(link)
  await user.click(await control('Add access'))
  const storing = await dialog('Add access')
  await user.type(storing.getByLabelText('Note'), 'The second profile is yours.')
  await user.click(storing.getByText('Save access'))
  await waitFor(async () =>
    expect(await stepsOf(START)).toEqual(['Share the link', 'Add access (done)', 'How members pay']),
  )
  await user.click(await control('Add payment details'))
  const saying = await dialog('How you are paid')
  await user.click(await saying.findByLabelText('In your own words'))
  await user.type(saying.getByLabelText('How to pay you'), 'Cash at dinner.')
  await user.click(saying.getByText('Save'))
  await waitFor(async () =>
    expect(await stepsOf(START)).toEqual(['Share the link', 'Add access (done)', 'How members pay (done)']),
  )
  await listening(`requests-of-plan-${planId}`)
  await ask(people.marc, planId)
  await isNext(/Join Requests/)
  await user.click(await control(/^Approve/))
  await isTold(/^marc\d* is in.*Open chat$/)
  await user.click(await control('Open chat'))
  await user.click((await dialog(/marc/)).getByLabelText('Close chat'))
  await waitFor(() => expect(news()).toEqual([]))

  // On a device with a share function, the link is shared through it; closing the share sheet cancels sharing.
  const shares = vi.fn(async () => {})
  vi.stubGlobal('navigator', Object.assign(window.navigator, { share: shares }))
  onTestFinished(() => void Reflect.deleteProperty(window.navigator, 'share'))
  await router.navigate({ href: '/about' })
  await router.navigate({ href: `/manage-shared/${planId}` })
  await isNext(/1 place is freeShare the link.*ShareCopy link/)
  const press = () => user.click(screen.getAllByText('Share')[0] as Element)
  await waitFor(() => expect(screen.getAllByText('Share')[0]?.closest('button')?.disabled).toBe(false))
  await press()
  expect(shares).toHaveBeenCalledWith({
    title: 'Netflix Premium',
    url: link,
  })
  for (const why of ['AbortError', 'NotAllowedError']) {
    shares.mockRejectedValueOnce(new DOMException('No', why))
    await press()
  }
  await toasted('warning', 'Link not shared', 'Copy it instead.')
  expect(screen.getAllByText('Link not shared')).toHaveLength(1)
  await join(people.olivia, people.zoe, planId)
  await screen.findByText('3/3 (Full)')
  await waitFor(() => expect(nextSteps()).toEqual([]))
})

it('tells a member on their first visit, leads to what the news is about, and tells on no other device after', async () => {
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
  expect(await unread(people.marc)).toEqual(['request-approved'])
  const { user, at } = await asMember()
  await isTold(/^You are inYour request to join Netflix Premium has been approved\.See how to get in$/)
  await waitFor(async () => expect(await unread(people.marc)).toEqual([]))
  await user.click(await control('See how to get in'))
  await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}#access-title`))
  expect(news()).toEqual([])
  await asMember()
  await noNews()
  window.localStorage.setItem('notifications-enabled', 'false')
  await listening('user-notifications')
  for (const [event, told, leads] of [
    ['first-month', /^Your first month is complete.*See your savings$/, '/my-savings'],
    ['joined', /^You are in.*See how to get in$/, `/manage-subscribed/${planId}#access-title`],
    ['let-in', /^You are in.*See how to get in$/, `/manage-subscribed/${planId}#access-title`],
  ] as const) {
    await tell(people.marc, event, planId)
    await isTold(told)
    expect(news()[0]?.querySelector('a')?.getAttribute('href')).toBe(leads)
    await waitFor(async () => expect(await unread(people.marc)).toEqual([]))
  }
})

it('says news that a toast has just told on the next visit only; a joined place has no toast', async () => {
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
  const { user, router } = await asMember()
  await isTold(/^You are in/)
  await waitFor(async () => expect(await unread(people.marc)).toEqual([]))
  await listening('user-notifications')
  await tell(people.marc, 'first-month', planId)
  await waitFor(() => expect(document.querySelectorAll('[data-kind]')).toHaveLength(1))
  await screen.findByLabelText('Notifications, 1 unread', { selector: 'button' })
  expect(news().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^You are in/)])
  await tell(people.marc, 'joined', planId)
  await waitFor(async () => expect(await unread(people.marc)).toEqual(['first-month']))
  await user.keyboard('{Tab}')
  await router.navigate({ href: '/about' })
  await router.navigate({ href: `/manage-subscribed/${planId}` })
  await isTold(/^Your first month is complete/)
  await waitFor(async () => expect(await unread(people.marc)).toEqual([]))
})

it('brings news to an open page as it happens, of that plan alone; first coins come where an owner is first', async () => {
  const { olivia } = people
  planId = await sharePlan(olivia)
  await tell(olivia, 'member-first-month', await sharePlan(olivia, 4, 'spotify-premium-family'), {
    member: 'Nina',
  })
  const { router } = await asOwner(olivia)
  await screen.findByLabelText('Notifications, 1 unread', { selector: 'button' })
  window.localStorage.setItem('notifications-enabled', 'false')
  await listening('user-notifications')
  expect(news()).toEqual([])
  await tell(olivia, 'invitation-accepted', planId, { member: 'Zoe', plan: 'Netflix Premium' })
  await isTold(/^Zoe is inZoe has joined Netflix Premium\.See your members$/)
  await waitFor(async () => expect(await unread(olivia)).toEqual(['member-first-month']))

  await olivia.client.rpc('mark_notifications_as_read', { p_user_id: olivia.id }).throwOnError()
  await tell(olivia, 'first-coins', null)
  await router.navigate({ href: '/' })
  await heading('Home')
  await isTold(/^Your first coins.*See your wallet$/)
  expect((await control('See your wallet')).getAttribute('href')).toBe('/my-savings')
  await waitFor(async () => expect(await unread(olivia)).toEqual([]))
})
