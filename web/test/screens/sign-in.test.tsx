import { signUpUser } from '@potluck/server/test/harness.ts'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { bootServer, openApp } from '../app.tsx'

const password = 'Sunny-Day1!'

describe('signing in', () => {
  const server = bootServer()

  it.each(['/signin', '/sign-in'])('AUTH-01 AUTH-02 AUTH-06 %s shows the sign-in screen', async (address) => {
    await openApp(server(), address)
    expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
    expect(screen.getByLabelText('Email')).toBeTruthy()
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
    await userEvent.click(screen.getByRole('button', { name: 'Show or hide the password' }))
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text')
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/signup')
  })

  it('AUTH-03 AUTH-10 signs in and goes to the page that was wanted, once', async () => {
    await signUpUser(server(), 'olivia@example.com', { password })
    const { at } = await openApp(server(), '/signin?redirect=%2Fterms')
    await fillIn('  olivia@example.com ', password)
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    await waitFor(() => expect(at()).toBe('/terms'))
    expect(window.sessionStorage.getItem('redirectAfterLogin')).toBeNull()
  })

  it('AUTH-09 goes home when the wanted page is on another site', async () => {
    await signUpUser(server(), 'marc@example.com', { password })
    const { at } = await openApp(server(), '/signin?redirect=%2F%2Fevil.example', {
      as: { email: 'marc@example.com', password },
    })
    await waitFor(() => expect(at()).toBe('/'))
  })

  it('ERR-01 shows what the server says when the password is wrong', async () => {
    await signUpUser(server(), 'zoe@example.com', { password })
    const { at } = await openApp(server(), '/signin')
    await fillIn('zoe@example.com', 'not-her-password')
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Sign in Failed')).toBeTruthy()
    expect(screen.getByText('Invalid login credentials')).toBeTruthy()
    expect(at()).toBe('/signin')
  })

  it('VALID-01 VALID-02 asks for an address and a password before asking the server', async () => {
    await openApp(server(), '/signin')
    await fillIn('zoe', '')
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Invalid Email')).toBeTruthy()
    expect(screen.getByText('Please enter a valid email address')).toBeTruthy()
    await fillIn('zoe@example.com', '12345')
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Invalid Password')).toBeTruthy()
    expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy()
  })

  it('AUTH-07 ERR-02 mails a link to an address nobody has yet, without asking for a password', async () => {
    await openApp(server(), '/signin')
    await fillIn('ben@example.com', '')
    await userEvent.click(screen.getByRole('button', { name: 'Email me a sign-in link' }))
    expect(await screen.findByText('Magic Link Sent')).toBeTruthy()
    expect(screen.getByText('Please check your email for a login link.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the captured mail' }).getAttribute('href')).toBe('/outbox')
    const [mail] = await server().outbox()
    expect(mail?.to).toBe('ben@example.com')
    expect(decodeURIComponent(mail?.text ?? '')).toContain('/auth-redirect')
  })

  it('AUTH-04 disables the services this site is not connected to', async () => {
    await openApp(server(), '/signin')
    expect(await screen.findByText('Or continue with')).toBeTruthy()
    for (const name of ['Google', 'Facebook', 'Twitter'])
      expect(screen.getByRole('button', { name }).hasAttribute('disabled')).toBe(true)
  })

  it('fills in the form from a demo account', async () => {
    await openApp(server(), '/signin', { demo: [{ email: 'demo@potluck.example', password }] })
    await userEvent.click(await screen.findByRole('button', { name: 'demo@potluck.example' }))
    expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('demo@potluck.example')
    expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe(password)
  })
})

async function fillIn(email: string, secret: string) {
  const address = await screen.findByLabelText('Email')
  await userEvent.clear(address)
  await userEvent.type(address, email)
  const field = screen.getByLabelText('Password')
  await userEvent.clear(field)
  if (secret) await userEvent.type(field, secret)
}
