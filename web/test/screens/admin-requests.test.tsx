// Asking for access to the administration, and deciding on it.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { beAway, failNetwork, hold, intercept, refuse, silenceLive } from '../network.ts'
import { newPeople, type People } from '../sharing.ts'

const server = await testServer()
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})

const open = (address: string, who: TestUser) => openApp(server, address, { as: who })
const grant = (person: TestUser, role: string) =>
  server.db.query(
    `insert into public.user_roles (user_id, role) values ($1, $2)
     on conflict (user_id) do update set role = excluded.role`,
    [person.id, role],
  )
const roleOf = async (person: TestUser) =>
  (await server.db.query('select role from public.user_roles where user_id = $1', [person.id]))[0]?.role
const requestsOf = (person: TestUser) =>
  server.db.query(
    `select name, email, reason, status, reviewed_at is not null as reviewed
     from public.admin_role_requests where user_id = $1 order by requested_at`,
    [person.id],
  )
async function ask(person: TestUser, name = 'Somebody') {
  const request = { user_id: person.id, name, email: person.email, reason: REASON }
  await person.client.from('admin_role_requests').insert(request).throwOnError()
}
const ASKING = 'POST /rest/v1/admin_role_requests'
const LISTING = 'GET /rest/v1/admin_role_requests'
const DECIDING = 'PATCH /rest/v1/admin_role_requests'
const REASON = 'I would like to help with payouts.'
const SENT = ['success', 'Request Submitted', 'Your admin access request has been sent for review.'] as const

describe('the form', () => {
  const field = (name: RegExp) => screen.getByLabelText(name, { selector: 'input, textarea' })
  const form = () => screen.findByLabelText(/^Reason/, { selector: 'textarea' })
  const submit = () => screen.getByText('Submit Request')
  async function fill(user: UserEvent) {
    await form()
    await user.type(field(/^Name/), 'Zoe Day')
    await user.type(field(/^Reason/), REASON)
  }

  it('says what is missing, asks for access once, and promises a reply, at both addresses', async () => {
    const { zoe } = people
    const { user, router, at } = await open('/admin', zoe)
    await form()
    expect(at()).toBe('/admin-request')
    expect(document.querySelector('h1')?.textContent).toBe('Request Admin Access')
    expect(screen.getByText('The admin area is restricted to administrators.')).toBeTruthy()
    expect(screen.queryByText(/2-3 business days/)).toBeNull()
    expect(field(/^Email/)).toHaveProperty('value', zoe.email)
    const { sent: asked } = intercept(ASKING)
    await user.clear(field(/^Email/))
    await user.click(submit())
    const problems = [/^Name/, /^Email/, /^Reason/].map(
      (name) => document.getElementById(`${field(name).id}-error`)?.textContent,
    )
    expect(problems).toEqual([
      'Name is required',
      'Valid email is required',
      'Please provide a detailed reason for your request',
    ])
    expect(document.activeElement).toBe(field(/^Name/))
    expect(asked).toEqual([])
    await user.type(field(/^Email/), zoe.email)
    await fill(user)
    await userEvent.dblClick(submit())
    await toasted(...SENT)
    await screen.findByText(/You can expect a reply within 2-3 business days\.$/)
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(asked.length).toBe(1)
    expect(await requestsOf(zoe)).toEqual([
      { name: 'Zoe Day', email: zoe.email, reason: REASON, status: 'pending', reviewed: false },
    ])
    await router.navigate({ to: '/admin/requests' })
    await screen.findByText(/2-3 business days/)
    expect(document.querySelector('h1')?.textContent).toBe('Request Admin Access')
  })

  it('keeps what was written when a request was not taken, and sees one sent from elsewhere', async () => {
    const { zoe } = people
    const loading = refuse(LISTING, 'XX000', 'broken', 500)
    const { user } = await open('/admin-request', zoe)
    await screen.findByText('Could not load your last request')
    loading.heal()
    await user.click(screen.getByText('Retry'))
    await fill(user)
    const failure = failNetwork(ASKING)
    await user.click(submit())
    await toasted('error', 'Submission Failed', 'Failed to submit your request. Please try again.')
    failure.heal()
    expect(field(/^Reason/)).toHaveProperty('value', REASON)
    await ask(zoe)
    await user.click(submit())
    const waiting = 'You have already sent a request. It is waiting for an answer.'
    await toasted('error', 'Submission Failed', waiting)
    await screen.findByText(/2-3 business days/)
    expect(await requestsOf(zoe)).toHaveLength(1)
  })

  it('tells whoever is no longer signed in, and sends nothing', async () => {
    const { zoe } = people
    const { user, at } = await open('/admin-request', zoe)
    await fill(user)
    const { sent: asked } = intercept(ASKING)
    await server.db.query('delete from auth.sessions where user_id = $1', [zoe.id])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_610_000 })
    // At once: whatever else asks for the session now ends this page.
    fireEvent.click(submit())
    await toasted('error', 'Submission Failed', 'You must be logged in to request admin access')
    vi.useRealTimers()
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fadmin-request'))
    expect(asked).toEqual([])
  })

  it('tells staff too what became of the last request, and takes another one', async () => {
    const { zoe, olivia } = people
    await grant(olivia, 'super-admin')
    await grant(zoe, 'moderator')
    await ask(zoe)
    await olivia.client.from('admin_role_requests').update({ status: 'rejected' }).eq('user_id', zoe.id)
    const { user } = await open('/admin/requests', zoe)
    expect((await screen.findByText(/^Your last request was/)).textContent).toBe(
      'Your last request was rejected just now. You can send another one.',
    )
    await fill(user)
    await user.click(submit())
    await toasted(...SENT)
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'rejected' }, { status: 'pending' }])
  })
})

describe('the Requests tab', () => {
  const names = () => [...document.querySelectorAll('article h2')].map(({ textContent }) => textContent)
  const card = (name: string) => within(screen.getByRole('article', { name }))
  const answers = (name: string) =>
    card(name)
      .queryAllByRole('button')
      .map((button) => button.textContent)
  /** A button that is busy takes no press. */
  const press = async (user: UserEvent, answer: string) => {
    await waitFor(() => expect(screen.getByLabelText(answer)).toHaveProperty('disabled', false))
    await user.click(screen.getByLabelText(answer))
  }
  const openTab = async (first = 'Zoe Day') => {
    const opened = await open('/admin?tab=requests', people.olivia)
    await screen.findByText(first)
    return opened
  }

  beforeEach(async () => {
    await server.db.query('delete from public.admin_role_requests')
    await grant(people.olivia, 'super-admin')
  })

  it('lists who asks, newest first, and decides', async () => {
    const { olivia, marc, zoe } = people
    await ask(marc, 'Marc Hill')
    await ask(zoe, 'Zoe Day')
    await ask(olivia, 'Olivia Ray')
    const { user } = await openTab()
    expect(names()).toEqual(['Olivia Ray', 'Zoe Day', 'Marc Hill'])
    for (const text of [zoe.email, REASON, 'Pending']) expect(card('Zoe Day').getByText(text)).toBeTruthy()
    expect(answers('Zoe Day')).toEqual(['Reject', 'Approve'])
    expect(answers('Olivia Ray')).toEqual([])
    expect(card('Olivia Ray').getByText('Another super-admin decides about your own request.')).toBeTruthy()

    const held = hold(DECIDING)
    await press(user, 'Approve Zoe Day')
    for (const button of screen.getAllByLabelText(/^(Approve|Reject) (Zoe|Marc)/))
      expect(button).toHaveProperty('disabled', true)
    held.letGo()
    await toasted('success', 'Request Approved', 'Zoe Day has been granted admin access.')
    await card('Zoe Day').findByText('Approved')
    expect(answers('Zoe Day')).toEqual([])
    expect(await roleOf(zoe)).toBe('admin')
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'approved', reviewed: true }])

    await press(user, 'Reject Marc Hill')
    await toasted('info', 'Request Rejected', "Marc Hill's request has been rejected.")
    await card('Marc Hill').findByText('Rejected')
    expect(await roleOf(marc)).toBeUndefined()
    expect(await requestsOf(marc)).toMatchObject([{ status: 'rejected', reviewed: true }])
    expect(names()).toEqual(['Olivia Ray', 'Zoe Day', 'Marc Hill'])
  })

  it('is for admins to read, and for super-admins to decide', async () => {
    await grant(people.olivia, 'admin')
    await ask(people.zoe, 'Zoe Day')
    await openTab()
    expect(answers('Zoe Day')).toEqual([])
    expect(screen.getByText('Requests are approved and rejected by a super-admin.')).toBeTruthy()
  })

  it('says what failed, and what the database says when somebody else was faster', async () => {
    const { marc, zoe } = people
    silenceLive()
    await ask(zoe, 'Zoe Day')
    const { user } = await openTab()
    const away = beAway(DECIDING)
    await press(user, 'Approve Zoe Day')
    await toasted('error', 'Error', 'Failed to approve request')
    await press(user, 'Reject Zoe Day')
    await toasted('error', 'Error', 'Failed to reject request')
    away.heal()
    // As an operator may close the team for a while.
    await server.db.query(
      `alter table public.user_roles add constraint team_is_closed check (role <> 'admin') not valid`,
    )
    await press(user, 'Approve Zoe Day')
    await toasted('error', 'Error', 'Failed to assign admin role')
    await server.db.query('alter table public.user_roles drop constraint team_is_closed')
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'pending', reviewed: false }])
    await grant(marc, 'super-admin')
    await marc.client.from('admin_role_requests').update({ status: 'rejected' }).eq('user_id', zoe.id)
    await press(user, 'Approve Zoe Day')
    await toasted('error', 'Error', 'This request has already been rejected')
    await card('Zoe Day').findByText('Rejected')
    expect(await roleOf(zoe)).toBeUndefined()
  })

  it('is no decision when the super-admin is none any more', async () => {
    const { olivia, marc, zoe } = people
    await ask(zoe, 'Zoe Day')
    const { user } = await openTab()
    await grant(marc, 'super-admin')
    await grant(olivia, 'admin')
    await press(user, 'Approve Zoe Day')
    await toasted('error', 'Error', 'Failed to approve request')
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'pending' }])
  })

  it('says that the requests could not be loaded, tries again, and says that nobody asks', async () => {
    const failure = refuse(LISTING, 'XX000', 'broken', 500)
    const { user } = await openTab('Retry')
    await toasted('error', 'Error', 'Could not load admin requests')
    failure.heal()
    await user.click(screen.getByText('Retry'))
    await screen.findByText('No admin access requests found')
  })
})
