import { addUser, newClient, PASSWORD as password, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { beAway, intercept } from '../network.ts'

describe('resetting a password', async () => {
  const server = await testServer()

  it('says the same for an address with an account and one without, and mails only the first', async () => {
    await addUser(server, 'olivia@example.com')
    const before = (await server.outbox()).length
    const answers: (string | null)[] = []
    for (const email of ['olivia@example.com', 'nobody@example.com']) {
      const { router } = await openApp(server, '/reset-password')
      expect(await screen.findByRole('heading', { name: 'Reset your password' })).toBeTruthy()
      await userEvent.type(screen.getByLabelText('Email'), email)
      await userEvent.click(screen.getByRole('button', { name: 'Send reset link' }))
      const notice = await screen.findByText('Check your email')
      answers.push(notice.closest('[role="status"]')?.textContent ?? null)
      await router.navigate({ to: '/about' })
      await waitFor(() => expect(notice.isConnected).toBe(false))
    }
    expect(answers[0]).toBeTruthy()
    expect(answers[1]).toBe(answers[0])
    expect(await server.outbox()).toHaveLength(before + 1)
  })

  it('the link leads to a new password, under the rules of sign-up', async () => {
    const email = 'marc@example.com'
    await addUser(server, email)
    await newClient(server).auth.resetPasswordForEmail(email, {
      redirectTo: `${window.location.origin}/reset-password`,
    })
    const [mail] = await server.outbox()
    const link = /https?:\/\/\S*\/auth\/v1\/verify\S*/.exec(mail?.text ?? '')?.[0] ?? ''
    const address = (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''
    const { at } = await openApp(server, address.slice(window.location.origin.length), { arriving: true })
    expect(await screen.findByRole('heading', { name: 'Set a new password' })).toBeTruthy()
    expect(window.location.href).not.toContain('token')
    const { sent: changed } = intercept('PUT /auth/v1/user')
    await fillIn('sunnyday', 'sunnyday')
    expect(await screen.findByText('Password does not meet security requirements')).toBeTruthy()
    await fillIn('Brand-new-2?', 'Brand-new-3?')
    expect(await screen.findByText("Passwords don't match")).toBeTruthy()
    expect(changed.length).toBe(0)
    await fillIn(password, password)
    expect(await screen.findByText('New password should be different from the old password.')).toBeTruthy()
    await fillIn('Brand-new-2?', 'Brand-new-2?')
    expect(await screen.findByText('Password changed')).toBeTruthy()
    await waitFor(() => expect(at()).toBe('/'))
    const signIn = async (secret: string) =>
      (await newClient(server).auth.signInWithPassword({ email, password: secret })).error?.code
    expect(await signIn('Brand-new-2?')).toBeUndefined()
    expect(await signIn(password)).toBe('invalid_credentials')
  })

  it('takes the present password, or a code from a fresh mail, of whoever is signed in', async () => {
    const zoe = await addUser(server, 'zoe@example.com')
    const { user, at } = await openApp(server, '/reset-password', { as: zoe })
    const { sent: changed } = intercept('PUT /auth/v1/user')
    await fillIn('Brand-new-2?', 'Brand-new-2?')
    await screen.findByText('Enter your current password')
    expect(changed).toEqual([])
    await user.type(screen.getByLabelText('Current password'), 'Not-this-1!')
    await fillIn('Brand-new-2?', 'Brand-new-2?')
    await screen.findByText('The current password is not correct.')
    await user.clear(screen.getByLabelText('Current password'))
    await user.type(screen.getByLabelText('Current password'), password)
    await fillIn('Brand-new-2?', 'Brand-new-2?')
    await screen.findByText('Password changed')
    await waitFor(() => expect(at()).toBe('/'))

    const again = await openApp(server, '/reset-password')
    beAway('GET /auth/v1/reauthenticate')
    await again.user.click(await screen.findByText('Email me a code'))
    await screen.findByText('No code sent')
    intercept('GET /auth/v1/reauthenticate')
    await again.user.click(screen.getByText('Email me a code'))
    const field = await screen.findByLabelText('Code')
    const [mail] = await server.outbox()
    expect([mail?.to, mail?.subject]).toEqual([zoe.email, expect.stringContaining('code')])
    await again.user.type(field, '000000')
    await fillIn('Brand-new-3?', 'Brand-new-3?')
    await screen.findByText('Nonce has expired or is invalid')
    await again.user.clear(field)
    await again.user.type(field, /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '')
    await fillIn('Brand-new-3?', 'Brand-new-3?')
    await waitFor(() => expect(again.at()).toBe('/'))
    const { error } = await newClient(server).auth.signInWithPassword({
      email: zoe.email,
      password: 'Brand-new-3?',
    })
    expect(error).toBeNull()
  })

  it('says what is wrong with the address, and when the mail could not be asked for', async () => {
    const { sent: asked } = intercept('POST /auth/v1/recover')
    await openApp(server, '/reset-password')
    await userEvent.type(await screen.findByLabelText('Email'), 'nobody')
    await userEvent.click(screen.getByRole('button', { name: 'Send reset link' }))
    expect(await screen.findByText('Invalid Email')).toBeTruthy()
    expect(asked.length).toBe(0)
    beAway('POST /auth/v1/recover')
    await userEvent.type(screen.getByLabelText('Email'), '@example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Send reset link' }))
    expect(await screen.findByText('The email could not be sent. Please try again.')).toBeTruthy()
  })
})

async function fillIn(first: string, second: string) {
  for (const [label, value] of [
    ['New password', first],
    ['Confirm new password', second],
  ] as const) {
    const field = await screen.findByLabelText(label)
    fireEvent.change(field, { target: { value: value } })
  }
  await userEvent.click(screen.getByRole('button', { name: 'Save password' }))
}
