import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { announce } from '#lib/events.ts'
import { openApp } from '../app.tsx'
import { failNetwork, hold, refuse } from '../network.ts'
import { ask, join, leaveHours, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const open = async (address = `/manage-shared/${planId}`) => ({
  ...(await openApp(server, address, { as: { email: people.olivia.email, password } })),
})
const region = async (name: string) => within(await screen.findByRole('region', { name }))
/** Prices of another currency come from old data only; nobody can store one now. */
const storeOldCurrency = async (id: string, currency: string) => {
  const { db } = server
  await db.query(
    'alter table public.shared_subscriptions drop constraint if exists shared_subscriptions_currency_check',
  )
  await db.query('update public.shared_subscriptions set currency = $2 where id = $1', [id, currency])
}
const stored = async () => {
  const { data } = await people.olivia.client.from('shared_subscriptions').select('*').eq('id', planId)
  return data?.[0]
}

const heard = (name: string) => {
  const events: unknown[] = []
  window.addEventListener(name, (event) => events.push((event as CustomEvent).detail))
  return events
}
const toastOf = (text: HTMLElement) => text.closest<HTMLElement>('[role="alert"], [role="status"]') ?? text
const tone = (bar: HTMLElement) => [bar.dataset.tone, bar.style.getPropertyValue('--progress-section-color')]

describe('the summary', () => {
  it('is the owner view at every address of the plan', async () => {
    const { router } = await open()
    for (const address of [
      `/manage-shared/${planId}`,
      `/manage-subscribed/${planId}`,
      `/subscription/${planId}`,
      `/subscription/${planId}?type=shared`,
      `/subscription/${planId}?type=subscribed`,
      `/subscription/${planId}?type=joined`,
    ]) {
      await router.navigate({ href: address })
      await screen.findByRole('heading', { level: 1, name: 'Manage Your Shared Plan' })
      expect(router.state.location.href).toBe(address)
      expect(document.title).toBe('Manage Your Shared Plan · Potluck')
      await screen.findByRole('heading', { name: 'Premium Subscription' })
      const back = screen.getByRole('link', { name: 'Back to My Subscriptions' })
      expect(back.getAttribute('href')).toBe('/my-subscriptions?tab=shared')
    }
  })

  it('shows provider, plan, category, price, next payment and places', async () => {
    await open()
    const summary = await region('Premium Subscription')
    for (const text of ['Netflix', 'Streaming', 'in 20 days', '1/4'])
      expect(summary.getByText(text)).toBeTruthy()
    expect(summary.getByText('€19.99').textContent).toBe('€19.99 / month')
    // A plan without a date comes from old data only; nobody can store one now.
    const { db } = server
    await db.query('alter table public.shared_subscriptions disable trigger guard')
    await db.query(
      'update public.shared_subscriptions set next_payment = null, owner_max_members = 2 where id = $1',
      [planId],
    )
    await db.query('alter table public.shared_subscriptions enable trigger guard')
    await join(people.olivia, people.marc, planId)
    await summary.findByText('Not scheduled')
    await summary.findByText('2/2 (Full)')
  })

  it('gives the price of a yearly plan per year, in the currency it is stored in', async () => {
    const yearly = await sharePlan(people.olivia, 4, 'nordvpn-standard-2-year')
    await storeOldCurrency(yearly, 'GBP')
    await open(`/manage-shared/${yearly}`)
    const summary = await region('Standard (2 years) Subscription')
    expect((await summary.findByText('£35.88')).textContent).toBe('£35.88 / year')
    await storeOldCurrency(yearly, 'EUR')
  })

  it('has a bar in green, blue, amber and red, on the card and while slots are chosen', async () => {
    await join(people.olivia, people.marc, planId)
    await join(people.olivia, people.zoe, planId)
    const { user } = await open()
    const summary = await region('Premium Subscription')
    await summary.findByText('3/4')
    const bar = (name: string, of = summary) => tone(of.getByRole('progressbar', { name }))
    expect(bar('Places taken')).toEqual(['amber', 'var(--mantine-color-honey-filled)'])
    await user.click(screen.getByRole('button', { name: 'Edit member slots' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Member Slots' }))
    const slots = dialog.getByLabelText('Member slots')
    for (const [chosen, expected] of [
      ['6', ['blue', 'var(--mantine-color-blue-filled)']],
      ['3', ['red', 'var(--mantine-color-beet-filled)']],
      ['7', ['green', 'var(--mantine-color-herb-filled)']],
    ] as const) {
      await user.clear(slots)
      await user.type(slots, chosen)
      expect(bar('Places taken', dialog)).toEqual(expected)
    }
  })

  it('has everything that is for the owner alone', async () => {
    await join(people.olivia, people.marc, planId)
    await ask(people.zoe, planId, 'May I?')
    await server.db.query(`select private.move_coins($1::uuid, 'earned', 7, 'A gift')`, [people.olivia.id])
    await open()
    const requests = await region('Join Requests')
    await requests.findByText('May I?')
    expect(requests.getByText('1')).toBeTruthy()
    for (const name of [/^Approve zoe/, /^Reject zoe/])
      expect(requests.getByRole('button', { name })).toBeTruthy()
    const members = await region('Members')
    await members.findByText('7.00 coins')
    for (const name of [/^Add Member/, /^Remove marc/])
      expect(await members.findByRole('button', { name })).toBeTruthy()
    for (const name of ['Edit member slots', 'Cancel Subscription'])
      expect(screen.getByRole('button', { name })).toBeTruthy()
  })

  it('opens the slot editor when another part asks for it, for this plan only', async () => {
    await open()
    await region('Premium Subscription')
    announce('openEditSubscriptionDialog', { subscriptionId: 'sub-another' })
    expect(screen.queryByRole('dialog')).toBeNull()
    announce('openEditSubscriptionDialog', { subscriptionId: planId })
    await screen.findByRole('dialog', { name: 'Edit Member Slots' })
  })

  it('shows four of the people at a glance and how many more there are', async () => {
    const family = await sharePlan(people.olivia, 6, 'spotify-premium-family')
    const more = await newPeople(server)
    for (const person of [people.marc, people.zoe, more.olivia, more.marc, more.zoe])
      await join(people.olivia, person, family)
    await open(`/manage-shared/${family}`)
    const summary = await region('Premium Family Subscription')
    await summary.findByText('+2')
    expect(summary.getAllByText(/^[A-Z]{1,2}$/)).toHaveLength(4)
  })

  it('edits the slots with estimates and refuses too many', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit member slots' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Member Slots' }))
    const slots = dialog.getByLabelText('Member slots')
    await user.clear(slots)
    await user.type(slots, '5')
    expect(dialog.getByText("Cannot exceed provider's maximum limit of 4 members.")).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Save slots' })).toHaveProperty('disabled', true)
    await user.click(dialog.getByRole('button', { name: 'One slot less' }))
    // 19.99 / 4 = 5.00 a slot, 90 percent of it 4.50, and that for three others.
    for (const text of ['€5.00', '€4.50', '€13.49']) expect(dialog.getByText(text)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'One slot less' }))
    expect(dialog.getByText('Potential earnings').nextElementSibling?.textContent).toBe('€9.00 / month')
    await user.click(dialog.getByRole('button', { name: 'One slot more' }))
    await user.click(dialog.getByRole('button', { name: 'One slot less' }))
    expect(dialog.getByText(/^Estimates, with every slot taken\./)).toBeTruthy()
    const updates = heard('subscriptionUpdated')
    await user.click(dialog.getByRole('button', { name: 'Save slots' }))
    await screen.findByText('Slots Updated')
    await screen.findByText('1/3')
    expect(await stored()).toMatchObject({ owner_max_members: 3 })
    expect(updates).toEqual([{ subscriptionId: planId }])
  })

  it('keeps a slot for everyone who joined', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit member slots' }))
    const slots = await screen.findByLabelText('Member slots')
    await user.clear(slots)
    await user.type(slots, '1')
    await screen.findByText('Cannot set less than 2 members (already joined).')
  })

  it('puts the slots back when somebody joined meanwhile', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit member slots' }))
    const slots = await screen.findByLabelText('Member slots')
    await user.clear(slots)
    await user.type(slots, '2')
    const save = screen.getByRole('button', { name: 'Save slots' })
    await join(people.olivia, people.marc, planId)
    await join(people.olivia, people.zoe, planId)
    await user.click(save)
    await screen.findByText('Cannot set less than 3 members (already joined).')
    await screen.findByText('3/4')
  })

  it('brings the slots back when the server cannot be reached', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit member slots' }))
    const slots = await screen.findByLabelText('Member slots')
    await user.clear(slots)
    await user.type(slots, '3')
    const network = failNetwork('PATCH /shared_subscriptions')
    await user.click(screen.getByRole('button', { name: 'Save slots' }))
    await screen.findByText('Failed to update subscription. Please try again.')
    network.heal()
    await screen.findByText('1/4')
    expect(screen.queryByText('Slots Updated')).toBeNull()
    expect(await stored()).toMatchObject({ owner_max_members: 4 })
  })

  it('tells, changes and takes back the account login', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit account login' }))
    await user.type(screen.getByLabelText('Account login'), ' family@olivia.example ')
    await user.click(screen.getByRole('button', { name: 'Save login' }))
    await screen.findByText('family@olivia.example')
    await screen.findByText('Login Saved')
    const login = () =>
      people.olivia.client.from('subscription_logins').select('login_name').eq('subscription_id', planId)
    expect((await login()).data).toEqual([{ login_name: 'family@olivia.example' }])
    await user.click(screen.getByRole('button', { name: 'Edit account login' }))
    await user.clear(screen.getByLabelText('Account login'))
    await user.click(screen.getByRole('button', { name: 'Save login' }))
    await screen.findByText('Login Removed')
    expect((await login()).data).toEqual([])
  })
})

describe('join requests', () => {
  it('arrive live and become members without a reload', async () => {
    const { user } = await open()
    const requests = await region('Join Requests')
    await requests.findByText('No pending join requests')
    await ask(people.marc, planId, 'May I?')
    await requests.findByText('May I?')
    expect(requests.getByText(people.marc.email)).toBeTruthy()
    expect(requests.getByText('48h remaining')).toBeTruthy()
    await user.click(requests.getByRole('button', { name: /^Approve marc/ }))
    await requests.findByText('All requests have been processed')
    const members = await region('Members')
    await members.findByText(people.marc.email)
    await screen.findByText('2/4')
  })

  it('rejects without adding anybody', async () => {
    const requestId = await ask(people.marc, planId)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: /^Reject marc/ }))
    await screen.findByText('All requests have been processed')
    await waitFor(async () => {
      const { data } = await people.olivia.client
        .from('subscription_requests')
        .select('status')
        .eq('id', requestId)
      expect(data).toEqual([{ status: 'rejected' }])
    })
    expect(await stored()).toMatchObject({ current_members: 1 })
  })

  it('keeps answered requests apart from waiting ones', async () => {
    await join(people.olivia, people.marc, planId)
    await ask(people.zoe, planId)
    const { user } = await open()
    const requests = await region('Join Requests')
    await user.click(await requests.findByRole('button', { name: 'Earlier requests (1)' }))
    expect(await requests.findByText('approved')).toBeTruthy()
    expect(requests.getAllByRole('button', { name: /^Approve/ })).toHaveLength(1)
  })

  it('brings the request back when the plan is full', async () => {
    await people.olivia.client
      .from('shared_subscriptions')
      .update({ owner_max_members: 2 })
      .eq('id', planId)
      .throwOnError()
    await ask(people.zoe, planId)
    await join(people.olivia, people.marc, planId)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: /^Approve zoe/ }))
    await screen.findByText('Failed to approve request')
    expect(await screen.findByRole('button', { name: /^Approve zoe/ })).toBeTruthy()
  })

  it.each([
    [13, '13h remaining', 'amber'],
    [12, 'Expiring soon: 12h left', 'orange'],
    [6, 'Expiring in 6h', 'red'],
  ])('with %i hours left reads "%s" in %s', async (hours, text, tone) => {
    await leaveHours(server, await ask(people.marc, planId), hours)
    await open()
    const badge = await screen.findByText(text)
    expect(badge.closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone)
  })

  it('asks for patience between two refreshes', async () => {
    const { user } = await open()
    await screen.findByText('No pending join requests')
    await user.click(screen.getByRole('button', { name: 'Refresh join requests' }))
    await screen.findByText(/^Please wait \d seconds before refreshing\.$/)
  })
})

describe('members', () => {
  it('lists the owner first, then who joined earliest, with a way to talk', async () => {
    await join(people.olivia, people.marc, planId)
    await join(people.olivia, people.zoe, planId)
    await server.db.query(
      `update public.subscription_members set joined_at = now() - interval '1 year' where user_id = $1::uuid`,
      [people.zoe.id],
    )
    const { user } = await open()
    const rows = await waitFor(async () => {
      const found = (await region('Members')).getAllByRole('listitem')
      expect(found).toHaveLength(3)
      return found
    })
    const [olivia, zoe, marc] = rows.map((row) => within(row))
    expect((await region('Members')).getByText('3')).toBeTruthy()
    expect(olivia?.getByText('Owner')).toBeTruthy()
    expect(olivia?.getByText('You')).toBeTruthy()
    expect(olivia?.queryByRole('button')).toBeNull()
    for (const [row, person, letter] of [
      [zoe, people.zoe, 'Z'],
      [marc, people.marc, 'M'],
    ] as const) {
      expect(row?.getByText(person.email)).toBeTruthy()
      expect(row?.getByText(letter)).toBeTruthy()
      expect(row?.queryByText('Owner')).toBeNull()
      expect(row?.queryByText('You')).toBeNull()
      expect(row?.getByRole('button', { name: /^Remove / })).toBeTruthy()
    }
    await user.click(await screen.findByRole('button', { name: /^Chat with zoe/ }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^zoe\d+$/)).toBeTruthy()
    await dialog.findByText('No messages yet. Start the conversation!')
    const { data } = await people.olivia.client.from('conversations').select('member_id, subscription_id')
    expect(data).toEqual([{ member_id: people.zoe.id, subscription_id: planId }])
  })

  it('shows the coins once there are some, live, and always how they are earned', async () => {
    await join(people.olivia, people.marc, planId)
    await open()
    const members = await region('Members')
    expect(members.getByText('You earn 1 coin for every euro your members pay.')).toBeTruthy()
    await members.findByText(people.marc.email)
    expect(members.queryByText(/ coins?$/)).toBeNull()
    await server.db.query(`select private.record_member_payment($1, $2::uuid, current_date)`, [
      planId,
      people.marc.id,
    ])
    await members.findByText('5.00 coins')
  })

  it('removes a member after asking', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: /^Remove marc/ }))
    const updates = heard('subscriptionUpdated')
    await user.click(await screen.findByRole('button', { name: 'Remove member' }))
    const said = await screen.findByText(/^marc\d+ has been removed from the subscription\.$/)
    expect(within(toastOf(said)).getByText('Member Removed')).toBeTruthy()
    expect(updates).toEqual([{ subscriptionId: planId }])
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Remove marc/ })).toBeNull())
    expect(await stored()).toMatchObject({ current_members: 1 })
  })

  it('takes the row away at once and brings it back when the removal fails', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await open()
    const remove = async () => {
      await user.click(await screen.findByRole('button', { name: /^Remove marc/ }))
      await user.click(await screen.findByRole('button', { name: 'Remove member' }))
    }
    const slow = hold('DELETE /subscription_members')
    await remove()
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Remove marc/ })).toBeNull())
    slow.fail()
    const failed = within(toastOf(await screen.findByText('Failed to remove member. Please try again.')))
    expect(failed.getByText(/^Could not remove marc\d+: no answer from the server$/)).toBeTruthy()
    slow.heal()
    refuse('DELETE /subscription_members', 'XX000', 'the disk is full', 500)
    await remove()
    await screen.findByText('Failed to remove member: the disk is full')
    await screen.findByRole('button', { name: /^Remove marc/ })
    expect(screen.queryByText('Member Removed')).toBeNull()
  })

  it('shows live that a member has left', async () => {
    await join(people.olivia, people.marc, planId)
    await open()
    await screen.findByRole('button', { name: /^Remove marc/ })
    await people.marc.client
      .from('subscription_members')
      .delete()
      .eq('subscription_id', planId)
      .eq('user_id', people.marc.id)
      .throwOnError()
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Remove marc/ })).toBeNull(), {
      timeout: 8000,
    })
    await screen.findByText('1/4')
  })
})

describe('cancelling', () => {
  it('deletes nothing before it is confirmed, then everything', async () => {
    await join(people.olivia, people.marc, planId)
    const { user, at } = await open()
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Subscription' }))
    expect(await stored()).toBeTruthy()
    const deletions = heard('subscriptionDeleted')
    await user.click(dialog.getByRole('button', { name: 'Yes, cancel it' }))
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=shared'))
    expect(await stored()).toBeUndefined()
    expect(deletions).toEqual([{ subscriptionId: planId }])
    const { data } = await people.marc.client
      .from('subscription_members')
      .select('id')
      .eq('subscription_id', planId)
    expect(data).toEqual([])
  })

  it('stays where it is, with the plan, when the cancellation fails', async () => {
    const { user, at } = await open()
    const network = failNetwork('DELETE /shared_subscriptions')
    const deletions = heard('subscriptionDeleted')
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }))
    await user.click(await screen.findByRole('button', { name: 'Yes, cancel it' }))
    await screen.findByText('The subscription was not cancelled. Please try again.')
    expect(screen.queryByText('Subscription Cancelled')).toBeNull()
    expect(at()).toBe(`/manage-shared/${planId}`)
    expect(screen.getByRole('heading', { name: 'Premium Subscription' })).toBeTruthy()
    network.heal()
    expect(await stored()).toBeTruthy()
    expect(deletions).toEqual([])
  })

  it('tells the owner in another window, where the chat was open', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: /^Chat with marc/ }))
    await screen.findByText('No messages yet. Start the conversation!')
    await people.olivia.client.from('shared_subscriptions').delete().eq('id', planId).throwOnError()
    await screen.findByText('Netflix Premium is no longer shared')
    expect(
      screen.getByText('Its owner has cancelled it for everyone. The chats about it are closed.'),
    ).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByText('Error loading subscription')).toBeNull()
  })
})
