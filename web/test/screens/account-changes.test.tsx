// What changed about the account, and the link of the mail that undoes it.
import { addUser, newClient, PASSWORD, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { beAway } from '../network.ts'

const server = await testServer()
const NEW_PASSWORD = 'Wrong-hands-1!'

/** Somebody whose password another has changed; gives the address in the mail about it. */
async function taken(name: string) {
  const person = await addUser(server, `${name}@potluck.example`)
  const { error } = await person.client.auth.updateUser({
    password: NEW_PASSWORD,
    current_password: PASSWORD,
  })
  if (error) throw error
  const link = await waitFor(async () => {
    const mails = (await server.outbox()).filter(({ to }) => to === person.email)
    const found = /https?:\S+(\/undo-change#token=\S+)/.exec(mails.map(({ text }) => text).join('\n'))
    if (!found?.[1]) throw new Error('No mail yet')
    return found[1]
  })
  return { ...person, link }
}
const signInWith = async (email: string, password: string) =>
  (await newClient(server).auth.signInWithPassword({ email, password })).error?.code

it('is undone by a press of the button, not by opening the link; all devices are signed out', async () => {
  const { email, link } = await taken('zoe.taken')
  await openApp(server, '/account-settings/security', {
    as: { email, password: NEW_PASSWORD },
  })
  const changes = within(await screen.findByRole('region', { name: 'What changed lately' }))
  expect(await changes.findByText('Password changed')).toBeTruthy()
  expect(changes.getByText('just now')).toBeTruthy()
  expect(changes.queryByText('Undone')).toBeNull()

  const visitor = await openApp(server, link)
  await screen.findByRole('heading', { level: 1, name: 'This was not you?' })
  expect(await signInWith(email, NEW_PASSWORD)).toBeUndefined()
  const away = beAway('POST /rest/v1/rpc/undo_account_change')
  await visitor.user.click(screen.getByRole('button', { name: 'Undo the change' }))
  await screen.findByRole('heading', { level: 1, name: 'That did not work' })
  away.heal()
  await visitor.user.click(screen.getByRole('button', { name: 'Try Again' }))
  await screen.findByRole('heading', { level: 1, name: 'The change is undone' })
  expect(screen.getByText(/^The new password opens nothing any more\./)).toBeTruthy()
  expect(screen.getByText(new RegExp(`by a link that we mail to ${email}`))).toBeTruthy()
  expect(await signInWith(email, NEW_PASSWORD)).toBe('invalid_credentials')
  await waitFor(async () => expect((await visitor.client.auth.getSession()).data.session).toBeNull())
  await visitor.user.click(screen.getByRole('link', { name: 'Choose a new password' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Reset your password' })).toBeTruthy()

  const again = await openApp(server, link)
  await again.user.click(await screen.findByRole('button', { name: 'Undo the change' }))
  expect(await screen.findByRole('heading', { name: 'This has been undone already' })).toBeTruthy()
})

it.each([
  ['too old', 'This link is too old'],
  ['cut off', 'This link is not known'],
])('a link that is %s says so, and what to do', async (how, title) => {
  const { id, link } = await taken(`zoe.${how.replace(' ', '.')}`)
  await server.db.query(
    `update private.account_changes set happened_at = now() - interval '49 hours' where user_id = $1`,
    [id],
  )
  const { user } = await openApp(server, how === 'cut off' ? link.slice(0, -4) : link)
  await user.click(await screen.findByRole('button', { name: 'Undo the change' }))
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Choose a new password' })).toBeTruthy()
})
