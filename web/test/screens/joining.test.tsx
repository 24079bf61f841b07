// Ways into a plan other than a request: instantly, by a link, from a waiting list, and first in line after losing a
// place.
// Proves QUEUE 01-03 05 06, EVT 05
import { addAccount, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { listen } from '#lib/events.ts'
import { changePlan, endPlan, hideOtherPlans, leavePlan, letPass, takePaymentsMeanwhile } from '../acting.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'
import { control, dialog, heading, region } from '../parts.ts'
import { nameOf, newPerson } from '../people.ts'
import { join, letIn, payThroughSite, saveCard, sayHowPaid, sharePlan, storeAccess } from '../sharing.ts'

const server = await testServer()
let olivia: TestUser
let marc: TestUser
let zoe: TestUser

beforeEach(async () => {
  await hideOtherPlans(server)
  ;[olivia, marc, zoe] = [
    await newPerson(server, 'olivia'),
    await newPerson(server, 'marc'),
    await newPerson(server, 'zoe'),
  ]
})

const NETFLIX = '/plans?service=Netflix'
const requestOf = (plan: string) => control(`Request to join ${plan} of ${nameOf(olivia)}`)
const wait = ({ client }: TestUser, planId: string) =>
  client.rpc('join_waiting_list', { p_subscription_id: planId }).throwOnError()

/** Creates a Netflix plan of Olivia's, instant from this level, and one of Marc's that is not instant. */
async function instantPlan(from: string | null) {
  await takePaymentsMeanwhile(server)
  const netflix = await sharePlan(olivia)
  await payThroughSite(server, netflix)
  await storeAccess(olivia, netflix)
  await changePlan(olivia, netflix, { instant_from: from })
  await payThroughSite(server, await sharePlan(marc, 3))
  return netflix
}

it('an owner lets people in at once, or no longer, on the page of the plan, which is marked, and so is its card', async () => {
  const netflix = await instantPlan(null)
  const { user, router } = await openApp(server, `/manage-shared/${netflix}?section=settings`, { as: olivia })
  const choice = await screen.findByLabelText('Who can join instantly')
  expect(choice).toHaveProperty('value', '')
  const choose = async (from: string) => {
    await waitFor(() => expect(choice).toHaveProperty('disabled', false))
    await user.selectOptions(choice, from)
  }
  await choose('Trusted people only')
  await screen.findByText('Instant for Trusted')
  const refused = refuse('PATCH shared_subscriptions', 'XX000')
  await choose('Everyone')
  await toasted('error', 'The plan was not changed. Please try again.')
  await screen.findByText('Instant for Trusted')
  refused.heal()
  await choose('No one: I approve each request')
  await waitFor(() => expect(screen.queryByText(/^Instant for/)).toBeNull())
  await changePlan(olivia, netflix, { instant_from: 'proven' })
  await screen.findByText('Instant for Proven')
  await router.navigate({ href: '/my-subscriptions?tab=shared' })
  expect((await screen.findByRole('article', { name: 'Netflix Premium' })).textContent).toContain(
    'Instant for Proven',
  )
})

it('plans that let in at once are marked while browsing, where the others can be left out, also of a search', async () => {
  const netflix = await instantPlan('new')
  const { user, at, router } = await openApp(server, NETFLIX, { as: zoe })
  const owners = () =>
    screen
      .queryAllByLabelText(/^Request to join/)
      .map((one) => one.getAttribute('aria-label')?.split(' of ')[1])
  await waitFor(() => expect(owners()).toEqual([nameOf(marc), nameOf(olivia)]))
  expect(screen.getAllByText('Instant', { selector: '.mantine-Badge-label' })).toHaveLength(1)
  await user.selectOptions(screen.getByLabelText('Approval'), 'Instant')
  await waitFor(() => expect(owners()).toEqual([nameOf(olivia)]))
  expect(at()).toBe(`${NETFLIX}&instant=true`)
  await router.navigate({ href: '/plans?q=netf&instant=true' })
  await waitFor(() => expect(owners()).toEqual([nameOf(olivia)]))
  await changePlan(olivia, netflix, { instant_from: null })
  await router.navigate({ href: `${NETFLIX}&instant=true` })
  await screen.findByText('No plan like that')
  await user.click(await control('Remove Approval: Instant'))
  await waitFor(() => expect(owners()).toHaveLength(2))
  expect(at()).toBe(NETFLIX)
})

it('whoever asks is told beforehand whether they get in at once, and why not, and is in then', async () => {
  const netflix = await instantPlan('new')
  const unknown = refuse('POST rpc/check_instant', 'XX000')
  const { user, at, cache } = await openApp(server, `/subscription/${netflix}`, { as: zoe })
  await user.click(await control(/^Request to join Netflix Premium/))
  const form = await dialog('Join this plan')
  await form.findByText('We couldn’t check whether you get in instantly')
  const send = await control(/^Ask to join/)
  expect(send).toHaveProperty('disabled', true)
  unknown.heal()
  await user.click(form.getByText('Retry'))
  await form.findByText(
    `Save a card, or have enough coins for the first month, to get in instantly. Otherwise ${nameOf(olivia)} decides.`,
  )
  form.getByText('Save a card')
  await waitFor(() => expect(send).toHaveProperty('disabled', false))

  await saveCard(server, zoe)
  await changePlan(olivia, netflix, { instant_from: 'proven' })
  await cache.invalidateQueries()
  await form.findByText(`You are New, so ${nameOf(olivia)} decides.`)
  await form.findByText(/^Charged when olivia\d+ approves;/)
  form.getByLabelText('Message (optional)')
  form.getByText(/^Ask to join/)

  await changePlan(olivia, netflix, { instant_from: 'new' })
  await cache.invalidateQueries()
  await form.findByText('You get in instantly')
  await form.findByText(/^Charged when you join;/)
  expect(form.queryByRole('textbox')).toBeNull()
  expect(form.queryByText(/48 hours to answer/)).toBeNull()
  await user.click(form.getByLabelText(/^Please begin at once\./))
  await user.click(form.getByText('Join and pay €5.50 a month'))
  await waitFor(() => expect(at()).toBe(`/manage-subscribed/${netflix}`))
  await heading('Your Subscribed Plan')
  const { data } = await zoe.client.from('subscription_requests').select('status').throwOnError()
  expect(data).toEqual([{ status: 'approved' }])
})

it('a full plan says how far one is in line, moves up live, keeps the place that becomes free, and lets go with one click', async () => {
  const anna = await newPerson(server, 'anna')
  const netflix = await sharePlan(olivia, 2)
  await join(olivia, marc, netflix)
  await sayHowPaid(olivia)
  await wait(anna, netflix)
  await openApp(server, `/manage-shared/${netflix}`, { as: olivia })
  await screen.findByText(/^1 person is waiting for a place/)

  const { user, at, router } = await openApp(server, NETFLIX, { as: zoe })
  expect(await control('No spots available')).toHaveProperty('disabled', true)
  await user.click(await control('Join the waiting list for Netflix Premium'))
  await toasted(
    'success',
    'You Are on the Waiting List',
    'You are number 2 for Netflix Premium. We’ll tell you when a place is yours.',
  )
  await screen.findByText('You are number 2')
  await anna.client.rpc('leave_waiting_list', { p_subscription_id: netflix }).throwOnError()
  await screen.findByText('You are number 1')
  await router.navigate({ href: '/my-subscriptions?tab=subscribed' })
  await screen.findByRole('heading', { level: 2, name: 'Waiting Lists' })
  await screen.findByText('You are number 1')
  await user.click(await control('Netflix Premium'))
  await waitFor(() => expect(at()).toBe(`/subscription/${netflix}`))
  await screen.findByText('You are number 1')
  await leavePlan(netflix, marc)
  await screen.findAllByText('A place is kept for you')
  await requestOf('Netflix Premium')
  await user.click(await control('Leave the waiting list for Netflix Premium'))
  await waitFor(() => expect(screen.queryByText('A place is kept for you')).toBeNull())

  await join(olivia, marc, netflix)
  await wait(zoe, netflix)
  await leavePlan(netflix, marc)
  await router.navigate({ href: NETFLIX })
  await screen.findAllByText('A place is kept for you')
  await user.click(await requestOf('Netflix Premium'))
  await user.click(await screen.findByText(/^Ask to join/))
  await dialog('Subscription Request Sent')
  await waitFor(() => expect(screen.queryByLabelText(/^Leave the waiting list/)).toBeNull())
  const { data } = await zoe.client.from('subscription_requests').select('keeps_place')
  expect(data).toEqual([{ keeps_place: true }])
})

it('a private plan is found by its link alone, until the link is replaced, and goes from the screens of strangers as it is hidden', async () => {
  const linkOf = async (length = 16) => {
    const address = await (await region('Visibility')).findByText(new RegExp(`/p/\\w{${length}}$`))
    return address.textContent?.replace(location.host, '') ?? ''
  }
  const { user, router } = await openApp(
    server,
    '/create?category=all&provider=tidal&plan=tidal-family&part=slots',
    { as: olivia },
  )
  await user.click(await screen.findByLabelText(/^Private/))
  await user.click(await control('Create Subscription'))
  await toasted(
    'success',
    'Subscription Created',
    'Share the link on its page to let people find TIDAL Family.',
  )
  const { data: plan } = await olivia.client.from('shared_subscriptions').select('id').single().throwOnError()
  await router.navigate({ href: `/manage-shared/${plan.id}?section=settings` })
  const old = await linkOf()
  await user.click(await control('Replace link'))
  const sure = await dialog('Replace the link?')
  await user.click(sure.getByRole('button', { name: 'Replace link' }))
  await toasted('success', 'Link Replaced', 'The old link no longer works.')
  await waitFor(async () => expect(await linkOf()).not.toBe(old))
  const toggle = async () => {
    await waitFor(() => expect(screen.getByLabelText(/^Private/)).toHaveProperty('disabled', false))
    await user.click(screen.getByLabelText(/^Private/))
  }
  const updates: unknown[] = []
  onTestFinished(listen('subscriptionUpdated', (detail) => updates.push(detail)))
  await toggle()
  const short = await linkOf(8)
  await toggle()
  const link = await linkOf()
  expect(updates).toEqual([{ subscriptionId: plan.id }, { subscriptionId: plan.id }])

  const stranger = await openApp(server, old, { as: zoe })
  await screen.findByText('This link no longer works')
  await stranger.router.navigate({ href: '/plans?service=TIDAL' })
  await screen.findByText('No subscriptions available at the moment')
  const hide = (is_private: boolean) => changePlan(olivia, plan.id, { is_private })
  await stranger.router.navigate({ href: short })
  await heading('We can’t find this plan')
  for (const address of [link, link.replace('/p/', '/join/')]) {
    await stranger.router.navigate({ href: address })
    await waitFor(() => expect(stranger.at()).toBe(`/subscription/${plan.id}`))
  }
  await requestOf('TIDAL Family')
  await hide(false)
  await stranger.cache.invalidateQueries()
  await stranger.router.navigate({ href: short.toUpperCase().replace('/P/', '/p/') })
  await waitFor(() => expect(stranger.at()).toBe(`/plans/${plan.id}`))
  await stranger.router.navigate({ href: '/plans?service=TIDAL' })
  await stranger.cache.invalidateQueries()
  await requestOf('TIDAL Family')
  await listening('available-plans')
  await hide(true)
  await screen.findByText('No subscriptions available at the moment')
  await hide(false)
  await stranger.router.navigate({ href: `/subscription/${plan.id}` })
  await requestOf('TIDAL Family')
  await listening(`plan-${plan.id}`)
  await hide(true)
  await heading('TIDAL Family is no longer available')
  screen.getByText('The owner cancelled this plan or made it private.')
})

it('a visitor with the link of a private plan is told nothing of it, and comes back to it by their mail', async () => {
  const link = '/p/0123456789abcdef'
  await openApp(server, link)
  await heading('A private plan')
  expect(screen.getByText(/^Use a password/).getAttribute('href')).toBe(
    `/signin?redirect=${encodeURIComponent(link)}`,
  )
})

it('asks somebody for a name just before others would read it, and then goes on', async () => {
  const netflix = await sharePlan(olivia)
  const nobody = await addAccount(server, `nobody.${olivia.email}`, { data: {} })
  const { user, router } = await openApp(server, `/plans/${netflix}`, { as: nobody })
  await user.click(await control('Ask a question'))
  const question = await dialog(`Ask ${nameOf(olivia)} a question`)
  await user.type(question.getByLabelText('Your question'), 'Is it in 4K?')
  await user.click(question.getByText('Send question'))
  await dialog('What should we call you?')
  await user.keyboard('{Escape}')
  await toasted('error', 'Failed to send question: Please add your name first.')
  await user.keyboard('{Escape}')
  await router.navigate({ href: `/plans/${netflix}?ask=true` })
  await user.click(await screen.findByText(/^Ask to join/))
  const refused = await dialog('What should we call you?')
  const part = nobody.email.replace(/@.*/, '')
  expect(refused.getByLabelText('First name')).toHaveProperty('value', part)
  refused.getByText(part, { selector: 'bdi' })
  await user.keyboard('{Escape}')
  await toasted('error', 'Request Failed', 'Please add your name first.')
  await user.click(await screen.findByText(/^Ask to join/))
  const form = await dialog('What should we call you?')
  await user.clear(form.getByLabelText('First name'))
  await user.type(form.getByLabelText('First name'), 'Noa')
  await user.click(form.getByText('Save and continue'))
  await dialog('Subscription Request Sent')
  const asked = await olivia.client.from('subscription_requests').select('name').throwOnError()
  expect(asked.data).toEqual([{ name: 'Noa' }])
})

it('whoever loses a place through no fault of their own is shown plans like it, and comes first in their lines for a month', async () => {
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await letIn(server)
  const { data: due } = await marc.client.from('member_payments').select('id').single().throwOnError()
  await marc.client.rpc('say_paid', { p_payment_id: due.id }).throwOnError()
  await letPass(server, '14 days')
  const until = (days: number) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date(Date.now() + days * 86_400_000))
  const why = `You lost your place in Netflix Premium through no fault of your own. Until ${until(44)} you’re first in line for plans like it.`
  const [nina, paul] = [await newPerson(server, 'nina'), await newPerson(server, 'paul')]
  const full = await sharePlan(nina, 2)
  await join(nina, zoe, full)
  await sharePlan(paul, 3)
  const rosa = await newPerson(server, 'rosa')
  await sharePlan(rosa, 2, 'netflix-standard')
  await wait(await newPerson(server, 'anna'), full)

  const { user, at, router, cache } = await openApp(server, `/manage-subscribed/${planId}`, { as: marc })
  await heading('Your Subscribed Plan')
  await listening(`plan-${planId}`)
  await endPlan(olivia, planId)
  await heading('Netflix Premium is no longer shared')
  ;(await region('Plans like Netflix Premium')).getByText(why)
  await router.navigate({ href: '/my-subscriptions?tab=subscribed' })
  const notice = await region('Plans like Netflix Premium')
  notice.getByText(why)
  await user.click(notice.getByRole('link', { name: 'See similar plans' }))
  await waitFor(() => expect(at()).toMatch(/^\/plans-like\/[0-9a-f-]{36}$/))
  const address = at()
  await heading('Similar plans')
  await screen.findByText(`${why} Each is Netflix Premium, shared by another owner.`)
  await control(`Request to join Netflix Premium of ${nameOf(paul)}`)
  expect(screen.queryByText(nameOf(rosa))).toBeNull()
  await user.click(await control('Join the waiting list for Netflix Premium'))
  await toasted(
    'success',
    'You Are on the Waiting List',
    'You are number 1 for Netflix Premium. We’ll tell you when a place is yours.',
  )
  await screen.findByText('You are number 1')
  await router.navigate({ href: '/about' })
  await user.click(await control(/^Notifications/))
  // A toast may have the same text, so this looks in the list of notifications.
  const bell = within(await screen.findByRole('dialog', { name: /^Notifications/ }))
  await user.click(await bell.findByText('You Come First'))
  await waitFor(() => expect(at()).toBe(address))
  await letPass(server, '30 days')
  await cache.invalidateQueries()
  await heading('You’re no longer first in line')
})
