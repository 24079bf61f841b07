// One next step on top of a plan's page, for its owner and for a member, gone once it is done.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { listening, openApp } from '../app.tsx'
import {
  ask,
  giveAccess,
  join,
  newPeople,
  type People,
  payByCard,
  payThroughSite,
  saveCard,
  sharePlan,
  takePayments,
} from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia, 2)
})

const asOwner = () => openApp(server, `/manage-shared/${planId}`, { as: people.olivia })
const asMember = () => openApp(server, `/manage-subscribed/${planId}`, { as: people.marc })
const steps = () => screen.queryAllByRole('region', { name: 'Next step' })
/** Waits until the one step is about this. */
const isNext = (about: RegExp) =>
  waitFor(() => expect(steps().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(about)]))
const nothingIsNext = async () => {
  await screen.findByRole('region', { name: 'Access' })
  await waitFor(() => expect(steps()).toEqual([]))
}

it('leads an owner from being paid to sharing the link and answering', async () => {
  await asOwner()
  await isNext(/Your members do not know how to pay you/)
  await people.olivia.client
    .from('payment_wishes')
    .insert({ kind: 'text', note: 'Cash at dinner.' })
    .throwOnError()
  const { user } = await asOwner()
  await isNext(/1 place is free/)
  const [step] = steps()
  const copied = vi.spyOn(window.navigator.clipboard, 'writeText')
  await user.click(within(step as HTMLElement).getByRole('button', { name: 'Share the link' }))
  await within(step as HTMLElement).findByRole('button', { name: 'Link copied' })
  expect(copied).toHaveBeenCalledWith(`${location.origin}/plans/${planId}`)

  await listening(`requests-of-plan-${planId}`)
  await ask(people.marc, planId)
  await isNext(/Join Requests/)
  await user.click(screen.getByRole('button', { name: /^Approve/ }))
  await screen.findByText('2/2 (Full)')
  await nothingIsNext()
}, 60_000)

it('leads a paid place from giving access to saying that it works', async () => {
  await takePayments(server)
  await payThroughSite(server, planId)
  await saveCard(server, people.marc)
  await join(people.olivia, people.marc, planId)
  await asMember()
  await nothingIsNext()
  await payByCard(server, people.marc)

  await asOwner()
  await isNext(/Give access to marc/)
  await listening(`payments-${people.olivia.id}`)
  await giveAccess(people.olivia, people.marc, planId)
  await nothingIsNext()
  const { user } = await asMember()
  await isNext(/You have access: does it work\?/)
  await user.click(screen.getByRole('button', { name: 'It works' }))
  await nothingIsNext()
}, 60_000)

it('has a member pay, and then nothing; a card keeps its place as its turn ends', async () => {
  await join(people.olivia, people.marc, planId)
  const { user } = await asMember()
  await isNext(/Pay olivia/)
  const card = await screen.findByRole('region', { name: /^Pay olivia/ })
  await user.click(within(card).getByRole('button', { name: 'I’ve paid' }))
  await within(card).findByText(/that you have paid\./)
  await nothingIsNext()
}, 60_000)
