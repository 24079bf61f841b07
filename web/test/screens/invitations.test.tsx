import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { announce } from '#lib/events.ts'
import { openApp } from '../app.tsx'
import { join, newPeople, type People, password, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeAll(async () => {
  // A mail server that does not take everything.
  await server.db.query(
    `alter table platform.captured_mail add constraint not_there check (recipient not like 'refused@%')`,
  )
})
beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const openAs = async (person: { email: string }, address: string) => ({
  ...(await openApp(server, address, { as: { email: person.email, password } })),
})
const openPlan = () => openAs(people.olivia, `/manage-shared/${planId}`)
const addMember = (name = 'Add Member') => screen.findByRole('button', { name })
const inviteDialog = () => screen.findByRole('dialog', { name: 'Invite Member' })
const stored = async () => {
  const { data } = await people.olivia.client
    .from('subscription_invitations')
    .select('email, mail_status, accepted_at, declined_at, withdrawn_at')
    .eq('subscription_id', planId)
    .throwOnError()
  return data
}
const members = async () => {
  const { data } = await people.olivia.client
    .from('subscription_members')
    .select('user_id')
    .eq('subscription_id', planId)
    .throwOnError()
  return data.map(({ user_id }) => user_id)
}
/** Invites over the wire and gives the path of the link that was mailed. */
async function invite(email: string): Promise<string> {
  const args = { p_subscription_id: planId, p_email: email }
  await people.olivia.client.rpc('invite_member', args).throwOnError()
  return waitFor(async () => {
    const mail = (await server.outbox()).find(({ to, subject }) => to === email && /invites/.test(subject))
    const link = /http\S+(\/invitation\/[0-9a-f]+)/.exec(mail?.text ?? '')
    expect(link?.[0]).toContain(server.url)
    return link?.[1] ?? ''
  })
}

describe('inviting', () => {
  it('mails a link, keeps the place, and says so once the mail has gone', async () => {
    const { user } = await openPlan()
    await user.click(await addMember())
    const dialog = within(await inviteDialog())
    const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
    expect(dialog.getAllByRole('textbox')).toHaveLength(1)
    expect([field.type, field.required]).toEqual(['email', true])
    const send = dialog.getByRole<HTMLButtonElement>('button', { name: 'Send Invitation' })
    expect(send.disabled).toBe(true)
    await user.type(field, '   ')
    expect(send.disabled).toBe(true)

    await user.type(field, 'nina')
    await user.click(send)
    expect(field.validity.typeMismatch).toBe(true)
    expect(await stored()).toEqual([])

    await user.type(field, '@example.com')
    await user.click(send)
    const sending = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Sending...' })
    expect(sending.disabled).toBe(true)
    expect(screen.queryByText('Invitation Sent')).toBeNull()
    await screen.findByText('Invitation Sent')
    expect(await stored()).toMatchObject([{ email: 'nina@example.com', mail_status: 'sent' }])
    expect((await server.outbox()).map(({ to }) => to)).toContain('nina@example.com')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

    const invited = within(await screen.findByRole('region', { name: 'Invited' }))
    expect(invited.getByText('nina@example.com')).toBeTruthy()
    expect(invited.getByText('in 7 days')).toBeTruthy()
  })

  it('says that it failed when the mail was not taken, and keeps nothing', async () => {
    const { user } = await openPlan()
    await user.click(await addMember())
    await user.type(await screen.findByLabelText('Email'), 'refused@example.com')
    await user.click(screen.getByRole('button', { name: 'Send Invitation' }))
    await screen.findByText('Failed to send invitation. Please try again.')
    expect(screen.queryByText('Invitation Sent')).toBeNull()
    expect(await stored()).toMatchObject([{ withdrawn_at: expect.any(String) }])
    expect(await inviteDialog()).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Invited' })).toBeNull()
  })

  it('says why when a rule refuses', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await openPlan()
    await user.click(await addMember())
    await user.type(await screen.findByLabelText('Email'), people.marc.email)
    await user.click(screen.getByRole('button', { name: 'Send Invitation' }))
    const toast = await screen.findByRole('alert')
    expect(within(toast).getByText('Failed to send invitation. Please try again.')).toBeTruthy()
    expect(within(toast).getByText('Already a Member')).toBeTruthy()
  })

  it('is over when every place is taken or kept, until one is given back', async () => {
    await people.olivia.client
      .from('shared_subscriptions')
      .update({ owner_max_members: 3 })
      .eq('id', planId)
      .throwOnError()
    await join(people.olivia, people.marc, planId)
    await invite('nina@example.com')
    const { user } = await openPlan()
    expect(await addMember('Add Member (Max Reached)')).toHaveProperty('disabled', true)
    await user.click(
      await screen.findByRole('button', { name: 'Withdraw the invitation of nina@example.com' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Withdraw invitation' }))
    await screen.findByText('Invitation Withdrawn')
    expect(await addMember()).toHaveProperty('disabled', false)
    expect(screen.queryByRole('region', { name: 'Invited' })).toBeNull()

    await join(people.olivia, people.zoe, planId)
    expect(await addMember('Add Member (Max Reached)')).toHaveProperty('disabled', true)
  })

  it('opens the two dialogs of the plan that is named, and of no other', async () => {
    await openPlan()
    await addMember()
    act(() => announce('openAddMemberDialog', { subscriptionId: 'sub-other' }))
    act(() => announce('openEditSubscriptionDialog', { subscriptionId: 'sub-other' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => announce('openAddMemberDialog', { subscriptionId: planId }))
    await userEvent.click(within(await inviteDialog()).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    act(() => announce('openEditSubscriptionDialog', { subscriptionId: planId }))
    expect(await screen.findByRole('dialog', { name: 'Edit Member Slots' })).toBeTruthy()
  })
})

describe('being invited', () => {
  it('shows the plan with its price, and accepting makes a member', async () => {
    const link = await invite(people.marc.email)
    const { user, at } = await openAs(people.marc, link)
    expect(await screen.findByRole('heading', { level: 1, name: 'There is a place for you' })).toBeTruthy()
    const plan = within(screen.getByRole('region', { name: 'Netflix Premium' }))
    for (const text of ['€5.50', '/ month', 'in 7 days']) expect(plan.getByText(text)).toBeTruthy()
    await user.click(plan.getByRole('button', { name: 'Accept' }))
    await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}`))
    expect(await screen.findByRole('heading', { level: 1, name: 'Your Subscribed Plan' })).toBeTruthy()
    expect(await members()).toContain(people.marc.id)
    const { data: told } = await people.olivia.client.from('user_notifications').select('title')
    expect(told?.map(({ title }) => title)).toContain('Invitation Accepted')
  })

  it('declining gives the place back, which the owner sees live', async () => {
    const link = await invite(people.marc.email)
    await openPlan()
    await screen.findByRole('region', { name: 'Invited' })
    await people.marc.client
      .rpc('decline_invitation', { p_token: link.split('/').at(-1) ?? '' })
      .throwOnError()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Invited' })).toBeNull())
    expect(await stored()).toMatchObject([{ declined_at: expect.any(String) }])
  })

  it('says so when there is nothing to decide any more', async () => {
    const link = await invite(people.marc.email)
    const { user, router } = await openAs(people.marc, link)
    await user.click(await screen.findByRole('button', { name: 'Decline' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Invitation declined' })).toBeTruthy()
    expect(await members()).toEqual([people.olivia.id])
    await router.navigate({ to: '/invitation/$token', params: { token: '0'.repeat(64) } })
    expect(await screen.findByRole('heading', { level: 1, name: 'Invitation not found' })).toBeTruthy()
  })

  it('is for the invited address, and offers the way to another account', async () => {
    const link = await invite(people.marc.email)
    const { user } = await openAs(people.zoe, link)
    expect(
      await screen.findByRole('heading', { level: 1, name: 'This invitation is for somebody else' }),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Use another account' }))
    await screen.findByRole('heading', { level: 1, name: 'There is a place for you' })
    const main = within(screen.getByRole('main'))
    expect(main.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe(
      `/signin?redirect=${encodeURIComponent(link)}`,
    )
  })

  it('brings somebody new from sign-up and the confirmation mail back to the invitation', async () => {
    const email = `${planId}@example.com`
    const link = await invite(email)
    const { at } = await openApp(server, link)
    const main = within(await screen.findByRole('main'))
    await userEvent.click(await main.findByRole('link', { name: 'Sign Up' }))
    await userEvent.type(await screen.findByLabelText('Email'), email)
    await userEvent.type(screen.getByLabelText('Password'), password)
    await userEvent.type(screen.getByLabelText('Confirm password'), password)
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(at()).toBe('/signin?success=true'))

    const mail = (await server.outbox()).find(({ to, subject }) => to === email && /Confirm/.test(subject))
    const confirmation = /http\S+\/auth\/v1\/verify\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    const arrived = await fetch(confirmation, { redirect: 'manual' })
    const back = new URL(arrived.headers.get('location') ?? '')
    expect([back.pathname, back.searchParams.get('next')]).toEqual(['/auth-redirect', link])
    expect(back.hash).toContain('access_token=')
  })

  it('shows the invitation in whatever browser the confirmation mail is opened', async () => {
    const newcomer = await addUser(server, `new-${planId}@example.com`, { password })
    const link = await invite(newcomer.email)
    const { user, at } = await openAs(newcomer, `/auth-redirect?next=${encodeURIComponent(link)}`)
    await waitFor(() => expect(at()).toBe(link))
    await user.click(await screen.findByRole('button', { name: 'Accept' }))
    await waitFor(async () => expect(await members()).toContain(newcomer.id))
  })

  it('a mailed link returns to no other site', async () => {
    const nobody: TestUser = await addUser(server, `foreign${planId}@example.com`, { password })
    const { at } = await openAs(nobody, '/auth-redirect?next=https%3A%2F%2Fevil.example%2F')
    await waitFor(() => expect(at()).toBe('/'))
  })
})
