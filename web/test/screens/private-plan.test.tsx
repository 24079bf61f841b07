// A private plan: made in the wizard, found by its link, and by none that has been replaced.
import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { listening, openApp, toasted } from '../app.tsx'
import { sharePlan } from '../sharing.ts'

const server = await testServer()
const signUp = (name: string) => addUser(server, `${name}@potluck.example`)
const linkOf = () => screen.getByText(/\/join\/[0-9a-f]{64}$/).textContent?.replace(location.origin, '') ?? ''

it('is shared from the wizard, leads who has the link to asking, and lets a replaced link lead nowhere', async () => {
  const olivia = await signUp('olivia')
  const zoe = await signUp('zoe')
  const owner = await openApp(
    server,
    '/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots',
    { as: olivia },
  )
  await owner.user.click(await screen.findByRole('switch', { name: /^Private/ }))
  await owner.user.click(screen.getByRole('button', { name: 'Create Subscription' }))
  await toasted(
    'success',
    'Subscription Created',
    'Netflix Premium is there for everybody with its link, which you find on its page.',
  )
  const { data: plan } = await olivia.client.from('shared_subscriptions').select('id').single().throwOnError()
  await openApp(server, `/manage-shared/${plan.id}`, { as: olivia })
  await screen.findByRole('button', { name: 'Copy link' })
  const old = linkOf()

  const visit = await openApp(server, old, { as: zoe })
  await waitFor(() => expect(visit.at()).toBe(`/subscription/${plan.id}`))
  await screen.findByRole('button', { name: 'Request to join Netflix Premium of olivia' })
  await openApp(server, '/available-subscriptions?category=all&provider=Netflix', { as: zoe })
  await screen.findByText('No subscriptions available at the moment')

  const { user } = await openApp(server, `/manage-shared/${plan.id}`, { as: olivia })
  await user.click(await screen.findByRole('button', { name: 'Replace the link' }))
  const sure = within(await screen.findByRole('dialog', { name: 'Replace the Link' }))
  await user.click(sure.getByRole('button', { name: 'Replace the link' }))
  await toasted('success', 'Link Replaced', 'The link before no longer works.')
  await waitFor(() => expect(linkOf()).not.toBe(old))
  await openApp(server, old, { as: zoe })
  await screen.findByText('This link is no longer in use')
}, 60_000)

it('goes from the screens of strangers as it is hidden', async () => {
  const [nina, zoe] = [await signUp('nina'), await signUp('zoe3')]
  const plan = await sharePlan(nina, 3, 'tidal-family')
  await openApp(server, '/available-subscriptions?category=all&provider=TIDAL', { as: zoe })
  await screen.findByRole('button', { name: 'Request to join TIDAL Family of nina' })
  await listening('available-plans')
  const hide = (is_private: boolean) =>
    nina.client.from('shared_subscriptions').update({ is_private }).eq('id', plan).throwOnError()
  await hide(true)
  await screen.findByText('No subscriptions available at the moment')

  await hide(false)
  await openApp(server, `/subscription/${plan}`, { as: zoe })
  await screen.findByRole('button', { name: 'Request to join TIDAL Family of nina' })
  await listening(`plan-${plan}`)
  await hide(true)
  await screen.findByRole('heading', { level: 1, name: 'TIDAL Family is no longer on offer' })
  await screen.findByText('Its owner has cancelled it, or shows it to fewer people now.')
}, 60_000)

it('is hidden and shown again from its page', async () => {
  const rosa = await signUp('rosa')
  const plan = await sharePlan(rosa, 3, 'deezer-family')
  const { user } = await openApp(server, `/manage-shared/${plan}`, { as: rosa })
  const hidden = await screen.findByRole('switch', { name: /^Private/ })
  expect(hidden).toHaveProperty('checked', false)
  await user.click(hidden)
  await toasted('success', 'Plan Is Private', 'Only people with its link find it now.')
  await waitFor(() => expect(linkOf()).toMatch(/^\/join\//))
  await user.click(await screen.findByRole('switch', { name: /^Private/ }))
  await toasted('success', 'Plan Is Public', 'Everybody finds it when browsing, and its link has ended.')
  await waitFor(() => expect(screen.queryByText(/\/join\//)).toBeNull())
}, 60_000)
