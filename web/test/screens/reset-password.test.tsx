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
