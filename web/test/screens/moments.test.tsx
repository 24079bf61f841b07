// Good news on the pages it is about: shown once, wherever it is seen first, with one thing it leads on to.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { listening, openApp } from '../app.tsx'
import { ask, join, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string
beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

const manage = (who: TestUser) => openApp(server, `/manage-shared/${planId}`, { as: who })
const visit = (who: TestUser) => openApp(server, `/manage-subscribed/${planId}`, { as: who })
/** What is announced as good news. */
const news = () =>
  screen.queryAllByRole('status').filter((place) => within(place).queryByRole('button', { name: 'Close' }))
const isTold = (what: RegExp) =>
  waitFor(() => expect(news().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(what)]))
const unread = async ({ client }: TestUser) =>
  (await client.from('user_notifications').select('event').eq('read', false).throwOnError()).data.map(
    ({ event }) => event,
  )
/** Something good that the database tells somebody. */
const tell = (person: TestUser, event: string, about: string | null, params: object = {}) =>
  server.db.query(`select private.notify($1, 'success', 'News', $2, $3, $2, $4::jsonb)`, [
    person.id,
    event,
    about,
    JSON.stringify(params),
  ])
const quiet = async () => {
  await screen.findByRole('region', { name: 'Access' })
  await screen.findByLabelText('Notifications', { selector: 'button' })
  expect(news()).toEqual([])
}

it('is there when an owner approves somebody, leads to the chat, and goes when it is closed', async () => {
  await ask(people.marc, planId)
  const { user } = await manage(people.olivia)
  await user.click(await screen.findByRole('button', { name: /^Approve/ }))
  await isTold(/^marc\d* is in.*Open the chat$/)
  await user.click(screen.getByRole('button', { name: 'Open the chat' }))
  const chat = await screen.findByRole('dialog', { name: /marc/ })
  await user.click(within(chat).getByRole('button', { name: /close/i }))
  await user.click(within(news()[0] as HTMLElement).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(news()).toEqual([]))
})

it('meets a member on their first visit, whom it leads to their access, and on no other device after', async () => {
  await join(people.olivia, people.marc, planId)
  expect(await unread(people.marc)).toEqual(['request-approved'])
  const { user, at } = await visit(people.marc)
  await isTold(/^You are inYour request to join Netflix Premium has been approved\.See how to get in$/)
  await waitFor(async () => expect(await unread(people.marc)).toEqual([]))
  expect(news()).toHaveLength(1)
  await user.click(screen.getByRole('link', { name: 'See how to get in' }))
  await waitFor(() => expect(at()).toBe(`/manage-subscribed/${planId}#access-title`))
  await visit(people.marc)
  await quiet()
})

it('comes to an open page as it happens, of that plan alone, the latest for all', async () => {
  const { zoe, olivia } = people
  const other = await sharePlan(olivia, 4, 'spotify-premium-family')
  await tell(olivia, 'member-first-month', other, { member: 'Nina' })
  await manage(olivia)
  await screen.findByLabelText('Notifications, 1 unread', { selector: 'button' })
  await listening('user-notifications')
  expect(news()).toEqual([])
  await tell(olivia, 'invitation-accepted', planId, { member: 'Zoe' })
  await isTold(/^Zoe is ininvitation-acceptedSee your members$/)
  await waitFor(async () => expect(await unread(olivia)).toEqual(['member-first-month']))
  await tell(zoe, 'joined', null)
  expect(await unread(zoe)).toEqual(['joined'])
})

it.each([
  ['first-month', /^Your first month is complete.*See what you save$/, '/my-savings'],
  ['joined', /^You are in.*See how to get in$/, null],
  ['let-in', /^You are in.*See how to get in$/, null],
])(
  'celebrates "%s" with a member',
  async (event, told, leads) => {
    await join(people.olivia, people.marc, planId)
    await people.marc.client.rpc('mark_notifications_as_read', { p_user_id: people.marc.id }).throwOnError()
    await tell(people.marc, event, planId)
    await visit(people.marc)
    await isTold(told)
    const way = within(news()[0] as HTMLElement).getByRole('link')
    expect(way.getAttribute('href')).toBe(leads ?? `/manage-subscribed/${planId}#access-title`)
  },
  60_000,
)

it('celebrates first coins where an owner is first, and leads to the wallet', async () => {
  await tell(people.olivia, 'first-coins', null)
  await openApp(server, '/', { as: people.olivia })
  await screen.findByRole('heading', { level: 1, name: 'Home' })
  await isTold(/^Your first coins.*See your wallet$/)
  expect(screen.getByRole('link', { name: 'See your wallet' }).getAttribute('href')).toBe('/my-savings')
  await waitFor(async () => expect(await unread(people.olivia)).toEqual([]))
  await manage(people.olivia)
  await quiet()
})
