import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { listen } from '#lib/events.ts'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp } from '../app.tsx'
import { hang, refuse } from '../network.ts'
import { ask, join, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const open = (who: keyof People, address = `/manage-subscribed/${planId}`) =>
  openApp(server, address, { as: people[who] })
const isMemberView = () => screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })

it('leads back, while it loads, to the list it stands in as far as this browser or the address knows', async () => {
  hang('GET /rest/v1/shared_subscriptions?')
  const back = async () =>
    (await screen.findByText('Back to My Subscriptions')).closest('a')?.getAttribute('href')
  for (const [address, way] of [
    ['subscription', '/my-subscriptions'],
    ['manage-shared', '/my-subscriptions?tab=shared'],
    ['manage-subscribed', '/my-subscriptions?tab=subscribed'],
  ]) {
    await open('marc', `/${address}/${planId}`)
    await waitFor(async () => expect(await back()).toBe(way))
  }
  const known = JSON.stringify({ id: planId, name: 'Premium', provider: 'Netflix' })
  window.localStorage.setItem(`subscription-${planId}`, known)
  await open('marc', `/manage-shared/${planId}`)
  expect(await back()).toBe('/my-subscriptions?tab=subscribed')
})

it('a member reads cost, dates, login and owner at every address, and nothing that is the owner’s own', async () => {
  await join(people.olivia, people.marc, planId)
  await ask(people.zoe, planId, 'May I?')
  await moveCoins(server.db, people.marc, 'earned', 7, 'A gift')
  const { user, router, at } = await open('marc')
  for (const address of ['manage-shared', 'subscription', 'manage-subscribed'].map(
    (page) => `/${page}/${planId}`,
  ))
    for (const href of [`${address}?type=shared`, address]) {
      await router.navigate({ href })
      await isMemberView()
      expect([at().split('?')[0], document.title]).toEqual([address, 'Your Subscribed Plan · Potluck'])
    }
  expect(window.localStorage.getItem(`subscription-${planId}`)).toContain('"Premium"')
  const plan = await screen.findByRole('region', { name: 'Your Subscribed Plan' })
  expect(plan.textContent).toMatch(
    /Netflix Premium.*Monthly cost€5\.00Paid to the owner, no fee.*in 20 days.*€19\.99 \/ month/,
  )
  const owner = within(screen.getByRole('region', { name: 'Plan Owner' }))
  await owner.findByText(/^olivia\d+$/)
  expect(owner.getByText('Owner')).toBeTruthy()
  expect(owner.queryByText('You')).toBeNull()
  for (const name of [/Approve/, /Reject/, /Add Member/, /Remove/, /Edit/, /Cancel Subscription/])
    expect(screen.queryByRole('button', { name })).toBeNull()
  for (const text of ['Join Requests', 'Members', /\bcoins?\b/, 'May I?'])
    expect(screen.queryByText(text)).toBeNull()

  const access = await screen.findByRole('region', { name: 'Access' })
  expect(access.textContent).toMatch(
    /Account email \/ usernameNot shared yetContact the plan owner for the password\./,
  )
  const logins = people.olivia.client.from('subscription_logins')
  await logins.insert({ subscription_id: planId, login_name: 'family@olivia.example' }).throwOnError()
  await within(access).findByText('family@olivia.example')
  await logins.delete().eq('subscription_id', planId).throwOnError()
  await within(access).findByText('Not shared yet')

  await user.click(owner.getByLabelText(/^Chat with olivia/))
  const chat = within(await screen.findByRole('dialog', { name: /^olivia\d+/ }))
  await chat.findByText('No messages yet. Start the conversation!')
  await user.click(chat.getByLabelText('Close chat'))
  await user.click(screen.getByText('Back to My Subscriptions'))
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
})

it('a member leaves after asking, and stays when that is refused', async () => {
  await join(people.olivia, people.marc, planId)
  const { user, at } = await open('marc')
  const leavings: unknown[] = []
  onTestFinished(listen('subscriptionMemberLeft', (detail) => leavings.push(detail)))
  const leave = async () => {
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    await user.click(await screen.findByRole('radio', { name: 'Now' }))
    await user.click(screen.getByText('Leave plan'))
  }
  const refused = refuse('DELETE /subscription_members', 'P0001', 'Your last payment is open')
  await leave()
  await screen.findByText('Your last payment is open')
  expect(screen.queryByText('You have left the subscription successfully.')).toBeNull()
  expect(at()).toBe(`/manage-subscribed/${planId}`)
  refused.heal()
  await leave()
  await screen.findByText('You have left the subscription successfully.')
  expect(leavings).toEqual([{ subscriptionId: planId }])
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))
  expect(window.localStorage.getItem(`subscription-${planId}`)).toBeNull()
  const { data } = await people.marc.client
    .from('subscription_members')
    .select('id')
    .eq('user_id', people.marc.id)
  expect(data).toEqual([])
  const { client } = people.olivia
  const plan = await client.from('shared_subscriptions').select('current_members').eq('id', planId)
  expect(plan.data).toEqual([{ current_members: 1 }])
})

it('everybody else may ask for a place, sees no more than that, and learns of an unknown plan that it is', async () => {
  const { router, user } = await open('zoe')
  const place = await screen.findByRole('region', { name: 'A place in it' })
  expect(place.textContent).toMatch(/€5\.00 a month, all in.*Fee€0\.00.*3 of 4 places open/)
  const main = within(screen.getByRole('main'))
  expect(main.getByRole('heading', { name: /^olivia\d+$/ })).toBeTruthy()
  expect(main.queryByText('Members')).toBeNull()
  await user.click(await main.findByLabelText(/^Request to join Netflix Premium/))
  await user.click(await screen.findByText('Send request'))
  await screen.findByRole('dialog', { name: 'Subscription Request Sent' })
  await waitFor(() => expect(main.getByText('Request sent').closest('button')?.disabled).toBe(true))
  const { data: asked } = await people.zoe.client.from('subscription_requests').select('id').throwOnError()
  const request = { p_request_id: asked[0]?.id ?? '', p_subscription_id: planId }
  await people.olivia.client.rpc('approve_subscription_request', request).throwOnError()
  await screen.findByRole('heading', { name: 'Your Subscribed Plan' })
  await router.navigate({ href: '/subscription/sub-0' })
  await within(screen.getByRole('main')).findByText("Subscription not found or you don't have access")
  await screen.findByText('Error loading subscription')
})

it('a visitor is asked to log in and brought back', async () => {
  const { router, at } = await openApp(server, '/about')
  for (const address of ['manage-shared', 'manage-subscribed', 'subscription'].map(
    (page) => `/${page}/${planId}`,
  )) {
    await router.navigate({ href: address })
    await screen.findByText('You need to be logged in to view this page')
    const link = within(screen.getByRole('main')).getByText('Sign In').closest('a')?.getAttribute('href')
    expect([at(), new URLSearchParams(link?.split('?')[1]).get('redirect')]).toEqual([address, address])
    // Signing up has no such parameter: the way back is kept in the tab.
    expect(within(screen.getByRole('main')).getByText('Sign Up')).toBeTruthy()
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBe(address)
  }
})
