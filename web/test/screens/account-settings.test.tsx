import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { addUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { announce } from '#lib/events.ts'
import { addBankAccount } from '../../../supabase/tests/bank-accounts.ts'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp } from '../app.tsx'
import { join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
let people = 0

async function open(address = '/account-settings') {
  people += 1
  const zoe = await addUser(server, `zoe.settings${people}@potluck.example`)
  const app = await openApp(server, address, { as: zoe })
  return { zoe, ...app }
}
const card = async (name: string) => within(await screen.findByRole('region', { name }))

describe('account settings', () => {
  it('/settings and /account-settings are the same screen', async () => {
    await open('/settings')
    expect(await screen.findByRole('heading', { level: 1, name: 'Account Settings' })).toBeTruthy()
    expect(await (await card('Profile')).findByRole('button', { name: 'Edit profile' })).toBeTruthy()
  })

  it('shows the profile, edits it as one, and every place follows', async () => {
    const { zoe, user } = await open()
    await server.db.query('delete from public.user_profiles where user_id = $1', [zoe.id])
    const profile = await card('Profile')
    expect((await profile.findByRole('link', { name: 'Back to Home' })).getAttribute('href')).toBe('/')
    await user.click(await profile.findByRole('button', { name: 'Edit profile' }))
    const pictures = profile.getAllByRole('radio')
    const files = pictures.map((picture) => picture.querySelector('img')?.getAttribute('src') ?? '')
    expect(files).toEqual(Array.from({ length: 8 }, (_, index) => `/avatars/avatar-${index + 1}.png`))
    for (const file of files)
      expect(existsSync(resolve(import.meta.dirname, `../../public${file}`))).toBe(true)
    await user.click(profile.getByRole('radio', { name: 'Tomato' }))
    const display = profile.getByLabelText('Display name')
    await user.clear(display)
    await user.type(display, 'Zoe the Third')
    await user.type(profile.getByLabelText('Full name'), 'Zoe Whole')
    const save = () => user.click(profile.getByRole('button', { name: 'Save profile' }))
    const phone = profile.getByLabelText('Phone number')
    await user.type(phone, '12')
    await save()
    await profile.findByText('Please enter a phone number with its country code, like +49 30 123456')
    await user.clear(phone)
    await user.type(phone, '+49 30 123456')
    await save()
    expect(await screen.findByText('Profile updated successfully')).toBeTruthy()
    const stored = 'select * from public.user_profiles where user_id = $1'
    expect(await server.db.query(stored, [zoe.id])).toMatchObject([
      {
        display_name: 'Zoe the Third',
        full_name: 'Zoe Whole',
        phone_number: '+4930123456',
        avatar_url: '/avatars/avatar-3.png',
      },
    ])
    expect(await profile.findByText('Zoe the Third')).toBeTruthy()
    expect(profile.getByText('+4930123456')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Your menu' }))
    const menu = await screen.findByRole('menu')
    expect(within(menu).getByText('Zoe the Third')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Your menu' }).querySelector('img')?.getAttribute('src')).toBe(
      '/avatars/avatar-3.png',
    )
    const heard = vi.fn()
    window.addEventListener('userProfileUpdated', heard)
    await user.keyboard('{Escape}')
    await user.click(profile.getByRole('button', { name: 'Edit profile' }))
    await user.clear(profile.getByLabelText('Phone number'))
    await user.click(profile.getByRole('button', { name: 'Save profile' }))
    expect(await profile.findByText('Not given')).toBeTruthy()
    expect(heard).toHaveBeenCalledOnce()
    window.removeEventListener('userProfileUpdated', heard)
    expect(await server.db.query(stored, [zoe.id])).toMatchObject([
      { phone_number: null, full_name: 'Zoe Whole' },
    ])
  })

  it('a profile changed elsewhere shows after the event, without a reload', async () => {
    const { zoe } = await open()
    await (await card('Profile')).findByRole('button', { name: 'Edit profile' })
    await server.db.query(`update public.user_profiles set display_name = 'Elsewhere' where user_id = $1`, [
      zoe.id,
    ])
    announce('userProfileUpdated', { userId: zoe.id })
    expect(await (await card('Profile')).findByText('Elsewhere')).toBeTruthy()
  })

  it('a person who signs in through a provider keeps its picture, also by direct call', async () => {
    people += 1
    const email = `social${people}@potluck.example`
    const sam = await addUser(server, email)
    await server.db.query(
      `update auth.users set raw_app_meta_data = '{"provider":"google","providers":["google"]}' where id = $1`,
      [sam.id],
    )
    await openApp(server, '/account-settings', { as: { email } })
    const profile = await card('Profile')
    await userEvent.click(await profile.findByRole('button', { name: 'Edit profile' }))
    expect(profile.queryByRole('radio')).toBeNull()
    expect(profile.getByText('Your picture comes from the service you sign in with.')).toBeTruthy()
    const { error } = await sam.client
      .from('user_profiles')
      .update({ avatar_url: '/avatars/avatar-1.png' })
      .eq('user_id', sam.id)
    expect(error).toMatchObject({ code: '42501' })
    await sam.client
      .from('user_profiles')
      .update({ display_name: 'Sam' })
      .eq('user_id', sam.id)
      .throwOnError()
  })

  it('says what failed while loading and while saving', async () => {
    const rights = 'on public.user_details'
    await server.db.query(`revoke select ${rights} from authenticated`)
    const { user } = await open()
    const profile = await card('Profile')
    const alert = within(await profile.findByRole('alert'))
    expect(alert.getByText('Could not load profile information')).toBeTruthy()
    expect(alert.getByText('Failed to load profile data. Please try again later.')).toBeTruthy()
    await server.db.query(`grant select ${rights} to authenticated`)
    await user.click(alert.getByRole('button', { name: 'Try Again' }))
    await user.click(await profile.findByRole('button', { name: 'Edit profile' }))
    await server.db.query('revoke update on public.user_profiles from authenticated')
    await server.db.query(
      `revoke update (display_name, full_name, phone_number, avatar_url, updated_at) on public.user_profiles from authenticated`,
    )
    await user.click(profile.getByRole('button', { name: 'Save profile' }))
    expect(await screen.findByText('Failed to update profile')).toBeTruthy()
    expect(profile.getByRole('button', { name: 'Save profile' })).toBeTruthy()
    await server.db.query(
      `grant update (display_name, full_name, phone_number, avatar_url, updated_at) on public.user_profiles to authenticated`,
    )
  })

  it('switches messages on screen off for this browser', async () => {
    const { user } = await open()
    const alerts = await card('Messages on screen')
    const arriving = alerts.getByRole('switch', { name: /new notifications/ })
    expect(arriving).toHaveProperty('checked', true)
    await user.click(arriving)
    expect(window.localStorage.getItem('notifications-enabled')).toBe('false')
    await user.click(arriving)
    expect(window.localStorage.getItem('notifications-enabled')).toBe('true')
  })

  it('hands over everything held on a person as one file', async () => {
    const { zoe, user } = await open()
    let file: Blob | undefined
    const address = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) file = blob
      return 'blob:potluck'
    })
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await user.click((await card('Your data')).getByRole('button', { name: 'Download my data' }))
    await waitFor(() => expect(clicked).toHaveBeenCalledOnce())
    expect(address).toHaveBeenCalledOnce()
    expect(JSON.parse((await file?.text()) ?? '')).toMatchObject({
      account: { id: zoe.id, email: zoe.email },
    })
  })

  it('pays what is left as it ends, also below 20 coins, once it is said where to', async () => {
    const zoe = await addUser(server, 'zoe.goes@potluck.example')
    await moveCoins(server.db, zoe, 'earned', 7.5)
    const ending = async () => {
      const { user } = await openApp(server, '/account-settings', { as: zoe })
      await user.click((await card('Delete account')).getByRole('button', { name: 'Delete my account' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
      expect(await dialog.findByText('You have 7.50 coins left.')).toBeTruthy()
      await user.type(dialog.getByLabelText(`Type ${zoe.email} to confirm`), zoe.email)
      return { user, dialog, end: dialog.getByRole('button', { name: 'Delete for good' }) }
    }
    const { user: first, dialog, end: tooEarly } = await ending()
    expect(tooEarly).toHaveProperty('disabled', true)
    await first.click(dialog.getByRole('checkbox', { name: 'I give up my 7.50 coins instead' }))
    expect(tooEarly).toHaveProperty('disabled', false)
    await first.click(dialog.getByRole('checkbox', { name: 'I give up my 7.50 coins instead' }))
    await first.click(await dialog.findByRole('button', { name: 'Add a bank account' }))
    expect(await screen.findByRole('dialog', { name: 'Your bank account' })).toBeTruthy()

    await addBankAccount(server.db, zoe, { last4: '2606' })
    const { user, dialog: again, end } = await ending()
    expect(await again.findByText(/Paid to the account ending in 2606/)).toBeTruthy()
    await user.click(end)
    expect(await screen.findByText('Your account has been deleted')).toBeTruthy()
    expect(
      await server.db.query(
        'select amount, status, bank_account_last4 as last4 from withdrawal_requests where user_id = $1',
        [zoe.id],
      ),
    ).toEqual([{ amount: '7.50', status: 'pending', last4: '2606' }])
  })

  it('ends the account only after its address was typed, and says why when it cannot end', async () => {
    const { olivia, marc } = await newPeople(server)
    const plan = await sharePlan(olivia)
    await join(olivia, marc, plan)
    const { at } = await openApp(server, '/account-settings', { as: olivia })
    const user = userEvent.setup()
    const end = async () => {
      await user.click((await card('Delete account')).getByRole('button', { name: 'Delete my account' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
      expect(dialog.getByRole('button', { name: 'Delete for good' })).toHaveProperty('disabled', true)
      await user.type(dialog.getByLabelText(`Type ${olivia.email} to confirm`), olivia.email)
      await user.click(dialog.getByRole('button', { name: 'Delete for good' }))
    }
    await end()
    expect(
      await screen.findByText(
        'Other people still have a place in a plan you share. Cancel those plans first.',
      ),
    ).toBeTruthy()
    await olivia.client.from('shared_subscriptions').delete().eq('id', plan).throwOnError()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await end()
    expect(await screen.findByText('Your account has been deleted')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/'))
    expect((await screen.findAllByRole('link', { name: 'Sign In' })).length).toBeGreaterThan(0)
    // A seat was taken in her plan, so the account stays, without her.
    expect(await server.db.query('select email from auth.users where id = $1', [olivia.id])).toEqual([
      { email: null },
    ])
  })
})
