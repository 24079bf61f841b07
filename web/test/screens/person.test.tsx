// The page of a person: what others may know of them, where it is linked, and having nothing more to do with them.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { ask, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
  await server.db.query(
    `update public.user_profiles set display_name = 'Olivia Van Halen' where user_id = $1`,
    [people.olivia.id],
  )
})

const pageOf = ({ id }: { id: string }) => `/people/${id}`
const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const main = () =>
  [...document.querySelectorAll('main :is(h1, h2, p, a, span)')].map((one) => one.textContent).join('\n')

it('tells a visitor a first name, since when, how far, and what they share; why, once they sign in', async () => {
  const { at, user } = await openApp(server, pageOf(people.olivia))
  await heading('Olivia')
  await screen.findByRole('link', { name: 'See the plan Netflix Premium, shared by Olivia' })
  await within(await screen.findByRole('region', { name: 'Reviews' })).findByText(
    'Nobody has written a review yet.',
  )
  expect(document.title).toBe('Olivia · Potluck')
  expect(main()).toMatch(/Here since \d+ \w+ \d{4}/)
  expect(main()).toContain('New')
  for (const secret of ['Halen', people.olivia.email]) expect(document.body.textContent).not.toContain(secret)
  expect(screen.queryByRole('button', { name: /^Block/ })).toBe(null)
  await user.click(
    within(await screen.findByRole('region', { name: 'Why New?' })).getByRole('link', { name: 'Sign in' }),
  )
  await waitFor(() => expect(decodeURIComponent(at())).toContain(`/signin?redirect=${pageOf(people.olivia)}`))
})

it('is nobody to visitors who may not meet them, and to whom they have blocked', async () => {
  await openApp(server, pageOf({ id: '00000000-0000-4000-8000-000000000000' }))
  await heading('There is nobody here')
  const missing = main()
  await openApp(server, pageOf(people.marc))
  await heading('There is nobody here')
  expect(main()).toBe(missing)
  await people.olivia.client.rpc('block_person', { p_person_id: people.zoe.id }).throwOnError()
  await open('zoe', pageOf(people.olivia))
  await heading('There is nobody here')
  expect(main()).toBe(missing)
  expect(document.body.textContent).not.toContain('Olivia')
})

it('is linked from a plan, says why somebody has their level, and lets one block them and back', async () => {
  const name = 'Olivia of the table'
  await server.db.query('update public.user_profiles set display_name = $2 where user_id = $1', [
    people.olivia.id,
    name,
  ])
  const { at, user } = await open('zoe', '/available-subscriptions?category=all&provider=Netflix')
  await user.click(await screen.findByRole('link', { name }))
  await heading('Olivia')
  expect(at()).toBe(pageOf(people.olivia))
  await screen.findByRole('table', { name: 'What this follows from' })
  await user.click(await screen.findByRole('button', { name: 'Block Olivia' }))
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Block Olivia?' })).getByRole('button', {
      name: 'Block Olivia',
    }),
  )
  await screen.findByText('You have blocked Olivia')
  await screen.findByText('None that you can find.')
  await user.click(screen.getByRole('button', { name: 'Unblock Olivia' }))
  await screen.findByRole('link', { name: 'See the plan Netflix Premium, shared by Olivia' })
})

it('is linked from a join request, and from what is known about somebody', async () => {
  await ask(people.zoe, planId)
  const { user } = await open('olivia', `/manage-shared/${planId}`)
  const requests = within(await screen.findByRole('region', { name: /Join Requests/ }))
  const name = people.zoe.email.split('@')[0] ?? ''
  await requests.findByRole('link', { name })
  await user.click(await screen.findByRole('button', { name: `New: why? About ${name}` }))
  const about = within(await screen.findByRole('dialog', { name: `About ${name}` }))
  await user.click(await about.findByRole('link', { name: /page, with what they share$/ }))
  await heading(name)
  expect(screen.queryByRole('dialog')).toBe(null)
})

it('shows oneself what others see', async () => {
  await open('olivia', pageOf(people.olivia))
  await heading('Olivia')
  await screen.findByText(/This is what others see of you\./)
  await screen.findByRole('table', { name: 'What this follows from' })
  expect(screen.queryByRole('button', { name: /^Block/ })).toBe(null)
})
