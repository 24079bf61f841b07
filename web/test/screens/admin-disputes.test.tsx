import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { addPerson } from '../../../supabase/tests/people.ts'
import { openTill } from '../../../supabase/tests/till.ts'
import { openApp, toasted } from '../app.tsx'

const server = await testServer()
const { db } = server
const withRole = async (name: string, role: string) => {
  const person = await addUser(server, `${name}@staff.example`)
  await db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
const [ada, mona] = [await withRole('ada', 'admin'), await withRole('mona', 'moderator')]
const till = await openTill(db)
const olivia = await addPerson(db, 'Olivia')
const plan = await till.share(olivia)
const [mia, leo] = [await till.payer('Mia'), await till.payer('Leo')]
for (const person of [mia, leo]) await till.enter(person, plan)
await till.work()
// By now a part of it is Olivia's.
await till.pass('15 days')
const say = async (person: { id: string }, status: string, due: string | null) =>
  db.query(
    `select record_dispute('dp_' || member_id, 'pi ' || id, 5.50, $2, 'product_not_received', $3::timestamptz)
     from member_payments where member_id = $1`,
    [person.id, status, due],
  )
const soon = new Date(Date.now() + 9 * 86_400_000).toISOString()
for (const status of ['needs_response', 'won']) await say(leo, status, null)
await say(mia, 'needs_response', soon)
for (const id of ['evt_first', 'evt_second'])
  await db.query('select keep_unknown_event($1, $2, $3)', [id, 'charge.refunded', 'ch_elsewhere'])

const rows = async (name: string) => {
  const table = await screen.findByRole('table', { name })
  return [...table.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)
}

it('shows admins what a chargeback took from whom, what became of it, and what to do until when', async () => {
  expect(await till.books()).toEqual([])
  const { user, at } = await openApp(server, '/admin', { as: ada })
  await user.click(await screen.findByRole('link', { name: 'Disputes' }))
  const [open, won] = await rows('Chargebacks')
  expect(open).toMatch(
    /Netflix PremiumMia paid OliviaReason: product not received€5\.50€\d\.\d\d held for Olivia€\d\.\d\d held fee€\d\.\d\d guarantee account/,
  )
  const taken = [...(open ?? '').matchAll(/€(\d\.\d\d)/g)].map(([, amount]) => Number(amount))
  expect(taken.slice(1).reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(5.5)
  expect(open).toMatch(/To be answeredAnswer it at the payment provider.*Until .*in (8|9) days/)
  expect(won).toMatch(/WonAll of it was put back/)

  await user.click(screen.getByRole('combobox', { name: 'State' }))
  await user.click(await screen.findByRole('option', { name: 'Won' }))
  await waitFor(async () => expect(await rows('Chargebacks')).toEqual([won]))
  expect(screen.getByRole('link', { name: 'Leo' }).getAttribute('href')).toBe(`/admin/people/${leo.id}`)
  await user.type(screen.getByRole('combobox', { name: 'Person' }), 'leo')
  await user.click(await screen.findByRole('option', { name: /Leo/ }))
  await waitFor(() => expect(at()).toContain(leo.id))
  await openApp(server, `/admin/disputes?state=won&person=${mia.id}`, { as: ada })
  expect(await screen.findByText('No chargebacks found')).toBeTruthy()
})

it('has an event that is about nothing here looked at once, with what it was, in the log of staff too', async () => {
  const { user } = await openApp(server, '/admin/disputes', { as: ada })
  expect(await rows('Unknown events')).toHaveLength(2)
  const first = screen.getByRole('button', { name: 'Looked at evt_first' })
  await user.click(first)
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(first))
  await user.click(first)
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: 'What it was' }), 'Of our old shop')
  await user.click(dialog.getByRole('button', { name: 'Note it' }))
  await toasted('success', 'Noted', 'It is in the staff log too.')
  await waitFor(async () => expect(await rows('Unknown events')).toHaveLength(1))
  await user.click(screen.getByRole('radio', { name: 'Looked at' }))
  await waitFor(async () =>
    expect((await rows('Unknown events'))[0]).toMatch(/evt_first.*Of our old shopada/),
  )
  const logged = await db.query(
    `select actor, subject, details ->> 'finding' as finding from private.staff_log where action = 'payment event looked at'`,
  )
  expect(logged).toEqual([{ actor: ada.id, subject: 'evt_first', finding: 'Of our old shop' }])
  const again = await ada.client.rpc('review_payment_event', {
    p_id: 'evt_first',
    p_finding: 'Something else',
  })
  expect(again.error).toMatchObject({ code: 'PT409' })
  const empty = await ada.client.rpc('review_payment_event', { p_id: 'evt_second', p_finding: '  ' })
  expect(empty.error).toMatchObject({ code: '23514' })
})

it('is for admins alone', async () => {
  await openApp(server, '/admin/disputes', { as: mona })
  expect(await screen.findByText('Your role does not include this page')).toBeTruthy()
  expect((await mona.client.from('payment_disputes').select('id')).data).toEqual([])
})
