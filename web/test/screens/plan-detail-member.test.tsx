// Proves ROLE 11, MYSUB 13, PLAN 01-04 23, MEMB 01-06 08 09, DATA 04, EVT 09, ERR 21 23, LIMIT 23
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { listen } from '#lib/events.ts'
import { buildChanged } from '../../../scripts/build.mjs'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { answer } from '../acting.ts'
import { listening, openApp } from '../app.tsx'
import { hang, refuse } from '../network.ts'
import { control, dialog, heading, region } from '../parts.ts'
import { ask, join, letIn, newPeople, type People, saveLogin, sharePlan } from '../sharing.ts'

const server = await testServer()
await buildChanged(['supabase'])
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const pages = ['manage-shared', 'subscription', 'manage-subscribed'].map((page) => () => `/${page}/${planId}`)
const open = (who: keyof People, address = `/manage-subscribed/${planId}`) =>
  openApp(server, address, { as: people[who] })

it('leads back, while it loads, to the list it stands in as far as this browser or the address knows', async () => {
  hang('GET /rest/v1/shared_subscriptions?')
  const { router } = await open('marc', '/about')
  const leadsBack = async (address: string, list: string) => {
    await router.navigate({ href: address })
    await waitFor(async () =>
      expect((await control('Back to My Subscriptions')).getAttribute('href')).toBe(
        `/my-subscriptions${list}`,
      ),
    )
  }
  await leadsBack(`/subscription/${planId}`, '')
  await leadsBack(`/manage-shared/${planId}`, '?tab=shared')
  await leadsBack(`/manage-subscribed/${planId}`, '?tab=subscribed')
  const known = JSON.stringify({ id: planId, name: 'Premium', provider: 'Netflix' })
  window.localStorage.setItem(`subscription-${planId}`, known)
  await leadsBack(`/manage-shared/${planId}`, '?tab=subscribed')
})

it('a member reads cost, dates, login and owner at every address, nothing that is the owner’s own, and leaves after asking', async () => {
  await join(people.olivia, people.marc, planId)
  await letIn(server)
  await ask(people.zoe, planId, 'May I?')
  await moveCoins(server.db, people.marc, 'earned', 7, 'A gift')
  const { user, router, at } = await open('marc')
  for (const page of pages) {
    await router.navigate({ href: `${page()}?type=shared` })
    await heading('Your Subscribed Plan')
    expect([at().split('?')[0], document.title]).toEqual([page(), 'Your Subscribed Plan · Potluck'])
  }
  expect(window.localStorage.getItem(`subscription-${planId}`)).toContain('"Premium"')
  const plan = await screen.findByRole('region', { name: 'Your Subscribed Plan' })
  expect(plan.textContent).toMatch(
    /Netflix Premium.*Monthly cost€5\.00Paid to the owner, no fee.*in 20 days.*€19\.99 \/ month/,
  )
  const owner = await region('Plan Owner')
  await owner.findByText(/^olivia\d+$/)
  owner.getByText('Owner')
  expect(owner.queryByText('You')).toBeNull()
  for (const name of [/Approve/, /Reject/, /Add Member/, /Remove/, /Edit/, /Cancel Subscription/])
    expect(screen.queryByRole('button', { name })).toBeNull()
  for (const text of ['Join Requests', 'Members', '7.00 coins', 'May I?'])
    expect(screen.queryByText(text)).toBeNull()

  const access = await screen.findByRole('region', { name: 'Access' })
  await within(access).findByText('Not shared yet')
  // With Netflix, each member signs in with an account of their own, so the page mentions no password.
  await within(access).findByText('Contact the plan owner for an invitation.')
  expect(access.textContent).toContain('Account email / usernameNot shared yet')
  await listening(`vault-${planId}`)
  await saveLogin(people.olivia, planId, 'family@olivia.example')
  await within(access).findByText('family@olivia.example')
  await saveLogin(people.olivia, planId, '')
  await within(access).findByText('Not shared yet')

  await user.click(owner.getByLabelText(/^Chat with olivia/))
  const chat = await dialog(/^olivia\d+/)
  await chat.findByText('No messages yet. Start the conversation!')
  await user.click(chat.getByLabelText('Close chat'))
  await user.click(screen.getByText('Back to My Subscriptions'))
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=subscribed'))

  // The page asks before a member leaves, and the server may refuse.
  await router.navigate({ href: `/manage-subscribed/${planId}` })
  const leavings: unknown[] = []
  onTestFinished(listen('subscriptionMemberLeft', (detail) => leavings.push(detail)))
  const leave = async () => {
    await user.click(await control('Leave'))
    await user.click(await screen.findByLabelText('Now'))
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
  const left = await people.olivia.client
    .from('shared_subscriptions')
    .select('current_members')
    .eq('id', planId)
  expect(left.data).toEqual([{ current_members: 1 }])
})

it('a member reads what a suspension of the owner means, and an owner what that of a member does', async () => {
  await join(people.olivia, people.marc, planId)
  await letIn(server)
  const suspend = async (id: string | undefined, until: string | null) => {
    await server.db.query('update auth.users set banned_until = now() + $2::interval where id = $1', [
      id ?? '',
      until,
    ])
    await server.db.query('select private.run_due_work()')
  }
  await suspend(people.olivia.id, '10 years')
  const { router } = await open('marc')
  const place = within(await screen.findByRole('region', { name: 'Your place' }))
  await place.findByText(/^olivia\d+ is suspended$/)
  place.getByText(
    /^Nothing is charged\. If the suspension isn’t lifted by .*, your place ends, and olivia\d+ owes you/,
  )
  place.getByText('Paused')
  await suspend(people.olivia.id, null)
  await router.navigate({ href: '/about' })

  await suspend(people.marc.id, '24 hours')
  await open('olivia', `/manage-shared/${planId}?section=money`)
  await screen.findByText(/^Paused until .*\. Nothing is charged until then\./)
  screen.getByText('Paused')
})

it('everybody else may ask for a place, sees no more than that, and learns of an unknown plan that it is', async () => {
  const { router, user } = await open('zoe')
  const place = await screen.findByRole('region', { name: 'Price and places' })
  expect(place.textContent).toMatch(/€5\.00 a month, all in.*No fee\..*3 of 4 places open/)
  const main = within(screen.getByRole('main'))
  main.getByRole('heading', { name: /^olivia\d+$/ })
  expect(main.queryByText('Members')).toBeNull()
  await user.click(await control(/^Request to join Netflix Premium/))
  await user.click(await screen.findByText(/^Ask to join; pay olivia\d+ €5\.00 a month$/))
  await dialog('Subscription Request Sent')
  await waitFor(() => expect(main.getByText('Request sent').closest('button')?.disabled).toBe(true))
  const { data: asked } = await people.zoe.client.from('subscription_requests').select('id').single()
  await answer(people.olivia, 'approve', planId, asked?.id)
  await screen.findByRole('heading', { name: 'Your Subscribed Plan' })
  await router.navigate({ href: '/subscription/sub-0' })
  await main.findByText("Subscription not found or you don't have access")
  await screen.findByText('Error loading subscription')
})

it('a visitor is asked to log in and brought back', async () => {
  const { router, at } = await openApp(server, '/about')
  for (const page of pages) {
    await router.navigate({ href: page() })
    await screen.findByText('You need to be logged in to view this page')
    const main = within(screen.getByRole('main'))
    const link = main.getByText('Sign In').closest('a')?.getAttribute('href')
    expect([at(), new URLSearchParams(link?.split('?')[1]).get('redirect')]).toEqual([page(), page()])
    // The sign-up link has no such parameter: the way back is in session storage.
    main.getByText('Sign Up')
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBe(page())
  }
})
