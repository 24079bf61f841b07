// Asking for access to the administration, and deciding on it.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openApp } from '../app.tsx'
import { beAway, failNetwork, hold, intercept, refuse } from '../network.ts'
import { newPeople, type People, password } from '../sharing.ts'

const server = await testServer()
let people: People

beforeEach(async () => {
  people = await newPeople(server)
})

const open = async (address: string, who: TestUser) => ({
  ...(await openApp(server, address, { as: { email: who.email, password } })),
})
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
    `select user_id, name, email, reason, status, reviewed_at is not null as reviewed
     from public.admin_role_requests where user_id = $1 order by requested_at`,
    [person.id],
  )
const ASKING = 'POST /rest/v1/admin_role_requests'
const LISTING = 'GET /rest/v1/admin_role_requests'
const DECIDING = 'PATCH /rest/v1/admin_role_requests'
const REASON = 'I would like to help with payouts.'
const DETAILS = 'Please provide a detailed reason for your request'
const form = () => screen.findByRole('textbox', { name: /^Reason/ })
const submit = () => screen.getByRole('button', { name: 'Submit Request' })
const value = (name: RegExp) => screen.getByRole('textbox', { name })

type User = ReturnType<typeof userEvent.setup>
async function write(user: User, name: RegExp, text: string) {
  await user.clear(value(name))
  if (text) await user.click(value(name))
  if (text) await user.paste(text)
}
async function fill(user: User) {
  await form()
  await write(user, /^Name/, 'Zoe Day')
  await write(user, /^Reason/, REASON)
}

describe('the form', () => {
  it('asks for access, promises a reply, and asks once at a time', async () => {
    const { zoe } = people
    const { user, router, at } = await open('/admin', zoe)
    await form()
    expect(at()).toBe('/admin-request')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Request Admin Access')
    expect(screen.getByText('The admin area is restricted to administrators.')).toBeTruthy()
    expect(screen.queryByText(/2-3 business days/)).toBeNull()
    expect(value(/^Name/)).toHaveProperty('value', '')
    expect(value(/^Email/)).toHaveProperty('value', zoe.email)
    expect(value(/^Reason/)).toHaveProperty('value', '')
    await fill(user)
    const { sent: asked } = intercept(ASKING)
    await user.dblClick(submit())

    expect(await screen.findByText('Request Submitted')).toBeTruthy()
    expect(screen.getByText('Your admin access request has been sent for review.')).toBeTruthy()
    expect(await screen.findByText(/You can expect a reply within 2-3 business days\.$/)).toBeTruthy()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(asked.length).toBe(1)
    expect(await requestsOf(zoe)).toEqual([
      {
        user_id: zoe.id,
        name: 'Zoe Day',
        email: zoe.email,
        reason: REASON,
        status: 'pending',
        reviewed: false,
      },
    ])
    await router.navigate({ to: '/admin/requests' })
    expect(await screen.findByText(/2-3 business days/)).toBeTruthy()
  })

  it.each([null, 'moderator', 'admin', 'super-admin'])(
    'opens at both addresses for a person with the role %s',
    async (role) => {
      if (role) await grant(people.zoe, role)
      const { router, at } = await open('/admin/requests', people.zoe)
      for (const address of ['/admin/requests', '/admin-request'] as const) {
        await router.navigate({ to: address })
        await form()
        expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Request Admin Access')
        expect(value(/^Email/)).toHaveProperty('value', people.zoe.email)
        expect(at()).toBe(address)
      }
    },
  )

  it('refuses a short name, an invalid address and a short reason, and says so', async () => {
    const { user } = await open('/admin-request', people.zoe)
    const { sent: asked } = intercept(ASKING)
    await form()
    const said = async (name: string, email: string, reason: string) => {
      await write(user, /^Name/, name)
      await write(user, /^Email/, email)
      await write(user, /^Reason/, reason)
      await user.click(submit())
      return [/^Name/, /^Email/, /^Reason/].map((field) => describedBy(value(field)))
    }
    const all = ['Name is required', 'Valid email is required', DETAILS]
    expect(await said('', '', '')).toEqual(all)
    expect(document.activeElement).toBe(value(/^Name/))
    expect(await said(' Z ', 'zoe@potluck', ' Nine char ')).toEqual(all)
    expect(await said('Z\u200b', 'zo e@potluck.example', 'Nine char\u200b')).toEqual(all)
    expect(await said('Zo', 'zoe.example', 'Ten chars!')).toEqual(['', 'Valid email is required', ''])
    expect(await said('Zo', people.zoe.email, '123456789')).toEqual(['', '', DETAILS])
    expect(asked.length).toBe(0)
    await write(user, /^Reason/, 'Ten chars!')
    await user.click(submit())
    expect(await screen.findByText('Request Submitted')).toBeTruthy()
    expect(await requestsOf(people.zoe)).toMatchObject([{ name: 'Zo', reason: 'Ten chars!' }])
  })

  it('says why a request was not taken, keeps what was written, and takes it the next time', async () => {
    const { user } = await open('/admin-request', people.zoe)
    await fill(user)
    const failure = failNetwork(ASKING)
    await user.click(submit())
    expect(await screen.findByText('Submission Failed')).toBeTruthy()
    expect(screen.getByText('Failed to submit your request. Please try again.')).toBeTruthy()
    failure.heal()
    const refusal = refuse(ASKING, '23514', 'The reason can be at most 2000 characters')
    await user.click(submit())
    expect(await screen.findByText('The reason can be at most 2000 characters')).toBeTruthy()
    refusal.heal()
    expect(value(/^Reason/)).toHaveProperty('value', REASON)
    await user.click(submit())
    expect(await screen.findByText('Request Submitted')).toBeTruthy()
  })

  it('says that there is a request already, when it was sent from elsewhere', async () => {
    const { zoe } = people
    const { user } = await open('/admin-request', zoe)
    await fill(user)
    await ask(zoe)
    await user.click(submit())
    expect(await screen.findByText('Submission Failed')).toBeTruthy()
    expect(screen.getByText('You have already sent a request. It is waiting for an answer.')).toBeTruthy()
    expect(await screen.findByText(/2-3 business days/)).toBeTruthy()
    expect(await requestsOf(zoe)).toHaveLength(1)
  })

  it('tells whoever is no longer signed in, and sends nothing', async () => {
    const { zoe } = people
    const { user, at } = await open('/admin-request', zoe)
    await fill(user)
    const { sent: asked } = intercept(ASKING)
    await server.db.query('delete from auth.sessions where user_id = $1', [zoe.id])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_610_000 })
    await user.click(submit())
    expect(await screen.findByText('Submission Failed')).toBeTruthy()
    vi.useRealTimers()
    expect(screen.getByText('You must be logged in to request admin access')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/signin?redirect=%2Fadmin-request'))
    expect(asked.length).toBe(0)
    expect(await requestsOf(zoe)).toEqual([])
  })

  it('tells what became of the last request, and takes another one', async () => {
    const { zoe, olivia } = people
    await grant(olivia, 'super-admin')
    await ask(zoe)
    await olivia.client.from('admin_role_requests').update({ status: 'rejected' }).eq('user_id', zoe.id)
    const { user } = await open('/admin-request', zoe)
    expect((await screen.findByText(/^Your last request was/)).textContent).toBe(
      'Your last request was rejected just now. You can send another one.',
    )
    await fill(user)
    await user.click(submit())
    expect(await screen.findByText(/2-3 business days/)).toBeTruthy()
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'rejected' }, { status: 'pending' }])
  })

  it('says so when it cannot tell whether there is a request, and tries again', async () => {
    const failure = refuse(LISTING, 'XX000', 'broken', 500)
    const { user } = await open('/admin-request', people.zoe)
    expect(await screen.findByText('Could not load your last request')).toBeTruthy()
    failure.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await form()
  })
})

describe('the Requests tab', () => {
  const TAB = '/admin?tab=requests'
  const cards = () => screen.getAllByRole('article').map((card) => card.querySelector('h2')?.textContent)
  const card = (name: string) => within(screen.getByRole('article', { name }))
  const answers = (name: string) =>
    card(name)
      .queryAllByRole('button')
      .map((button) => button.textContent)

  beforeEach(async () => {
    await server.db.query('delete from public.admin_role_requests')
    await grant(people.olivia, 'super-admin')
  })

  it('says that nobody asks', async () => {
    await open(TAB, people.olivia)
    expect(await screen.findByText('No admin access requests found')).toBeTruthy()
  })

  it('lists who asks, newest first, and decides', async () => {
    const { olivia, marc, zoe } = people
    await ask(marc, 'Marc Hill')
    await ask(zoe, 'Zoe Day')
    await ask(olivia, 'Olivia Ray')
    const { user } = await open(TAB, olivia)
    await screen.findByRole('article', { name: 'Zoe Day' })
    expect(cards()).toEqual(['Olivia Ray', 'Zoe Day', 'Marc Hill'])
    expect(card('Zoe Day').getByText(zoe.email)).toBeTruthy()
    expect(card('Zoe Day').getByText(REASON)).toBeTruthy()
    expect(card('Zoe Day').getByText('Pending')).toBeTruthy()
    expect(answers('Zoe Day')).toEqual(['Reject', 'Approve'])
    expect(answers('Marc Hill')).toEqual(['Reject', 'Approve'])
    expect(answers('Olivia Ray')).toEqual([])
    expect(card('Olivia Ray').getByText('Another super-admin decides about your own request.')).toBeTruthy()

    await user.click(card('Zoe Day').getByRole('button', { name: 'Approve Zoe Day' }))
    const approved = await screen.findByText('Request Approved')
    expect(approved.closest('[data-kind]')?.getAttribute('data-kind')).toBe('success')
    expect(screen.getByText('Zoe Day has been granted admin access.')).toBeTruthy()
    await card('Zoe Day').findByText('Approved')
    expect(answers('Zoe Day')).toEqual([])
    expect(await roleOf(zoe)).toBe('admin')
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'approved', reviewed: true }])

    await user.click(card('Marc Hill').getByRole('button', { name: 'Reject Marc Hill' }))
    const rejected = await screen.findByText('Request Rejected')
    expect(rejected.closest('[data-kind]')?.getAttribute('data-kind')).toBe('info')
    expect(screen.getByText("Marc Hill's request has been rejected.")).toBeTruthy()
    await card('Marc Hill').findByText('Rejected')
    expect(answers('Marc Hill')).toEqual([])
    expect(await roleOf(marc)).toBeUndefined()
    expect(await requestsOf(marc)).toMatchObject([{ status: 'rejected', reviewed: true }])
    expect(cards()).toEqual(['Olivia Ray', 'Zoe Day', 'Marc Hill'])
  })

  it('is for admins to read, and for super-admins to decide', async () => {
    const { olivia, zoe } = people
    await grant(olivia, 'admin')
    await ask(zoe, 'Zoe Day')
    await open(TAB, olivia)
    await screen.findByRole('article', { name: 'Zoe Day' })
    expect(answers('Zoe Day')).toEqual([])
    expect(screen.getByText('Requests are approved and rejected by a super-admin.')).toBeTruthy()
  })

  it('shows an error when the role cannot be granted, and the request stays pending', async () => {
    const { olivia, zoe } = people
    await ask(zoe, 'Zoe Day')
    const { user } = await open(TAB, olivia)
    await screen.findByRole('article', { name: 'Zoe Day' })
    // As an operator may close the team for a while.
    await server.db.query(
      `alter table public.user_roles add constraint team_is_closed check (role <> 'admin') not valid`,
    )
    await user.click(card('Zoe Day').getByRole('button', { name: 'Approve Zoe Day' }))
    expect(await screen.findByText('Error')).toBeTruthy()
    expect(screen.getByText('Failed to assign admin role')).toBeTruthy()
    await server.db.query('alter table public.user_roles drop constraint team_is_closed')
    expect(screen.queryByText('Request Approved')).toBeNull()
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'pending', reviewed: false }])
    await waitFor(() => expect(answers('Zoe Day')).toEqual(['Reject', 'Approve']))
    await user.click(card('Zoe Day').getByRole('button', { name: 'Approve Zoe Day' }))
    expect(await screen.findByText('Request Approved')).toBeTruthy()
  })

  it('says what the database says when somebody else was faster', async () => {
    const { olivia, marc, zoe } = people
    await grant(marc, 'super-admin')
    await ask(zoe, 'Zoe Day')
    const { user } = await open(TAB, olivia)
    await screen.findByRole('article', { name: 'Zoe Day' })
    await marc.client.from('admin_role_requests').update({ status: 'rejected' }).eq('user_id', zoe.id)
    await user.click(card('Zoe Day').getByRole('button', { name: 'Approve Zoe Day' }))
    expect(await screen.findByText('This request has already been rejected')).toBeTruthy()
    await card('Zoe Day').findByText('Rejected')
    expect(await roleOf(zoe)).toBeUndefined()
  })

  it('says that a decision failed, and offers no second one while the first is on its way', async () => {
    const { olivia, marc, zoe } = people
    await ask(marc, 'Marc Hill')
    await ask(zoe, 'Zoe Day')
    const { user } = await open(TAB, olivia)
    await screen.findByRole('article', { name: 'Zoe Day' })
    const away = beAway(DECIDING)
    await user.click(card('Zoe Day').getByRole('button', { name: 'Approve Zoe Day' }))
    expect(await screen.findByText('Failed to approve request')).toBeTruthy()
    await user.click(card('Zoe Day').getByRole('button', { name: 'Reject Zoe Day' }))
    expect(await screen.findByText('Failed to reject request')).toBeTruthy()
    expect(screen.getAllByText('Error').length).toBe(2)
    away.heal()
    const refusal = refuse(DECIDING, '23514', 'This request has already been approved')
    await user.click(card('Zoe Day').getByRole('button', { name: 'Reject Zoe Day' }))
    expect(await screen.findByText('This request has already been approved')).toBeTruthy()
    refusal.heal()
    const held = hold(DECIDING)
    await user.click(card('Zoe Day').getByRole('button', { name: 'Reject Zoe Day' }))
    for (const button of screen.getAllByRole('button', { name: /^(Approve|Reject) / }))
      expect(button).toHaveProperty('disabled', true)
    held.letGo()
    expect(await screen.findByText('Request Rejected')).toBeTruthy()
  })

  it('is no decision when the super-admin is none any more', async () => {
    const { olivia, marc, zoe } = people
    await ask(zoe, 'Zoe Day')
    const { user } = await open(TAB, olivia)
    await screen.findByRole('article', { name: 'Zoe Day' })
    await grant(marc, 'super-admin')
    await grant(olivia, 'admin')
    await user.click(card('Zoe Day').getByRole('button', { name: 'Approve Zoe Day' }))
    expect(await screen.findByText('Failed to approve request')).toBeTruthy()
    expect(await requestsOf(zoe)).toMatchObject([{ status: 'pending' }])
    expect(await roleOf(zoe)).toBeUndefined()
  })

  it('says that the requests could not be loaded, and tries again', async () => {
    await ask(people.zoe, 'Zoe Day')
    const failure = refuse(LISTING, 'XX000', 'broken', 500)
    const { user } = await open(TAB, people.olivia)
    const said = await screen.findAllByText('Could not load admin requests')
    expect(said.map((text) => text.closest('[data-kind]')?.getAttribute('data-kind'))).toContain('error')
    expect(screen.getByText('Error')).toBeTruthy()
    failure.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByRole('article', { name: 'Zoe Day' })
  })
})

async function ask(person: TestUser, name = 'Somebody') {
  const request = { user_id: person.id, name, email: person.email, reason: REASON }
  await person.client.from('admin_role_requests').insert(request).throwOnError()
}

/** What stands beside a field as its error. */
function describedBy(field: HTMLElement): string {
  return document.getElementById(`${field.id}-error`)?.textContent ?? ''
}
