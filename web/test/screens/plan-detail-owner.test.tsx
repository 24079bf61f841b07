import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'
import { ask, join, leaveHours, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = bootServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server())
  planId = await sharePlan(people.olivia)
})

const open = async (address = `/manage-shared/${planId}`) => ({
  user: userEvent.setup(),
  ...(await openApp(server(), address, { as: { email: people.olivia.email, password } })),
})
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const stored = async () => {
  const { data } = await people.olivia.client.from('shared_subscriptions').select('*').eq('id', planId)
  return data?.[0]
}

describe('the summary', () => {
  it('PLAN-01 PLAN-05 PLAN-08 PLAN-09 shows the plan at a glance, whatever the address says', async () => {
    await open(`/subscription/${planId}?type=joined`)
    await screen.findByRole('heading', { level: 1, name: 'Manage Your Shared Plan' })
    expect(document.title).toBe('Manage Your Shared Plan · Potluck')
    const summary = await region('Premium Subscription')
    for (const text of ['Netflix', 'Streaming', '€19.99', '1/4']) expect(summary.getByText(text)).toBeTruthy()
    const back = screen.getByRole('link', { name: 'Back to My Subscriptions' })
    expect(back.getAttribute('href')).toBe('/my-subscriptions?tab=shared')
  })

  it('PLAN-10 PLAN-20 PLAN-21 VALID-13 ERR-28 edits the slots with estimates and refuses too many', async () => {
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit member slots' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Member Slots' }))
    const slots = dialog.getByLabelText('Member slots')
    await user.clear(slots)
    await user.type(slots, '7')
    expect(dialog.getByText("Cannot exceed provider's maximum limit of 6 members.")).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Save slots' })).toHaveProperty('disabled', true)
    await user.click(dialog.getByRole('button', { name: 'One slot less' }))
    // 19.99 / 6 = 3.33 a slot, 90 percent of it 3.00, and that for five others.
    for (const text of ['€3.33', '€3.00', '€14.99']) expect(dialog.getByText(text)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Save slots' }))
    await screen.findByText('Slots Updated')
    await screen.findByText('1/6')
    expect(await stored()).toMatchObject({ owner_max_members: 6 })
  })

  it('VALID-13 keeps a slot for everyone who joined', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Edit member slots' }))
    const slots = await screen.findByLabelText('Member slots')
    await user.clear(slots)
    await user.type(slots, '1')
    await screen.findByText('Cannot set less than 2 members (already joined).')
  })

  it('ERR-28 puts the slots back when somebody joined meanwhile', async () => {
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

  it('MEMB-05 tells, changes and takes back the account login', async () => {
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
  it('REQ-15 REQ-16 REQ-18 REQ-23 arrive live and become members without a reload', async () => {
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

  it('REQ-19 rejects without adding anybody', async () => {
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

  it('REQ-24 keeps answered requests apart from waiting ones', async () => {
    await join(people.olivia, people.marc, planId)
    await ask(people.zoe, planId)
    const { user } = await open()
    const requests = await region('Join Requests')
    await user.click(await requests.findByRole('button', { name: 'Earlier requests (1)' }))
    expect(await requests.findByText('approved')).toBeTruthy()
    expect(requests.getAllByRole('button', { name: /^Approve/ })).toHaveLength(1)
  })

  it('REQ-18 ERR-32 brings the request back when the plan is full', async () => {
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
  ])('REQ-12 REQ-14 with %i hours left reads "%s" in %s', async (hours, text, tone) => {
    await leaveHours(server(), await ask(people.marc, planId), hours)
    await open()
    const badge = await screen.findByText(text)
    expect(badge.closest('[data-tone]')?.getAttribute('data-tone')).toBe(tone)
  })

  it('ERR-31 asks for patience between two refreshes', async () => {
    const { user } = await open()
    await screen.findByText('No pending join requests')
    await user.click(screen.getByRole('button', { name: 'Refresh join requests' }))
    await screen.findByText(/^Please wait \d seconds before refreshing\.$/)
  })
})

describe('members', () => {
  it('PLAN-12 PLAN-16 PLAN-18 lists the owner first, marked as owner and as oneself', async () => {
    await join(people.olivia, people.marc, planId)
    await open()
    const rows = await waitFor(async () => {
      const found = (await region('Members')).getAllByRole('listitem')
      expect(found).toHaveLength(2)
      return found
    })
    const [owner, member] = rows.map((row) => within(row))
    expect(owner?.getByText('Owner')).toBeTruthy()
    expect(owner?.getByText('You')).toBeTruthy()
    expect(owner?.queryByRole('button')).toBeNull()
    expect(member?.getByRole('button', { name: /^Chat with marc/ })).toBeTruthy()
    expect(member?.getByRole('button', { name: /^Remove marc/ })).toBeTruthy()
  })

  it('PLAN-19 ERR-19 MEMB-09 removes a member after asking', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: /^Remove marc/ }))
    await user.click(await screen.findByRole('button', { name: 'Remove member' }))
    await screen.findByText(/has been removed from the subscription\.$/)
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Remove marc/ })).toBeNull())
    expect(await stored()).toMatchObject({ current_members: 1 })
  })

  it('PLAN-19 shows live that a member has left', async () => {
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
  it('PLAN-06 PLAN-07 deletes nothing before it is confirmed, then everything', async () => {
    await join(people.olivia, people.marc, planId)
    const { user, at } = await open()
    await user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel Subscription' }))
    expect(await stored()).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Yes, cancel it' }))
    await waitFor(() => expect(at()).toBe('/my-subscriptions?tab=shared'))
    expect(await stored()).toBeUndefined()
    const { data } = await people.marc.client
      .from('subscription_members')
      .select('id')
      .eq('subscription_id', planId)
    expect(data).toEqual([])
  })
})
