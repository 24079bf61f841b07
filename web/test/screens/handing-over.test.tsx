// Handing a private plan over to a member: the owner offers it, the member reads what changes and takes it over.
import { testServer } from '@potluck/server/test/harness.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { dialog, region } from '../parts.ts'
import { join, letIn, newPeople, type People, sharePlan } from '../sharing.ts'

const server = await testServer()

it('an owner offers the plan at once, and the member who accepts owns it', async () => {
  const people: People = await newPeople(server)
  const planId = await sharePlan(people.olivia, 4)
  await join(people.olivia, people.marc, planId)
  await letIn(server)
  await people.olivia.client
    .from('shared_subscriptions')
    .update({ is_private: true })
    .eq('id', planId)
    .throwOnError()
  for (const { client } of [people.olivia, people.marc])
    await client.from('payment_wishes').upsert({ kind: 'text', note: 'Cash' }).throwOnError()

  const owner = await openApp(server, `/manage-shared/${planId}?section=settings`, { as: people.olivia })
  await owner.user.click(await screen.findByRole('button', { name: 'Choose a member' }))
  const form = await dialog('Hand over the plan')
  await owner.user.click(form.getByLabelText(/^As soon as marc/))
  await owner.user.click(form.getByRole('button', { name: 'Offer the plan' }))
  await (await region('Hand over the plan')).findByText(/^Offered to marc/)
  await screen.findByRole('button', { name: 'Withdraw offer' })

  const member = await openApp(server, `/manage-subscribed/${planId}`, { as: people.marc })
  const card = await region('Take the plan over?')
  card.getByText(/olivia.* would like to hand the plan over to you, from /)
  card.getByText(/^You pay the provider €/)
  await member.user.click(card.getByRole('button', { name: 'Take it over now' }))
  await screen.findByRole('heading', { name: 'Manage Your Shared Plan' })
  const { data } = await people.marc.client
    .from('shared_subscriptions')
    .select('owner_id')
    .eq('id', planId)
    .single()
  expect(data?.owner_id).toBe(people.marc.id)
})
