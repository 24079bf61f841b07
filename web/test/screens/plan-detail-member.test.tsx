import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { ask, join, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const open = async (who: keyof People, address = `/manage-subscribed/${planId}`) => ({
  ...(await openApp(server, address, { as: { email: people[who].email, password } })),
})

const fact = (card: ReturnType<typeof within>, name: string) =>
  card.getByText(name).nextElementSibling?.textContent
/** Sets what only old data can hold; the database would refuse it from anybody. */
const changeUnchecked = async (id: string, change: string) => {
  const { db } = server
  await db.query('alter table public.shared_subscriptions disable trigger guard')
  await db.query(
    'alter table public.shared_subscriptions drop constraint if exists shared_subscriptions_currency_check',
  )
  await db.query(`update public.shared_subscriptions set ${change} where id = $1`, [id])
  await db.query('alter table public.shared_subscriptions enable trigger guard')
}

describe('a member', () => {
  beforeEach(() => join(people.olivia, people.marc, planId))

  it('is the member view at every address of the plan', async () => {
    const { user, router, at } = await open('marc')
    for (const address of [
      `/manage-subscribed/${planId}`,
      `/manage-shared/${planId}`,
      `/subscription/${planId}`,
      `/subscription/${planId}?type=shared`,
      `/subscription/${planId}?type=joined`,
      `/subscription/${planId}?type=subscribed`,
    ]) {
      await router.navigate({ href: address })
      await screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })
      expect(at()).toBe(address)
      expect(document.title).toBe('Your Subscribed Plan · Potluck')
      expect(screen.getByRole('button', { name: 'Leave' })).toBeTruthy()
    }
    expect(window.localStorage.getItem(`subscription-${planId}`)).toContain('"Premium"')
    await user.click(screen.getByRole('link', { name: 'Back to My Subscriptions' }))
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
    expect(await screen.findByRole('tab', { selected: true, name: /^My Subscribed Plans/ })).toBeTruthy()
  })

  it('reads cost, next payment and owner', async () => {
    const { user } = await open('marc')
    const plan = within(await screen.findByRole('region', { name: 'Your Subscribed Plan' }))
    // A share of 5.00 and 10 percent.
    expect(fact(plan, 'Monthly cost')).toBe('€5.50')
    expect(plan.getByText('10% convenience fee included')).toBeTruthy()
    expect(fact(plan, 'Next payment')).toBe('in 20 days')
    expect(fact(plan, 'Total subscription price')).toBe('€19.99 / month')
    expect(plan.getByText('Netflix Premium')).toBeTruthy()
    expect(plan.queryByText(/price information may be incomplete/)).toBeNull()
    const owner = within(screen.getByRole('region', { name: 'Plan Owner' }))
    await owner.findByText(/^olivia\d+$/)
    expect(owner.getByText('Owner')).toBeTruthy()
    expect(owner.queryByText('You')).toBeNull()
    await user.click(owner.getByRole('button', { name: /^Chat with olivia/ }))
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText('No messages yet. Start the conversation!')
    expect(dialog.getByText(/^olivia\d+$/)).toBeTruthy()
  })

  it('spreads a yearly price over its months, in the currency it is stored in', async () => {
    const yearly = await sharePlan(people.olivia, 4, 'nordvpn-standard-2-year')
    await join(people.olivia, people.marc, yearly)
    await changeUnchecked(yearly, `currency = 'GBP', next_payment = null`)
    await open('marc', `/manage-subscribed/${yearly}`)
    const plan = within(await screen.findByRole('region', { name: 'Your Subscribed Plan' }))
    // 35.88 among ten are 3.59, with the fee 3.95 a year.
    expect(fact(plan, 'Monthly cost')).toBe('£0.33')
    expect(plan.getByText('10% convenience fee included, paid once a year')).toBeTruthy()
    expect(fact(plan, 'Next payment')).toBe('Not scheduled')
    expect(fact(plan, 'Total subscription price')).toBe('£35.88 / year')
    await changeUnchecked(yearly, `currency = 'EUR'`)
  })

  it('warns when the price cannot be right', async () => {
    await changeUnchecked(planId, 'member_price = 0')
    await open('marc')
    await screen.findByText(
      'The subscription price information may be incomplete. Please contact the plan owner for details.',
    )
  })

  it('sees nothing that is the owner own', async () => {
    await ask(people.zoe, planId, 'May I?')
    await server.db.query(`select private.move_coins($1::uuid, 'earned', 7, 'A gift')`, [people.marc.id])
    await open('marc')
    await screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })
    await screen.findByRole('button', { name: /^Chat with olivia/ })
    for (const name of [/Approve/, /Reject/, /Add Member/, /Remove/, /Edit/, /Cancel Subscription/])
      expect(screen.queryByRole('button', { name })).toBeNull()
    for (const text of ['Join Requests', 'Members', /\bcoins?\b/, 'May I?'])
      expect(screen.queryByText(text)).toBeNull()
  })

  it('reads the account login, live, and whom to ask for the password', async () => {
    await open('marc')
    const plan = within(await screen.findByRole('region', { name: 'Your Subscribed Plan' }))
    expect(plan.getByText('Account email / username').nextElementSibling?.textContent).toBe('Not shared yet')
    expect(plan.getByText('Contact the plan owner for the password.')).toBeTruthy()
    const logins = people.olivia.client.from('subscription_logins')
    await logins.insert({ subscription_id: planId, login_name: 'family@olivia.example' }).throwOnError()
    await plan.findByText('family@olivia.example')
    await logins.update({ login_name: 'new@olivia.example' }).eq('subscription_id', planId).throwOnError()
    await plan.findByText('new@olivia.example')
    await logins.delete().eq('subscription_id', planId).throwOnError()
    await plan.findByText('Not shared yet')
  })

  it('leaves after asking', async () => {
    const { user, at } = await open('marc')
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    const leavings: unknown[] = []
    const hear = (event: Event) => leavings.push((event as CustomEvent).detail)
    window.addEventListener('subscriptionMemberLeft', hear, { once: true })
    await user.click(await screen.findByRole('button', { name: 'Leave plan' }))
    await screen.findByText('You have left the subscription successfully.')
    expect(leavings).toEqual([{ subscriptionId: planId }])
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
    expect(window.localStorage.getItem(`subscription-${planId}`)).toBeNull()
    const { data } = await people.marc.client
      .from('subscription_members')
      .select('id')
      .eq('user_id', people.marc.id)
    expect(data).toEqual([])
    const plan = await people.olivia.client
      .from('shared_subscriptions')
      .select('current_members')
      .eq('id', planId)
    expect(plan.data).toEqual([{ current_members: 1 }])
  })

  it('is told when the owner ends the plan, chat and all', async () => {
    const { user } = await open('marc')
    await user.click(await screen.findByRole('button', { name: /^Chat with olivia/ }))
    await screen.findByText('No messages yet. Start the conversation!')
    await people.olivia.client.from('shared_subscriptions').delete().eq('id', planId).throwOnError()
    await screen.findByText('Netflix Premium is no longer shared')
    expect(
      screen.getByText('Its owner has cancelled it for everyone. The chats about it are closed.'),
    ).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to My Subscriptions', hidden: true })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
    expect(screen.queryByText('Error loading subscription')).toBeNull()
  })

  it('loses the page live when removed', async () => {
    await open('marc')
    await screen.findByRole('button', { name: 'Leave' })
    await people.olivia.client
      .from('subscription_members')
      .delete()
      .eq('subscription_id', planId)
      .eq('user_id', people.marc.id)
      .throwOnError()
    await screen.findByText('You do not have access to this subscription')
  })
})

describe('everyone else', () => {
  it('a stranger has no access, not even with a request', async () => {
    await ask(people.zoe, planId)
    await open('zoe')
    await screen.findByText('You do not have access to this subscription')
    expect(screen.getByRole('heading', { name: 'Error Loading Subscription' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Go to My Subscriptions' })).toBeTruthy()
  })

  it('an unknown plan is said to be unknown', async () => {
    await open('zoe', '/subscription/sub-0')
    await screen.findByRole('heading', { name: 'Error Loading Subscription' })
    const texts = await screen.findAllByText("Subscription not found or you don't have access")
    expect(texts.length).toBeGreaterThan(0)
    await screen.findByText('Error loading subscription')
  })

  it.each(['manage-shared', 'manage-subscribed', 'subscription'])(
    'a visitor of /%s is asked to log in and brought back',
    async (place) => {
      const { at } = await openApp(server, `/${place}/${planId}`)
      await screen.findByText('You need to be logged in to view this page')
      const href =
        within(screen.getByRole('main')).getByRole('link', { name: 'Sign In' }).getAttribute('href') ?? ''
      expect(new URLSearchParams(href.split('?')[1]).get('redirect')).toContain(`/${place}/${planId}`)
      expect(at()).toBe(`/${place}/${planId}`)
    },
  )
})
