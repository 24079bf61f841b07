import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { refuse } from '../network.ts'
import { sharePlan } from '../sharing.ts'

const server = await testServer()
const addStaff = async (name: string, role: string) => {
  const person = await addUser(server, `${name}@potluck.example`)
  await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
const ada = await addStaff('ada', 'admin')
const sofia = await addStaff('sofia', 'super-admin')
// One stays when Sofia no longer is.
await addStaff('selma', 'super-admin')
beforeEach(async () => {
  await server.db.query('update app_settings set review_new_plans = false, adjustment_ceiling = 100')
})
const open = (as = sofia) => openApp(server, '/admin?tab=settings', { as })
const stored = async () =>
  (await server.db.query('select review_new_plans, adjustment_ceiling from app_settings'))[0]
const review = () => screen.findByLabelText<HTMLInputElement>(/^Review new plans/)
const ceiling = () => screen.findByLabelText<HTMLInputElement>('Ceiling per adjustment')
const changedBySofia = () =>
  waitFor(() => expect(screen.getByText(/^Last changed/).textContent).toBe('Last changed just now by sofia.'))
const save = () => screen.getByText('Save').closest('button') as HTMLButtonElement

it('a super-admin changes them at once, and everybody on staff sees who did', async () => {
  const { user } = await open()
  expect((await review()).checked).toBe(false)
  expect(screen.queryByText(/Last changed/)).toBeNull()
  await user.click(await review())
  await toasted('success', 'Settings saved')
  expect((await review()).checked).toBe(true)
  await changedBySofia()
  expect(await stored()).toEqual({ review_new_plans: true, adjustment_ceiling: '100.00' })
  const olivia = await addUser(server, 'olivia@potluck.example')
  const plan = olivia.client.from('shared_subscriptions').select('status')
  expect((await plan.eq('id', await sharePlan(olivia))).data).toEqual([{ status: 'pending' }])

  expect([(await ceiling()).value, save().disabled]).toEqual(['100.00', true])
  await user.clear(await ceiling())
  await user.type(await ceiling(), '0')
  await screen.findByText('Please enter an amount above zero')
  expect(save().disabled).toBe(true)
  await user.clear(await ceiling())
  await user.type(await ceiling(), '250.5')
  await user.click(save())
  await waitFor(async () =>
    expect(await stored()).toEqual({ review_new_plans: true, adjustment_ceiling: '250.50' }),
  )

  await open(ada)
  expect((await review()).disabled).toBe(true)
  expect(screen.getByText('Review new plans: on')).toBeTruthy()
  expect([(await ceiling()).value, (await ceiling()).disabled]).toEqual(['250.50', true])
  await changedBySofia()
  expect(screen.getByText('Only super-admins change the settings.')).toBeTruthy()
  expect(screen.queryByText('Save')).toBeNull()
})

it('a change that was refused is taken back, and what cannot be loaded says so', async () => {
  const unloaded = refuse('GET /app_settings', 'XX000', 'broken', 500)
  const { user } = await open()
  await screen.findByText('Failed to load the settings')
  unloaded.heal()
  await user.click(screen.getByText('Retry'))
  await review()
  await server.db.query('delete from user_roles where user_id = $1', [sofia.id])
  await user.click(await review())
  await toasted('error', 'The settings were not saved', 'Only super-admins change the settings')
  expect((await review()).checked).toBe(false)
  expect(await stored()).toEqual({ review_new_plans: false, adjustment_ceiling: '100.00' })
})
