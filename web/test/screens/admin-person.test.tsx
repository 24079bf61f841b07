// What staff has about a person, where it is linked, and that a role opens no more of it than its lists do.
import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { addPerson } from '../../../supabase/tests/people.ts'
import { openTill } from '../../../supabase/tests/till.ts'
import { openApp } from '../app.tsx'

const server = await testServer()
const { db } = server
const withRole = async (name: string, role: string) => {
  const person = await addUser(server, `${name}@staff.example`)
  await db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
const sofia = await withRole('sofia', 'super-admin')
const mona = await withRole('mona', 'moderator')
const till = await openTill(db)
const olivia = await addPerson(db, 'Olivia')
const plan = await till.share(olivia)
const mia = await till.payer('Mia')
await till.enter(mia, plan)
await till.work()
await till.pass('8 days')
const [seat] = await db.query<{ id: string }>('select id from private.seats where member_id = $1', [mia.id])
await mia.sql`select report_problem(${seat?.id}, 'password')`
await mia.sql`select report_person(${olivia.id}, 'Rude')`
await sofia.client
  .rpc('adjust_wallet', { p_user_id: olivia.id, p_amount: 30, p_reason: 'A gift' })
  .throwOnError()
await db.query(`update auth.users set banned_until = '2040-01-01T12:00:00Z' where id = $1`, [olivia.id])

const PAGE = `/admin/people/${olivia.id}`
const parts = () =>
  [...document.querySelectorAll('main section')].map((part) => part.getAttribute('aria-label') ?? '')
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const rows = async (name: string) => {
  const table = await screen.findByRole('table', { name })
  return [...table.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)
}

it('shows a super-admin who somebody is, what they share and hold, and what was said and decided', async () => {
  const { user, at } = await openApp(server, '/admin/users', { as: sofia })
  await user.click(await screen.findByRole('link', { name: 'Olivia' }))
  await screen.findByRole('heading', { level: 1, name: 'Olivia' })
  expect(at()).toBe(PAGE)
  screen.getByText(/Suspended until .*2040/)
  expect(document.querySelector('main')?.textContent).toContain(olivia.email)
  await waitFor(() =>
    expect(parts()).toEqual(['Money', 'Plans they share', 'Reports', 'Problems', 'Standing', 'Staff Log']),
  )
  expect(await rows('Plans they share')).toEqual([
    expect.stringMatching(/^Netflix PremiumActive.*2 of 4.*Through Potluck$/),
  ])
  expect(await rows('About them')).toEqual([expect.stringMatching(/Rude.*Reported by Mia.*To be looked at$/)])
  expect(await rows('Problems')).toEqual([
    expect.stringMatching(/The password does not work.*reported by Mia.*Open$/),
  ])
  expect(await rows('What staff did')).toEqual([
    expect.stringMatching(/account banned$/),
    expect.stringMatching(/sofia.*wallet adjusted.*A gift$/),
  ])
  await screen.findByRole('table', { name: 'What this follows from' })
  await user.click((await region('Money')).getByRole('link', { name: 'Correction' }))
  await screen.findByRole('table', { name: 'Transfers' })
  expect(at()).toBe(`/admin/transfers?person=${olivia.id}&kind=adjustment`)
})

it('leads to each list narrowed to the person, and back to all of it', async () => {
  const { user, at, router } = await openApp(server, PAGE, { as: sofia })
  for (const [part, link, list] of [
    ['Money', 'Withdrawals: 0', '/admin/withdrawals'],
    ['Money', 'Disputes: 0', '/admin/disputes'],
    ['Plans they share', 'Review', '/admin/subscriptions'],
    ['Reports', 'To look at', '/admin/reports'],
    ['Problems', 'Closed ones', '/admin/problems'],
    ['Staff Log', 'All of it', '/admin/log'],
  ] as const) {
    await user.click((await region(part)).getByRole('link', { name: link }))
    await waitFor(() => expect(at()).toBe(`${list}?person=${olivia.id}`))
    const chosen = await screen.findByRole('button', { name: 'Person: Olivia. Show all again' })
    if (part === 'Staff Log')
      expect(
        (await rows('Log of staff')).map((row) => /wallet adjusted|account banned/.test(row ?? '')),
      ).toEqual([true, true])
    await user.click(chosen)
    await waitFor(() => expect(at()).toBe(list))
    await act(() => router.navigate({ href: PAGE }))
  }
})

it('leads from a place to who gives it', async () => {
  const { user, at } = await openApp(server, `/admin/people/${mia.id}`, { as: sofia })
  expect(await rows('Places they pay for')).toEqual([
    expect.stringMatching(/^Netflix PremiumOlivia.*€5\.50Paid$/),
  ])
  const places = within(screen.getByRole('table', { name: 'Places they pay for' }))
  await user.click(places.getByRole('link', { name: 'Olivia' }))
  await screen.findByRole('heading', { level: 1, name: 'Olivia' })
  expect(at()).toBe(PAGE)
})

it('shows a moderator no address, no money, no problem and no log', async () => {
  await openApp(server, PAGE, { as: mona })
  await screen.findByRole('heading', { level: 1, name: 'Olivia' })
  await waitFor(() => expect(parts()).toEqual(['Plans they share', 'Reports', 'Standing']))
  const page = document.querySelector('main')?.textContent ?? ''
  for (const secret of [olivia.email, '€30', 'A gift', 'password']) expect(page).not.toContain(secret)
})

it('is nobody for an address that leads to nobody', async () => {
  await openApp(server, '/admin/people/nobody', { as: mona })
  await screen.findByRole('heading', { level: 1, name: 'There is nobody here' })
})
