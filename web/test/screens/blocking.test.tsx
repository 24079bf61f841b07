// Blocking somebody from where they are met, what the two sides see then, and the way back.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { ask, join, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
})

type Place = Pick<ReturnType<typeof within>, 'findByRole'>
type User = Awaited<ReturnType<typeof openApp>>['user']
const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const nameOf = ({ email }: TestUser) => email.split('@')[0] ?? ''
const openAbout = async (user: User, person: TestUser, place: Place = screen) => {
  await user.click(await place.findByRole('button', { name: `New: why? About ${nameOf(person)}` }))
  return within(await screen.findByRole('dialog', { name: `About ${nameOf(person)}` }))
}
const block = async (user: User, person: TestUser, dialog: Place) => {
  await user.click(await dialog.findByRole('button', { name: `Block ${nameOf(person)}` }))
  const sure = within(await screen.findByRole('dialog', { name: `Block ${nameOf(person)}?` }))
  sure.getByText(/^No requests, invitations or messages between you two.*They are not told\.$/)
  await user.click(sure.getByRole('button', { name: `Block ${nameOf(person)}` }))
  await toasted('success', `${nameOf(person)} is blocked`, 'You can take this back in your account settings.')
}

it('blocks who asks for a place, whose request is over then, and lets them in again in the settings', async () => {
  await ask(people.zoe, planId)
  const owner = await open('olivia', `/manage-shared/${planId}`)
  await screen.findByRole('button', { name: `Approve ${nameOf(people.zoe)}` })
  await block(owner.user, people.zoe, await openAbout(owner.user, people.zoe))
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: `Approve ${nameOf(people.zoe)}` })).toBeNull(),
  )

  await open('zoe', `/plans/${planId}`)
  await screen.findByRole('heading', { name: 'This plan is not here' })

  const { user } = await open('olivia', '/account-settings')
  const card = within(await screen.findByRole('region', { name: 'Blocked people' }))
  await user.click(await card.findByRole('button', { name: `Unblock ${nameOf(people.zoe)}` }))
  await toasted('success', `${nameOf(people.zoe)} is no longer blocked`)
  await card.findByText('You have blocked nobody.')
  await ask(people.zoe, planId)
})

it('blocks a member from their row and from the chat, which takes no messages until that is taken back', async () => {
  const { user } = await open('olivia', `/manage-shared/${planId}`)
  const members = within(await screen.findByRole('region', { name: 'Members' }))
  await user.click(
    await members.findByRole('button', { name: new RegExp(`chat.*${nameOf(people.marc)}`, 'i') }),
  )
  const chat = within(await screen.findByRole('dialog', { name: new RegExp(`^${nameOf(people.marc)}`) }))
  await chat.findByLabelText(`Message ${nameOf(people.marc)}`)
  await block(user, people.marc, await openAbout(user, people.marc, chat))
  await chat.findByText(`You have blocked ${nameOf(people.marc)}`)
  expect(chat.queryByLabelText(`Message ${nameOf(people.marc)}`)).toBeNull()

  const member = await open('marc', `/manage-subscribed/${planId}`)
  await member.user.click(
    await screen.findByRole('button', { name: new RegExp(`chat.*${nameOf(people.olivia)}`, 'i') }),
  )
  const other = within(await screen.findByRole('dialog', { name: new RegExp(`^${nameOf(people.olivia)}`) }))
  await member.user.type(await other.findByLabelText(`Message ${nameOf(people.olivia)}`), 'Hello?{Enter}')
  await waitFor(() => expect(document.body.textContent).toContain('This conversation takes no messages'))

  const again = await open('olivia', `/manage-shared/${planId}`)
  const row = within(await screen.findByRole('region', { name: 'Members' }))
  const about = await openAbout(again.user, people.marc, row)
  await again.user.click(await about.findByRole('button', { name: `Unblock ${nameOf(people.marc)}` }))
  await about.findByRole('button', { name: `Block ${nameOf(people.marc)}` })
})
