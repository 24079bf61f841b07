// What is known of a provider's rules, plainly what is not, and the switch that ends new business with one.
import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
const card = async (provider: string, where = document.body) =>
  (await within(where).findByRole('region', { name: `What ${provider} allows` })).textContent ?? ''
const UNKNOWN =
  'We have not checked how Netflix is shared best, or what its terms say about households and regions. Please read them at www.netflix.com first.'
const TERMS =
  'One household. Where this is written. What we know of it is from 20 November 2026; it may have changed.'
const KNOWN = `It is shared best with an extra member, whom the provider charges for: everybody signs in for themselves.${TERMS}`
const HALF_KNOWN = `We have not checked how it is shared best.${TERMS}`
const rules = (how: string | null) => ({
  how,
  terms: 'One household.',
  source: 'https://help.netflix.com/legal',
  asOf: '2026-11-20',
})
const check = (sharing: object | null) =>
  server.db.query(
    `update service_provider_data set data = (
       select jsonb_agg(case when p ->> 'id' = 'netflix' then p || jsonb_build_object('sharing', $1::jsonb) else p end order by place)
       from jsonb_array_elements(data) with ordinality as one (p, place)) where is_current`,
    [JSON.stringify(sharing)],
  )

it.each([
  ['is not known', null, UNKNOWN],
  ['cannot be read', { how: 'somehow' }, UNKNOWN],
  ['is known', rules('extra-member'), KNOWN],
  ['is known but for how', rules(null), HALF_KNOWN],
])('says in the wizard, on the plan and before asking what %s', async (_what, sharing, text) => {
  await check(sharing)
  const { olivia, marc, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  await join(olivia, marc, planId)
  await openApp(server, '/create?category=streaming&provider=netflix&plan=netflix-premium', { as: zoe })
  expect(await card('Netflix')).toContain(text)
  if (text === UNKNOWN) expect(await card('Netflix')).toContain('Its price list names: 2 extra member slots')
  for (const person of [olivia, marc]) {
    cleanup()
    await openApp(server, `/subscription/${planId}`, { as: person })
    expect(await card('Netflix')).toContain(text)
  }
  cleanup()
  const { user } = await openApp(server, `/subscription/${planId}`, { as: zoe })
  expect(await card('Netflix')).toContain(text)
  await user.click(await screen.findByRole('button', { name: /^Request to join Netflix/ }))
  expect(await card('Netflix', await screen.findByRole('dialog'))).toContain(text)
})

it('is switched off by an admin, for a reason, live, and on again', async () => {
  const { olivia, zoe } = await newPeople(server)
  const planId = await sharePlan(olivia)
  const ada = await addUser(server, 'ada@potluck.example')
  await server.db.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [ada.id])
  const { user } = await openApp(server, '/admin?tab=providers', { as: ada })
  await user.click(await screen.findByRole('switch', { name: 'Offer Netflix' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Switch Netflix off?' }))
  await user.type(dialog.getByLabelText(/^Why\?/), 'Its terms have changed')
  await user.click(dialog.getByRole('button', { name: 'Switch off' }))
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: 'Offer Netflix' })).toHaveProperty('checked', false),
  )
  screen.getByText('Its terms have changed')
  const logged = await server.db.query(
    'select action, subject from private.staff_log order by line desc limit 1',
  )
  expect(logged).toEqual([{ action: 'provider switched off', subject: 'Netflix' }])
  cleanup()
  await openApp(server, `/subscription/${planId}`, { as: zoe })
  expect(
    (await screen.findByRole('button', { name: 'Not offered at the moment' })).closest('button'),
  ).toHaveProperty('disabled', true)
  cleanup()
  await openApp(server, '/create?category=streaming', { as: zoe })
  await screen.findByText('Disney+')
  expect(screen.queryByText('Netflix')).toBeNull()
  cleanup()
  const again = await openApp(server, '/admin?tab=providers', { as: ada })
  await again.user.click(await screen.findByRole('switch', { name: 'Offer Netflix' }))
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: 'Offer Netflix' })).toHaveProperty('checked', true),
  )
})
