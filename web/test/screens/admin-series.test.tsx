// How the site went: what the charts say, the table that says the same, and no money for moderators.
import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
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
const ada = await withRole('ada', 'admin')
const mona = await withRole('mona', 'moderator')

const charts = () =>
  screen
    .queryAllByRole('img')
    .flatMap((one) => one.getAttribute('aria-label')?.match(/^.+? a (week|month)$/)?.[0] ?? [])
const rows = () =>
  [...screen.getByRole('table', { name: 'How it went' }).querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].slice(1).map(({ textContent }) => textContent),
  )

it('says that there is nothing yet, and then what there was, as charts and as a table', async () => {
  await openApp(server, '/admin', { as: ada })
  await waitFor(() => expect(charts()).toEqual(['New people: in all 2; at most 2 a month']))
  expect(screen.getAllByText('None in this time.')).toHaveLength(4)

  const till = await openTill(db)
  const olivia = await addPerson(db, 'Olivia')
  const mia = await till.payer('Mia')
  await db.query(`update auth.users set created_at = now() - interval '40 days' where id = $1`, [olivia.id])
  await till.enter(mia, await till.share(olivia))
  await till.work()
  const { user, at } = await openApp(server, '/admin', { as: ada })
  await waitFor(() =>
    expect(charts()).toEqual([
      'New people: in all 4; at most 3 a month',
      'Active plans: now 1; at most 1 a month',
      'Active places: now 1; at most 1 a month',
      'Paid through Potluck: in all €5.50; at most €5.50 a month',
    ]),
  )
  await user.click(screen.getByRole('button', { name: 'Show as a table' }))
  await waitFor(() => expect(rows()[0]).toEqual(['3', '1', '1', '€5.50', '€0.00']))
  expect(rows().at(-1)).toEqual(['1', '0', '0', '€0.00', '€0.00'])

  await user.click(screen.getByRole('radio', { name: 'By week' }))
  await waitFor(() => expect(charts()[0]).toBe('New people: in all 4; at most 3 a week'))
  expect(at()).toBe('/admin?by=week')
  await waitFor(() => expect(rows().length).toBeGreaterThan(5))
})

it('has no money in it for moderators', async () => {
  const { user } = await openApp(server, '/admin', { as: mona })
  await user.click(await screen.findByRole('button', { name: 'Show as a table' }))
  const heads = await screen.findAllByRole('columnheader')
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    'Month',
    'New people',
    'Active plans',
    'Active places',
  ])
})
