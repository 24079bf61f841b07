// A person who has never confirmed their age is asked where they first share, or take a place that is paid through the site.
import { type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { takePaymentsMeanwhile } from '../acting.ts'
import { openApp, toasted } from '../app.tsx'
import { control, dialog } from '../parts.ts'
import { newPerson } from '../people.ts'
import { payThroughSite, sharePlan } from '../sharing.ts'

const server = await testServer()
const { db } = server
let zoe: TestUser

beforeEach(async () => {
  await takePaymentsMeanwhile(server)
  zoe = await newPerson(server, 'zoe')
  await db.query('update private.user_details set of_age_at = null where user_id = $1', [zoe.id])
})

const isConfirmed = async () =>
  (await zoe.client.rpc('export_own_data').throwOnError()).data.profile.of_age_at !== null
const YES = 'I’m at least 18 years old'

it('asks in a dialog of its own; who closes it has asked for no place, and who confirms goes on', async () => {
  const plan = await sharePlan(await newPerson(server, 'olivia'))
  await payThroughSite(server, plan)
  const { user } = await openApp(server, `/plans/${plan}?ask=true`, { as: zoe })
  await user.click(await screen.findByLabelText(/^Please begin at once/))
  const ask = () => control(/^Ask to join; pay/)
  await user.click(await ask())
  await (await dialog('Are you 18 or older?')).findByText(YES)
  await user.keyboard('{Escape}')
  await toasted(
    'error',
    'Request Failed',
    'Confirm first that you’re at least 18 years old. The site asks when you share a plan or take a place there.',
  )
  const requests = async () => (await zoe.client.from('subscription_requests').select('status')).data
  expect([await requests(), await isConfirmed()]).toEqual([[], false])
  await user.click(await ask())
  await user.click(await control(YES))
  await screen.findByText('Subscription Request Sent')
  expect([await requests(), await isConfirmed()]).toEqual([[{ status: 'pending' }], true])
})

it('asks together with how a person shares, if they have never said that either', async () => {
  await db.query('delete from private.sellers where user_id = $1', [zoe.id])
  const address = '/create?category=streaming&provider=netflix&plan=netflix-premium&part=slots&pay=direct'
  const { user } = await openApp(server, address, { as: zoe })
  await user.click(await control('Create Subscription'))
  const question = await dialog('How do you share?')
  await question.findByText('With your choice you confirm that you’re at least 18 years old.')
  await user.click(question.getByText('As a private person'))
  await toasted('success', 'Subscription Created', 'Netflix Premium is open for requests.')
  await waitFor(async () => expect(await isConfirmed()).toBe(true))
})
