// A plan's access data, on the pages of its owner and its members.
// Proves VAULT 01 04-08
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { leavePlan } from '../acting.ts'
import { listening, openApp, toasted } from '../app.tsx'
import { dialog, region } from '../parts.ts'
import { join, newPeople, type People, password, saveLogin, sharePlan } from '../sharing.ts'

const server = await testServer()
await buildChanged(['supabase'])
const { db } = server
let people: People
let planId: string
beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await join(people.olivia, people.marc, planId)
})

const SECRET = { password: 'correct horse', link: 'https://family.example/join', note: 'The third profile' }
const store = ({ client }: TestUser, entry: object = SECRET) =>
  client.functions.invoke('vault/save-plan-entry', { body: { plan: planId, ...entry } })
const open = (as: TestUser) => openApp(server, `/manage-subscribed/${planId}?section=access`, { as })
const access = () => region('Access')
const day = () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date())

it('the owner stores it, changes a part, and sees each version and who opened it', async () => {
  const { user } = await open(people.olivia)
  const card = await access()
  await user.click(await card.findByText('Add access'))
  let form = await dialog('Add access')
  const save = () => user.click(form.getByText('Save access'))
  await save()
  form.getByText('Enter a password, a link or a note')
  const link = form.getByLabelText('Link')
  await user.type(link, 'http://family.example')
  await save()
  await screen.findByText('Enter the whole link, beginning with https://')
  await user.clear(link)
  await user.type(link, SECRET.link)
  await user.type(form.getByLabelText('Password'), SECRET.password)
  await save()
  await toasted('success', 'Access Saved')
  await card.findByText(`Version 1. Changed on ${day()}.`)
  // Once the access data is stored, the page contains none of it, and the form is empty when it opens again.
  await user.click(await card.findByText('Change access'))
  form = await dialog('Change access')
  expect(form.getByLabelText('Password')).toHaveProperty('value', '')
  await user.type(form.getByLabelText('Password'), 'battery staple')
  await save()
  await card.findByText(`Version 2. Changed on ${day()}.`)
  const { data: opened } = await people.marc.client.functions.invoke('vault/open-plan-entry', {
    body: { plan: planId },
  })
  expect(opened).toEqual({ version: 2, link: SECRET.link, password: 'battery staple' })
  await user.click(await card.findByText('Show access'))
  await card.findByText('battery staple')

  for (const login of ['us', 'ours']) await saveLogin(people.olivia, planId, login)
  await user.click(card.getByText('Who opened it'))
  const history = await dialog('History')
  const openings = within(await history.findByRole('region', { name: 'Who opened it' }))
  await waitFor(() => expect(openings.getAllByText(/version 2$/)).toHaveLength(2))
  openings.getByText(/^marc\d+$/)
  openings.getByText(/^olivia\d+$/)
  await user.click(await history.findByLabelText('Open version 1'))
  await history.findByText(SECRET.password)
  expect(history.queryByLabelText('Open version 4')).toBeNull()
  await user.click(history.getByLabelText('Open version 3'))
  await history.findByText('us')
})

it('a member sees that it changed until they open it; it is copied, hides after 30 seconds, and stays in no memory', async () => {
  await store(people.olivia)
  vi.useFakeTimers({ toFake: ['Date'] })
  const { user, router, cache } = await open(people.marc)
  const card = await access()
  await card.findByText(`Changed on ${day()}`)
  expect(card.queryByText('Contact the plan owner for the password.')).toBeNull()
  const states = (kept: { getAll: () => { state: unknown }[] }) => kept.getAll().map(({ state }) => state)
  const everywhere = () =>
    document.documentElement.outerHTML +
    JSON.stringify([{ ...window.localStorage }, { ...window.sessionStorage }]) +
    JSON.stringify([states(cache.getQueryCache()), states(cache.getMutationCache())])
  const isShown = () => Object.values(SECRET).filter((part) => everywhere().includes(part))
  const show = async () => {
    await user.click(await card.findByText('Show access'))
    await card.findByText(SECRET.password)
    expect(isShown()).toEqual(Object.values(SECRET))
  }
  expect(isShown()).toEqual([])
  await show()
  await waitFor(() => expect(card.queryByText(`Changed on ${day()}`)).toBeNull())
  const copied = vi.spyOn(window.navigator.clipboard, 'writeText')
  for (const [name, part] of Object.entries(SECRET)) {
    await user.click(card.getByLabelText(`Copy ${name}`))
    expect(copied).toHaveBeenLastCalledWith(part)
  }
  expect(card.getByText('Open family.example').getAttribute('rel')).toBe('noopener noreferrer')
  const opened = Date.now()
  const lookAfter = (ms: number) => {
    vi.setSystemTime(opened + ms)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
  }
  lookAfter(29_999)
  expect(isShown()).toEqual(Object.values(SECRET))
  lookAfter(30_000)
  expect(isShown()).toEqual([])

  await show()
  await user.click(card.getByText('Hide access'))
  expect(isShown()).toEqual([])
  await show()
  window.dispatchEvent(new Event('pagehide'))
  await card.findByText('Show access')
  expect(isShown()).toEqual([])
  await show()
  await router.navigate({ href: '/my-subscriptions' })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Access' })).toBeNull())
  expect(isShown()).toEqual([])
  await router.navigate({ href: `/manage-subscribed/${planId}` })
  await (await access()).findByText('Show access')
  expect(isShown()).toEqual([])
})

it('opening asks who one is after a while, and is refused when it is too often', async () => {
  await store(people.olivia)
  const { user, client } = await open(people.marc)
  await db.query(
    `update auth.sessions set amr = (select jsonb_agg(shown || jsonb_build_object('timestamp', (shown ->> 'timestamp')::numeric - 900))
       from jsonb_array_elements(amr) as shown) where user_id = $1`,
    [people.marc.id],
  )
  await client.auth.refreshSession()
  const card = await access()
  await user.click(await card.findByText('Show access'))
  const proof = await dialog('Confirm it’s you')
  await user.type(await proof.findByLabelText('Password'), `${password}{Enter}`)
  await card.findByText(SECRET.password)
  await db.query(
    `update private.rate_limit_usage set used_at = array_fill(used_at[1], array[10])
     where user_id = $1 and action = 'vault opening'`,
    [people.marc.id],
  )
  await user.click(card.getByText('Hide access'))
  await user.click(await card.findByText('Show access'))
  await toasted('warning', 'Opened Too Often', 'You can open it again in 60 minutes.')
  expect(card.queryByText(SECRET.password)).toBeNull()
})

it('who leaves gives the owner the task to change the password, members see it is pending, and a new one closes it', async () => {
  await store(people.olivia)
  await join(people.olivia, people.zoe, planId)
  const PENDING = 'A member has left, so the owner is changing the password.'
  const { user, router } = await openApp(server, '/my-subscriptions', { as: people.olivia })
  const netflix = within(await screen.findByRole('article', { name: 'Netflix Premium' }))
  await listening(`passwords-due-${people.olivia.id}`)
  expect(screen.queryByText('Change the password')).toBeNull()
  await leavePlan(planId, people.zoe)
  await netflix.findByText('Change the password')
  await router.navigate({ href: `/manage-shared/${planId}?section=access` })
  await user.click(await (await access()).findByText('Save new password'))
  await dialog('Change access')

  await open(people.marc)
  const card = await access()
  await card.findByText(PENDING)
  await listening(`vault-${planId}`)
  await store(people.olivia, { password: 'battery staple', keep: true })
  await waitFor(() => expect(card.queryByText(PENDING)).toBeNull())
  await card.findByText(`Changed on ${day()}`)
})
