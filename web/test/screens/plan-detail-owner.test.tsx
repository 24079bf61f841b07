// Proves PLAN 01 05-10 12 15-23, MEMB 05 09, REQ 16, DATA 04, EVT 04 05, ERR 19 20 28 29, LIMIT 23, VALID 13
import { testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { announce, type BrowserEvents, listen } from '#lib/events.ts'
import { buildChanged } from '../../../scripts/build.mjs'
import { leavePlan } from '../acting.ts'
import { announced, openApp, toasted } from '../app.tsx'
import { failNetwork, hold } from '../network.ts'
import { control, dialog, heading, region } from '../parts.ts'
import { nameOf } from '../people.ts'
import {
  claimPayment,
  join,
  loginFor,
  newPeople,
  type People,
  payThroughSite,
  sharePlan,
} from '../sharing.ts'

const server = await testServer()
await buildChanged(['supabase'])
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
})

const open = () => openApp(server, `/manage-shared/${planId}`, { as: people.olivia })
const stored = async () =>
  (await people.olivia.client.from('shared_subscriptions').select('*').eq('id', planId)).data?.[0]
/** Records the contents of these browser events until the end of the test. */
const heard = (name: keyof BrowserEvents) => {
  const events: unknown[] = []
  onTestFinished(listen(name, (detail) => events.push(detail)))
  return events
}

it('is the owner view at every address of the plan, with its login, cancelled for all once confirmed, and staying when that fails', async () => {
  await claimPayment(people.marc)
  const { router, at, user } = await open()
  for (const page of ['manage-subscribed', 'subscription', 'manage-shared']) {
    await router.navigate({ href: `/${page}/${planId}?type=joined` })
    await heading('Manage Your Shared Plan')
    expect([at().split('?')[0], document.title]).toEqual([
      `/${page}/${planId}`,
      'Manage Your Shared Plan · Potluck',
    ])
  }
  expect((await control('Back to My Subscriptions')).getAttribute('href')).toBe(
    '/my-subscriptions?tab=shared',
  )
  await screen.findByText('No pending join requests')
  const summary = await screen.findByRole('region', { name: 'Premium Subscription' })
  await waitFor(() =>
    expect(summary.textContent).toMatch(
      /NetflixStreamingPremium Subscription.*€19\.99 \/ month.*in 20 days.*Members 2\/4OM/,
    ),
  )
  const login = () => loginFor(people.marc, planId)
  const sections = screen.getAllByRole('tab')
  expect(sections.map(({ textContent }) => textContent)).toEqual(['People', 'Money', 'Access', 'Settings'])
  sections[1]?.focus()
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(at()).toBe(`/manage-shared/${planId}?type=joined&section=access`))
  expect(screen.queryByText('Members', { selector: 'h2' })).toBeNull()
  await user.click(await control('Edit account login'))
  await user.type(screen.getByLabelText('Account login'), ' family@olivia.example ')
  await user.click(screen.getByText('Save login'))
  await screen.findByText('family@olivia.example')
  await announced('Login Saved')
  expect(await login()).toBe('family@olivia.example')
  await user.click(await control('Edit account login'))
  await user.clear(screen.getByLabelText('Account login'))
  await user.click(screen.getByText('Save login'))
  await screen.findByText('Login Removed')
  expect(await login()).toBeNull()

  await user.click(await control('Settings'))
  const network = failNetwork('DELETE /shared_subscriptions')
  const deletions = heard('subscriptionDeleted')
  const cancel = async () => {
    await user.click(await screen.findByText('Cancel Subscription'))
    return (await dialog('Cancel Subscription')).getByText('Cancel subscription')
  }
  await user.click(await cancel())
  await screen.findByText('The subscription was not cancelled. Please try again.')
  expect(screen.queryByText('Subscription Cancelled')).toBeNull()
  expect(at()).toBe(`/manage-shared/${planId}?type=joined&section=settings`)
  screen.getByRole('heading', { name: 'Premium Subscription' })
  network.heal()
  const confirm = await cancel()
  screen.getByText(
    /and 1 member loses access right away\. You owe them the unused €5\.00 they paid you\. This cannot be undone\.$/,
  )
  expect(await stored()).toBeTruthy()
  expect(deletions).toEqual([])
  await user.click(confirm)
  await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=shared'))
  expect(await stored()).toBeUndefined()
  expect(deletions).toEqual([{ subscriptionId: planId }])
  expect((await people.marc.client.from('subscription_members').select('id')).data).toEqual([])
})

it('says what has changed, newest first, and by whom', async () => {
  const plan = people.olivia.client.from('shared_subscriptions')
  await plan.update({ owner_max_members: 3 }).eq('id', planId).throwOnError()
  await plan.update({ is_private: true }).eq('id', planId).throwOnError()
  await openApp(server, `/manage-shared/${planId}?section=settings`, { as: people.olivia })
  const changes = (await region('What has changed')).getAllByRole('listitem')
  expect(changes.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Private: only people with the link find it\d+ \w+ \d{4}.* · olivia\d+$/),
    expect.stringMatching(/^3 places instead of 4\d+ \w+ \d{4}.* · olivia\d+$/),
  ])
})

it('edits the slots with estimates, within what joined and what the provider allows', async () => {
  const { user } = await open()
  await screen.findByText('2/4')
  announce('openEditSubscriptionDialog', { subscriptionId: 'sub-another' })
  expect(screen.queryByRole('dialog')).toBeNull()
  announce('openEditSubscriptionDialog')
  let editor = await dialog('Edit Member Slots')
  const choose = async (slots: string) => {
    await user.clear(editor.getByLabelText('Places'))
    await user.type(editor.getByLabelText('Places'), slots)
  }
  const save = () => editor.getByText('Save places').closest('button') as HTMLElement
  const edit = async (slots: string) => {
    await user.click(screen.getByLabelText('Edit member slots'))
    editor = await dialog('Edit Member Slots')
    await choose(slots)
  }
  await choose('1')
  editor.getByText('Cannot set less than 2 members (already joined).')
  await choose('5')
  editor.getByText("Cannot exceed provider's maximum limit of 4 members.")
  expect(save()).toHaveProperty('disabled', true)
  await user.click(editor.getByLabelText('One place fewer'))
  // 19.99 / 4 = 5.00 a slot; 90 percent of that is 4.50, three times that is 13.49.
  for (const text of ['€5.00', '€4.50', '€13.49']) editor.getByText(text)
  const bar = editor.getByLabelText('Places taken')
  expect(bar.dataset.tone).toBe('blue')
  await choose('1')
  await user.click(editor.getByLabelText('One more place'))
  expect(editor.getByText('Potential earnings').nextElementSibling?.textContent).toBe('€4.50 / month')
  expect(bar.dataset.tone).toBe('red')
  editor.getByText(/what you get if one place in ten stays empty\. Your members pay you directly\.$/)
  const network = failNetwork('PATCH /shared_subscriptions')
  await user.click(save())
  await screen.findByText('Failed to update subscription. Please try again.')
  network.heal()
  await screen.findByText('2/4')
  expect(screen.queryByText('Slots Updated')).toBeNull()

  const updates = heard('subscriptionUpdated')
  await edit('3')
  await user.click(save())
  await screen.findByText('Slots Updated')
  await screen.findByText('2/3')
  expect(await stored()).toMatchObject({ owner_max_members: 3 })
  expect(updates).toEqual([{ subscriptionId: planId }])

  // Zoe joins while Olivia chooses fewer slots.
  await edit('2')
  const last = save()
  await join(people.olivia, people.zoe, planId)
  // The page may already have disabled the button, because it has received the live change that Zoe joined.
  fireEvent.click(last)
  await screen.findByText('Cannot set less than 3 members (already joined).')
  await screen.findByText('3/3 (Full)')
})

it('lists the owner first, then who joined earliest, with ways to talk and to remove', async () => {
  await claimPayment(people.marc)
  await join(people.olivia, people.zoe, planId)
  await server.db.query(
    `update public.subscription_members set joined_at = now() - interval '1 year' where user_id = $1::uuid`,
    [people.zoe.id],
  )
  const { user } = await open()
  const members = await region('Members')
  await members.findByText(people.zoe.email)
  const [olivia, ...others] = members.getAllByRole('listitem')
  expect(olivia?.textContent).toMatch(/^O.*Owner.*You/)
  expect(olivia?.querySelector('button')).toBeNull()
  expect(others.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(new RegExp(`^Z.*${people.zoe.email}`)),
    expect.stringMatching(new RegExp(`^M.*${people.marc.email}`)),
  ])
  for (const row of others) expect(row.textContent).not.toMatch(/Owner|You/)
  members.getByText('3')
  // Only members who pay through the site can use coins.
  expect(members.queryByText(/coin/)).toBeNull()
  await payThroughSite(server, planId)
  await members.findByText('You earn 1 coin for every euro of their share.')
  expect(members.queryByText(/ coins?$/)).toBeNull()
  await server.db.query(
    `select private.transfer('a share', private.ledger_account('outside'), private.ledger_account('wallet', $1), 5, 'earning')`,
    [people.olivia.id],
  )
  await members.findByText('5.00 coins')

  await user.click(members.getByLabelText(/^Chat with zoe/))
  const chat = await dialog(/^zoe\d+/)
  await chat.findByText('No messages yet. Start the conversation!')
  const { data } = await people.olivia.client.from('conversations').select('member_id, subscription_id')
  expect(data).toEqual([{ member_id: people.zoe.id, subscription_id: planId }])
  await user.click(chat.getByLabelText('Close chat'))

  const name = nameOf(people.marc)
  const remove = async () => {
    await user.click(await control(`Remove ${name}`))
    await screen.findByText(
      /right away, and your chat is archived\. You owe them the unused €5\.00 they paid you\.$/,
    )
    await user.click(await screen.findByText('Remove member'))
    await waitFor(() => expect(screen.queryByLabelText(`Remove ${name}`)).toBeNull())
  }
  const slow = hold('DELETE /subscription_members')
  await remove()
  slow.fail()
  await toasted(
    'error',
    'Failed to remove member. Please try again.',
    `Could not remove ${name}: no answer from the server`,
  )
  slow.heal()
  const updates = heard('subscriptionUpdated')
  await remove()
  await toasted('success', 'Member Removed', `${name} has been removed from the subscription.`)
  expect(updates).toEqual([{ subscriptionId: planId }])
  expect(await stored()).toMatchObject({ current_members: 2 })
  await leavePlan(planId, people.zoe)
  await waitFor(() => expect(screen.queryByLabelText(/^Remove zoe/)).toBeNull())
  await screen.findByText('1/4')
})
