// Asking before deciding: the question of somebody who looks at a plan, and the owner's about a request.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { composer } from '../chatting.ts'
import { ask, newPeople, type People, say, sharePlan } from '../sharing.ts'

const server = await testServer()
let people: People
let planId: string
const nameOf = (who: keyof People) => people[who].email.split('@')[0] ?? ''
const open = (who: keyof People, address: string) => openApp(server, address, { as: people[who] })
const ENDED = 'This conversation has ended, because no place came of it.'

beforeEach(async () => {
  people = await newPeople(server)
  planId = await sharePlan(people.olivia)
})

/** The dialog, once what was there before it has gone. */
const chat = async (name: string) =>
  within(await screen.findByRole('dialog', { name: new RegExp(`^${name}.*Netflix Premium`) }))

it('opens a chat about a plan that its owner answers from the plan’s page, and that ends with the request', async () => {
  const visitor = await open('zoe', `/plans/${planId}`)
  const askFirst = await screen.findByRole('button', { name: 'Ask a question' })
  await waitFor(() => expect(askFirst).toHaveProperty('disabled', false))
  await visitor.user.click(askFirst)
  const form = within(await screen.findByRole('dialog', { name: `Ask ${nameOf('olivia')} a question` }))
  await visitor.user.type(form.getByLabelText('Your question'), 'The password: hunter22')
  await visitor.user.click(form.getByRole('button', { name: 'Send question' }))
  await form.findByText('Is this a password?')
  await visitor.user.click(form.getByRole('button', { name: 'Change it' }))
  await visitor.user.clear(form.getByLabelText('Your question'))
  await visitor.user.type(form.getByLabelText('Your question'), 'Is it in 4K?')
  await visitor.user.click(form.getByRole('button', { name: 'Send question' }))
  await (await chat(nameOf('olivia'))).findByText('Is it in 4K?')

  const owner = await open('olivia', `/manage-shared/${planId}`)
  const questions = within(await screen.findByRole('region', { name: 'Questions' }))
  await owner.user.click(
    await questions.findByRole('button', { name: `Chat with ${nameOf('zoe')}, unread messages` }),
  )
  await (await chat(nameOf('zoe'))).findByText('Is it in 4K?')
  await owner.user.type(await composer(), 'It is{Enter}')
  await (await chat(nameOf('zoe'))).findByText('It is')

  const request = await ask(people.zoe, planId)
  const again = await open('zoe', `/plans/${planId}`)
  await again.user.click(
    await screen.findByRole('button', {
      name: `Your question: chat with ${nameOf('olivia')}, unread messages`,
    }),
  )
  const dialog = await chat(nameOf('olivia'))
  await dialog.findByText('It is')
  await composer()
  await people.olivia.client
    .rpc('reject_subscription_request', { p_request_id: request, p_subscription_id: planId })
    .throwOnError()
  await dialog.findByText(ENDED)
  expect(dialog.queryByRole('textbox')).toBe(null)
  await screen.findByRole('button', { name: 'Ask a question', hidden: true })
})

it('lets an owner ask before they approve', async () => {
  await ask(people.zoe, planId)
  const { user } = await open('olivia', `/manage-shared/${planId}`)
  const requests = within(await screen.findByRole('region', { name: /Join Requests/ }))
  await user.click(
    await requests.findByRole('button', { name: `Ask a question: chat with ${nameOf('zoe')}` }),
  )
  await user.type(await composer(), 'Do you live in Berlin?{Enter}')
  await (await chat(nameOf('zoe'))).findByText('Do you live in Berlin?')
  await open('zoe', '/')
  await screen.findByRole('button', { name: /^Messages.*1/ })
})

it('leads a visitor through signing in, and is not for the owner of a plan', async () => {
  const { user, at } = await openApp(server, `/plans/${planId}`)
  await user.click(await screen.findByRole('link', { name: `Ask ${nameOf('olivia')} a question` }))
  await waitFor(() => expect(decodeURIComponent(at())).toBe(`/signin?redirect=/plans/${planId}`))
  await open('olivia', `/plans/${planId}`)
  await screen.findByText(/^This is what others see of your plan/)
  expect(screen.queryByRole('button', { name: 'Ask a question' })).toBe(null)
})

it('is in the inbox by the name of its plan, also once the plan is hidden', async () => {
  await people.zoe.client.rpc('ask_question', { p_subscription_id: planId, p_text: 'Hello?' }).throwOnError()
  await say(people.olivia, { planId, ownerId: people.olivia.id, memberId: people.zoe.id }, 'Yes?')
  await people.olivia.client
    .from('shared_subscriptions')
    .update({ is_private: true })
    .eq('id', planId)
    .throwOnError()
  const { user } = await open('zoe', '/about')
  await user.click(await screen.findByRole('button', { name: /^Messages/ }))
  await user.click(await screen.findByRole('button', { name: new RegExp(nameOf('olivia')) }))
  const dialog = within(await screen.findByRole('dialog', { name: new RegExp(nameOf('olivia')) }))
  await dialog.findByText('Yes?')
  await dialog.findByText(ENDED)
})
