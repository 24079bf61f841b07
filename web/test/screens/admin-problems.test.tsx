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
for (const person of [mia, leo]) {
  await person.sql`select report_problem((select id from my_seats()), 'password', ${`Wrong, says ${person.id}`})`
  await olivia.sql`select contest_problem(id, 'It opens here') from seat_problems where member_id = ${person.id}`
}
const cases = () => screen.findAllByRole('article')

it('shows admins what waits, with the time left and its timeline; they decide with a reason that both read', async () => {
  const { user, at, router } = await openApp(server, '/admin', { as: ada })
  await user.click(await screen.findByRole('link', { name: 'Problems' }))
  const [first] = await cases()
  const one = within(first as HTMLElement)
  one.getByText('72h left')
  await one.findByText('Olivia: “It works”')
  one.getByText('Mia paid €5.50')
  one.getByText('It opens here')
  await user.keyboard('j{Enter}')
  await waitFor(() => expect(at()).toMatch(/^\/problems\//))
  await router.navigate({ href: '/admin/problems' })
  await waitFor(async () => expect(await cases()).toHaveLength(2))
  await user.keyboard('jm')
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide for Mia' }))
  const confirm = dialog.getByRole('button', { name: 'Decide for the member' })
  expect(confirm.hasAttribute('disabled')).toBe(true)
  await user.type(dialog.getByRole('textbox', { name: 'Why' }), 'The screenshots show a wrong password.')
  await user.click(confirm)
  await toasted('success', 'Decided for Mia', 'Both read the reason.')
  await waitFor(async () => expect(await cases()).toHaveLength(1))
  const closed = await screen.findByRole('table', { name: 'Closed problems' })
  expect(closed.textContent).toMatch(
    /Netflix Premium: The password does not workMia to Olivia.*Our team decided for Mia, so what was paid for the time since the report goes back to Mia\..*The screenshots show a wrong password\./,
  )

  await user.click(screen.getByRole('button', { name: 'Decide for the owner' }))
  const other = within(await screen.findByRole('dialog', { name: 'Decide for Olivia' }))
  await user.type(other.getByRole('textbox', { name: 'Why' }), 'It was opened from the place of Leo.')
  await user.click(other.getByRole('button', { name: 'Decide for the owner' }))
  await screen.findByText('Nothing to decide')
  expect(
    await db.query(
      `select p.display_name, q.outcome, q.decision from seat_problems q join user_profiles p on p.user_id = q.member_id order by 1`,
    ),
  ).toEqual([
    { display_name: 'Leo', outcome: 'for-owner', decision: 'It was opened from the place of Leo.' },
    { display_name: 'Mia', outcome: 'for-member', decision: 'The screenshots show a wrong password.' },
  ])
  await user.click(screen.getAllByRole('link', { name: /The password does not work/ })[0] as HTMLElement)
  await screen.findByText('Why, in the words of our team')
})

it('is for admins alone', async () => {
  await openApp(server, '/admin/problems', { as: mona })
  expect(await screen.findByText('Your role does not include this page')).toBeTruthy()
  expect((await mona.client.from('seat_problems').select('id')).data).toEqual([])
})
