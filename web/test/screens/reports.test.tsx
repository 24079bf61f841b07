// Reports about people: written from their page or from what is known about them, read and closed by staff.
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
const nameOf = ({ email }: TestUser) => email.split('@')[0] ?? ''

it('brings what somebody reports to staff, who look at both sides and say what they found', async () => {
  const { olivia, zoe } = await newPeople(server)
  await sharePlan(olivia)
  const mona = await addUser(server, 'mona@potluck.example')
  await server.db.query(`insert into public.user_roles (user_id, role) values ($1, 'moderator')`, [mona.id])

  const { user } = await openApp(server, `/people/${olivia.id}`, { as: zoe })
  await user.click(await screen.findByRole('button', { name: `Report ${nameOf(olivia)}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Report ${nameOf(olivia)}` }))
  expect(dialog.getByRole('button', { name: 'Send report' })).toHaveProperty('disabled', true)
  await user.type(dialog.getByLabelText(/^What happened/), 'Asks for my password')
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  await toasted('success', 'Thank you', 'Staff looks at it, and you hear when they have.')

  await user.click(screen.getByRole('button', { name: `Report ${nameOf(olivia)}` }))
  const again = within(await screen.findByRole('dialog', { name: `Report ${nameOf(olivia)}` }))
  await user.type(again.getByLabelText(/^What happened/), 'Again')
  await user.click(again.getByRole('button', { name: 'Send report' }))
  await toasted('error', 'That did not work', 'You have reported this person already. Staff will look at it.')

  const staff = await openApp(server, '/admin/reports', { as: mona })
  const report = within(await screen.findByRole('article', { name: `About ${nameOf(olivia)}` }))
  report.getByText('Asks for my password')
  expect(
    [nameOf(olivia), nameOf(zoe)].map((name) => report.getByRole('link', { name }).getAttribute('href')),
  ).toEqual([`/admin/people/${olivia.id}`, `/admin/people/${zoe.id}`])
  await staff.user.keyboard('jc')
  const close = within(
    await screen.findByRole('dialog', { name: `Close the report about ${nameOf(olivia)}?` }),
  )
  await staff.user.type(close.getByLabelText(/^What did you find/), 'Talked to both')
  await staff.user.click(close.getByRole('button', { name: 'Close report' }))
  await toasted('success', 'Report closed', 'It stands in the log of staff.')
  await screen.findByText('No report waits for you')
  await staff.user.click(screen.getByRole('radio', { name: 'Looked at' }))
  const closed = within(await screen.findByRole('article', { name: `About ${nameOf(olivia)}` }))
  closed.getByText(/Talked to both/)
  expect(closed.queryByRole('button')).toBeNull()
  expect(staff.at()).toBe('/admin/reports?state=closed')
  const { data } = await zoe.client.from('user_notifications').select('message').throwOnError()
  expect(data).toEqual([{ message: `Staff has looked at what you reported about ${nameOf(olivia)}.` }])
})

it('is offered beside a name that leads to no page, for somebody who blocks is reported all the same', async () => {
  const { olivia, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await join(olivia, zoe, planId)
  await olivia.client.rpc('block_person', { p_person_id: zoe.id }).throwOnError()
  const { user } = await openApp(server, `/plans/${planId}`, { as: zoe })
  await user.click(await screen.findByRole('button', { name: `New: why? About ${nameOf(olivia)}` }))
  await user.click(await screen.findByRole('button', { name: `Report ${nameOf(olivia)}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Report ${nameOf(olivia)}` }))
  await user.type(dialog.getByLabelText(/^What happened/), 'Took my money')
  await user.click(dialog.getByRole('button', { name: 'Send report' }))
  await toasted('success', 'Thank you', 'Staff looks at it, and you hear when they have.')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: `Report ${nameOf(olivia)}` })).toBeNull())
})
