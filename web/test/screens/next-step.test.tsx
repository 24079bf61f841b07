// One next step on top of a plan's page, for its owner and for a member, gone once it is done.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { listening, openApp, toasted } from '../app.tsx'
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
await buildChanged(['supabase'])
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

/** The three steps of a new plan, each with whether it is done. */
const start = async () => {
  const card = await screen.findByRole('region', { name: 'Three steps for Netflix Premium' })
  return within(card)
    .getAllByRole('listitem')
    .map((step) => step.querySelector('p')?.textContent)
}
const sayHowPaid = ({ client }: TestUser) =>
  client.from('payment_wishes').insert({ kind: 'text', note: 'Cash at dinner.' }).throwOnError()
const storeAccess = async ({ client }: TestUser) => {
  const body = { plan: planId, note: 'The second profile is yours.' }
  const { error } = await client.functions.invoke('vault/save-plan-entry', { body })
  expect(error).toBeNull()
}

it('has the owner of a new plan share the link, add access and say how members pay, each ticked once done', async () => {
  const { user, at } = await asOwner()
  await isNext(/Three steps for Netflix Premium/)
  expect(await start()).toEqual(['Share the link', 'Add access', 'How members pay'])
  const [step] = steps()
  const here = within(step as HTMLElement)
  const copied = vi.spyOn(window.navigator.clipboard, 'writeText')
  await user.click(here.getByRole('button', { name: 'Share the link' }))
  await here.findByRole('button', { name: 'Link copied' })
  expect(copied).toHaveBeenCalledWith(`${location.origin}/plans/${planId}`)

  await user.click(here.getByRole('button', { name: 'Add access' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Store access' }))
  await user.type(dialog.getByLabelText('Note'), 'The second profile is yours.')
  await user.click(dialog.getByRole('button', { name: 'Store for members' }))
  await waitFor(async () =>
    expect(await start()).toEqual(['Share the link', 'Add access (done)', 'How members pay']),
  )
  await user.click(here.getByRole('link', { name: 'Say how members pay you' }))
  await waitFor(() => expect(at()).toBe('/account-settings#paid'))
}, 60_000)

it('leads an owner from there to answering, to the places that are left, and to nothing', async () => {
  planId = await sharePlan(people.zoe, 3)
  const asZoe = () => openApp(server, `/manage-shared/${planId}`, { as: people.zoe })
  await sayHowPaid(people.zoe)
  await asZoe()
  await waitFor(async () =>
    expect(await start()).toEqual(['Share the link', 'Add access', 'How members pay (done)']),
  )
  await storeAccess(people.zoe)
  const { user } = await asZoe()
  await isNext(/Add access \(done\)/)

  await listening(`requests-of-plan-${planId}`)
  await ask(people.marc, planId)
  await isNext(/Join Requests/)
  await user.click(screen.getByRole('button', { name: /^Approve/ }))
  await isNext(/1 place is free/)

  // A device that shares takes the link as well; who closes it again has changed their mind.
  const shares = vi.fn(async () => {})
  vi.stubGlobal('navigator', Object.assign(window.navigator, { share: shares }))
  onTestFinished(() => void Reflect.deleteProperty(window.navigator, 'share'))
  await asZoe()
  await isNext(/1 place is freeSend the link.*Share the linkCopy the link/)
  await user.click(screen.getByRole('button', { name: 'Share the link' }))
  expect(shares).toHaveBeenCalledWith({
    title: 'Netflix Premium',
    url: `${location.origin}/plans/${planId}`,
  })
  shares.mockRejectedValueOnce(new DOMException('Closed', 'AbortError'))
  await user.click(screen.getByRole('button', { name: 'Share the link' }))
  shares.mockRejectedValueOnce(new DOMException('No', 'NotAllowedError'))
  await user.click(screen.getByRole('button', { name: 'Share the link' }))
  await toasted('warning', 'The link was not shared', 'Copy it instead.')
  expect(screen.getAllByText('The link was not shared')).toHaveLength(1)

  await join(people.zoe, people.olivia, planId)
  await asZoe()
  await screen.findByText('3/3 (Full)')
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
