import { testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { announce } from '#lib/events.ts'
import { openApp, toasted } from '../app.tsx'
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

const openPlan = () => openApp(server, `/manage-shared/${planId}`, { as: people.olivia })
const addMember = (name = 'Add Member') => screen.findByRole('button', { name })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
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
  it('mails a link and keeps the place once the mail has gone, and nothing before', async () => {
    await join(people.olivia, people.marc, planId)
    const { user } = await openPlan()
    await addMember()
    act(() => announce('openAddMemberDialog', { subscriptionId: 'sub-other' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => announce('openAddMemberDialog', { subscriptionId: planId }))
    const dialog = within(await inviteDialog())
    const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
    expect(dialog.getAllByRole('textbox')).toHaveLength(1)
    expect([field.type, field.required]).toEqual(['email', true])
    const send = dialog.getByRole<HTMLButtonElement>('button', { name: 'Send Invitation' })
    expect(send.disabled).toBe(true)
    await user.type(field, '   ')
    expect(send.disabled).toBe(true)
    await user.type(field, 'refused')
    await user.click(send)
    expect(field.validity.typeMismatch).toBe(true)
    expect(await stored()).toEqual([])

    const failed = 'Failed to send invitation. Please try again.'
    await user.type(field, '@example.com')
    await user.click(send)
    await screen.findByText(failed)
    expect(await stored()).toMatchObject([{ withdrawn_at: expect.any(String) }])
    await waitFor(() => expect(screen.queryByText('Invited')).toBeNull())
    const inviteInstead = async (email: string) => {
      await waitFor(() => expect(send.disabled).toBe(false))
      await user.clear(field)
      await user.type(field, email)
      await user.click(send)
    }
    await inviteInstead(people.marc.email)
    await toasted('error', failed, 'Already a Member')
    await inviteInstead('nina@example.com')
    expect((await dialog.findByText('Sending...')).closest('button')?.disabled).toBe(true)
    expect(screen.queryByText('Invitation Sent')).toBeNull()
    await screen.findByText('Invitation Sent')
    expect(await stored()).toContainEqual(
      expect.objectContaining({ email: 'nina@example.com', mail_status: 'sent', withdrawn_at: null }),
    )
    expect((await server.outbox()).map(({ to }) => to)).toContain('nina@example.com')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const invited = within(await screen.findByRole('region', { name: 'Invited' }))
    expect(invited.getByText('nina@example.com')).toBeTruthy()
    expect(invited.getByText('in 7 days')).toBeTruthy()
  })

  it('is over when every place is taken or kept, until one is given back, which is seen live', async () => {
    const plans = people.olivia.client.from('shared_subscriptions')
    await plans.update({ owner_max_members: 3 }).eq('id', planId).throwOnError()
    await join(people.olivia, people.marc, planId)
    await invite('nina@example.com')
    const { user } = await openPlan()
    expect(await addMember('Add Member (Max Reached)')).toHaveProperty('disabled', true)
    await user.click(await screen.findByLabelText('Withdraw the invitation of nina@example.com'))
    await user.click(await screen.findByRole('button', { name: 'Withdraw invitation' }))
    await screen.findByText('Invitation Withdrawn')
    expect(await addMember()).toHaveProperty('disabled', false)
    expect(screen.queryByRole('region', { name: 'Invited' })).toBeNull()

    const link = await invite(people.zoe.email)
    expect(await addMember('Add Member (Max Reached)')).toHaveProperty('disabled', true)
    const p_token = link.split('/').at(-1) ?? ''
    await people.zoe.client.rpc('decline_invitation', { p_token }).throwOnError()
    expect(await addMember()).toHaveProperty('disabled', false)
    expect(await stored()).toContainEqual(expect.objectContaining({ declined_at: expect.any(String) }))
  })
})

describe('being invited', () => {
  it('shows the plan with its price, and accepting makes a member', async () => {
    const link = await invite(people.marc.email)
    const { user, at } = await openApp(server, link, { as: people.marc })
    await heading('There is a place for you')
    const plan = within(screen.getByRole('region', { name: 'Netflix Premium' }))
    for (const text of ['€5.00', '/ month', 'in 7 days']) expect(plan.getByText(text)).toBeTruthy()
    await user.click(plan.getByText('Accept'))
    await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}`))
    await heading('Your Subscribed Plan')
    expect(await members()).toContain(people.marc.id)
    const { data: told } = await people.olivia.client.from('user_notifications').select('title')
    expect(told?.map(({ title }) => title)).toContain('Invitation Accepted')
  })

  it('says so when there is nothing to decide any more', async () => {
    const link = await invite(people.marc.email)
    const { user, router } = await openApp(server, link, { as: people.marc })
    await user.click(await screen.findByText('Decline'))
    await heading('Invitation declined')
    expect(await members()).toEqual([people.olivia.id])
    await router.navigate({ to: '/invitation/$token', params: { token: '0'.repeat(64) } })
    await heading('Invitation not found')
  })

  it('is for the invited address, and offers the way to another account', async () => {
    const link = await invite(people.marc.email)
    const { user } = await openApp(server, link, { as: people.zoe })
    await heading('This invitation is for somebody else')
    expect(screen.queryByText('Accept')).toBeNull()
    await user.click(screen.getByText('Use another account'))
    await heading('There is a place for you')
    const signIn = within(screen.getByRole('main')).getByText('Sign In').closest('a')
    expect(signIn?.getAttribute('href')).toBe(`/signin?redirect=${encodeURIComponent(link)}`)
  })

  it('brings somebody new from sign-up and the confirmation mail back to the invitation', async () => {
    const email = `${planId}@example.com`
    const link = await invite(email)
    const { user, at } = await openApp(server, link)
    const main = within(await screen.findByRole('main'))
    await main.findByText(email)
    for (const text of [/^olivia\d+$/, 'Netflix Premium', '€5.00', 'in 7 days'])
      expect(main.getByText(text)).toBeTruthy()
    expect(main.queryByText('Accept')).toBeNull()
    await user.click(main.getByText('Sign Up'))
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', email)
    await user.type(screen.getByLabelText('First name'), 'Nina')
    for (const field of ['Password', 'Confirm password'])
      await user.type(screen.getByLabelText(field), password)
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(at()).toBe('/signin?success=true'))
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', email)

    const mail = (await server.outbox()).find(({ to, subject }) => to === email && /Confirm/.test(subject))
    const confirmation = /http\S+\/auth\/v1\/verify\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    const arrived = await fetch(confirmation, { redirect: 'manual' })
    const back = new URL(arrived.headers.get('location') ?? '')
    expect([back.pathname, back.searchParams.get('next')]).toEqual(['/auth-redirect', link])
    expect(back.hash).toContain('access_token=')
  })

  it('says to a visitor at once that there is nothing to sign in for', async () => {
    const link = await invite('nina@example.com')
    const { router } = await openApp(server, `/invitation/${'0'.repeat(64)}`)
    await heading('Invitation not found')
    const { data } = await people.olivia.client.from('subscription_invitations').select('id').throwOnError()
    await people.olivia.client
      .rpc('withdraw_invitation', { p_invitation_id: data[0]?.id ?? '' })
      .throwOnError()
    await router.navigate({ href: link })
    await heading('This invitation is no longer open')
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
  })

  it('is shown in whatever browser the confirmation mail is opened, which leads to no other site', async () => {
    const link = await invite(people.zoe.email)
    const arrive = (next: string) =>
      openApp(server, `/auth-redirect?next=${encodeURIComponent(next)}`, { as: people.zoe })
    const foreign = await arrive('https://evil.example/')
    await waitFor(() => expect(foreign.at()).toBe('/'))
    const { user, at } = await arrive(link)
    await waitFor(() => expect(at()).toBe(link))
    await user.click(await screen.findByText('Accept'))
    await waitFor(async () => expect(await members()).toContain(people.zoe.id))
  })
})
