// Proves AUTH 09, PLAN 13 14, EVT 04, ERR 28, VALID 14
import { testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { announce } from '#lib/events.ts'
import { changePlan } from '../acting.ts'
import { openApp, toasted } from '../app.tsx'
import { control, dialog, heading, region } from '../parts.ts'
import { mailedLink } from '../people.ts'
import { join, newPeople, type People, password, sayHowPaid, sayingHowPaid, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
let people: People
let planId: string
/** An email address without an account. */
let nina: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  nina = `nina.${planId}@example.com`
})

const openPlan = () => openApp(server, `/manage-shared/${planId}`, { as: people.olivia })
const stored = async () => {
  const { data } = await people.olivia.client
    .from('subscription_invitations')
    .select('id, email, mail_status, accepted_at, declined_at, withdrawn_at')
    .throwOnError()
  return data
}
const members = async () =>
  (await people.olivia.client.from('subscription_members').select('user_id').throwOnError()).data.map(
    ({ user_id }) => user_id,
  )
/** Invites through the API; returns the path of the mailed link. */
async function invite(email: string): Promise<string> {
  const args = { p_subscription_id: planId, p_email: email }
  await sayingHowPaid(people.olivia, () => people.olivia.client.rpc('invite_member', args).throwOnError())
  return waitFor(async () => {
    const mail = (await server.outbox()).find(({ to, subject }) => to === email && /invites/.test(subject))
    const link = /http\S+(\/invitation\/[0-9a-f]+)/.exec(mail?.text ?? '')
    expect(link?.[0]).toContain(server.url)
    return link?.[1] ?? ''
  })
}

it('inviting mails a link and keeps the place once the mail has gone, and nothing before', async () => {
  // Makes the mail server refuse some email addresses.
  await db.query(
    `alter table platform.captured_mail add constraint not_there check (recipient not like 'refused@%')`,
  )
  onTestFinished(
    async () => void (await db.query('alter table platform.captured_mail drop constraint not_there')),
  )
  await join(people.olivia, people.marc, planId)
  const { user } = await openPlan()
  await control('Add Member')
  act(() => announce('openAddMemberDialog', { subscriptionId: 'sub-other' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  act(() => announce('openAddMemberDialog'))
  // A person who accepts gets in without the owner's answer, so the owner first says how they are paid.
  const paying = await dialog('How do you want to be paid?')
  await user.click(await paying.findByLabelText('In your own words'))
  await user.type(paying.getByLabelText('How to pay you'), 'Cash at dinner')
  await user.click(paying.getByText('Save'))
  const form = await dialog('Invite Member')
  const field = form.getByLabelText<HTMLInputElement>(/^Email/)
  expect(form.getAllByRole('textbox')).toHaveLength(1)
  expect([field.type, field.required]).toEqual(['email', true])
  const send = form.getByText('Send Invitation').closest('button') as HTMLButtonElement
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
  await inviteInstead(nina)
  expect((await form.findByText('Sending...')).closest('button')?.disabled).toBe(true)
  expect(screen.queryByText('Invitation Sent')).toBeNull()
  await screen.findByText('Invitation Sent')
  expect(await stored()).toContainEqual(
    expect.objectContaining({ email: nina, mail_status: 'sent', withdrawn_at: null }),
  )
  expect((await server.outbox()).map(({ to }) => to)).toContain(nina)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const invited = await region('Invited')
  invited.getByText(nina)
  invited.getByText('in 7 days')
})

it('inviting is over when every place is taken or kept, until one is given back, which is seen live', async () => {
  await changePlan(people.olivia, planId, { owner_max_members: 3 })
  await sayHowPaid(people.olivia)
  await join(people.olivia, people.marc, planId)
  await invite(nina)
  const { user } = await openPlan()
  expect(await control('Add Member (Max Reached)')).toHaveProperty('disabled', true)
  await user.click(await screen.findByLabelText(`Withdraw the invitation to ${nina}`))
  await user.click(await control('Withdraw invitation'))
  await screen.findByText('Invitation Withdrawn')
  expect(await control('Add Member')).toHaveProperty('disabled', false)
  expect(screen.queryByRole('region', { name: 'Invited' })).toBeNull()

  const p_token = (await invite(people.zoe.email)).split('/').at(-1) ?? ''
  await control('Add Member (Max Reached)')
  await people.zoe.client.rpc('decline_invitation', { p_token }).throwOnError()
  await user.click(await control('Add Member'))
  await dialog('Invite Member')
  expect(await stored()).toContainEqual(expect.objectContaining({ declined_at: expect.any(String) }))
})

it('the invited see the plan with its price, and accept or decline; elsewhere the way to another account is offered', async () => {
  const link = await invite(people.marc.email)
  const { user, at } = await openApp(server, link, { as: people.marc })
  await heading('You’re invited')
  const plan = await region('Netflix Premium')
  plan.getByText('in 7 days')
  await user.click(await plan.findByText(/^Join and pay olivia\d+ €5\.00 a month$/))
  await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}`))
  await heading('Your Subscribed Plan')
  expect(await members()).toContain(people.marc.id)
  const { data: told } = await people.olivia.client.from('user_notifications').select('title')
  expect(told?.map(({ title }) => title)).toContain('Invitation Accepted')

  const other = await invite(people.zoe.email)
  const declining = await openApp(server, other, { as: people.zoe })
  await declining.user.click(await control('Decline'))
  await heading('Invitation declined')
  expect(await members()).not.toContain(people.zoe.id)

  const third = await invite(nina)
  await declining.router.navigate({ href: third })
  await heading('This invitation is for someone else')
  expect(screen.queryByText(/^Join and pay/)).toBeNull()
  await declining.user.click(screen.getByText('Use another account'))
  await heading('You’re invited')
  const signIn = within(screen.getByRole('main')).getByText('Sign In').closest('a')
  expect(signIn?.getAttribute('href')).toBe(`/signin?redirect=${encodeURIComponent(third)}`)
})

it('a visitor is told at once where there is nothing to sign in for; somebody new comes back from sign-up and its mail, in whatever browser', async () => {
  const old = await invite(nina)
  const [invitation] = await stored()
  await people.olivia.client.rpc('revoke_invitation', { p_invitation_id: invitation?.id }).throwOnError()
  const { user, at, router } = await openApp(server, `/invitation/${'0'.repeat(64)}`)
  await heading('Invitation not found')
  await router.navigate({ href: old })
  await heading('This invitation is no longer open')
  expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()

  await db.query(`delete from platform.captured_mail where recipient = $1`, [nina])
  const link = await invite(nina)
  await router.navigate({ href: link })
  const main = within(await screen.findByRole('main'))
  await main.findByText(nina)
  for (const text of [/^olivia\d+$/, 'Netflix Premium', '€5.00', 'in 7 days']) main.getByText(text)
  expect(main.queryByText(/^Join and pay/)).toBeNull()
  await user.click(main.getByText('Sign Up'))
  expect(await screen.findByLabelText('Email')).toHaveProperty('value', nina)
  for (const field of ['Password', 'Confirm password'])
    await user.type(screen.getByLabelText(field), password)
  await user.click(await control('Create account'))
  await waitFor(() => expect(at()).toBe('/signin?success=true'))
  await screen.findByText(nina)

  const mail = (await server.outbox()).find(({ to, subject }) => to === nina && /Confirm/.test(subject))
  const { pathname, hash } = new URL(mailedLink(mail?.text))
  const elsewhere = await openApp(server, pathname + hash, { arriving: true })
  await elsewhere.user.click(await control('Confirm my email'))
  await waitFor(() => expect(elsewhere.at()).toBe(link))
  await elsewhere.user.click(await control(/^Join and pay/))
  await elsewhere.user.click((await dialog('What should we call you?')).getByText('Save and continue'))
  await waitFor(async () => expect(await members()).toHaveLength(2))
})
